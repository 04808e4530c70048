package io.weir.scheduler.recorded.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.recorded.Life;
import io.weir.scheduler.recorded.ScriptedConnector;
import io.weir.scheduler.recorded.Site;
import io.weir.schemas.CommandKind;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.schemas.RmCommand;
import io.weir.topics.Topics;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Everything operators can ask for, about jobs, nodes, reservations and the scheduler; some of it refused. */
public final class OperatorsAtWork implements Life {
    private Random random = new Random();

    @Override
    public void live(Site site) {
        random = new Random(131);
        site.policy("""
                ADMINCFG[1] USERS=root
                ADMINCFG[3] USERS=olga
                QOSCFG[urgent] PRIORITY=1000
                USERCFG[ann] QLIST=urgent
                USERCFG[bob] QLIST=urgent
                RESERVATIONDEPTH 3
                EXPLAINDEPTH 30
                """);
        ScriptedConnector rm =
                site.manager().nodes(1, 12, 8, node -> node.setMemoryMb(16_000).setFeatures(List.of("ib")));
        site.jobs(
                100, 420, 0, 132, (number, random, job) -> job.setTasks(1 + random.nextInt(number % 5 == 0 ? 60 : 12)));
        int minute = 60;
        for (int round = 0; round < 4; round++) {
            waiting(
                    site,
                    rm,
                    minute += 15,
                    RequestKind.HOLD_JOB,
                    "type",
                    List.of("user", "system", "batch", "").get(round));
            waiting(site, rm, minute += 5, RequestKind.SET_JOB_PRIORITY, "priority", round % 2 == 0 ? "50" : "+20");
            waiting(site, rm, minute += 5, RequestKind.MODIFY_JOB, "wclimit", "1:30:00", "message", "shorter");
            waiting(site, rm, minute += 5, RequestKind.MODIFY_JOB, "qos", "urgent");
            waiting(site, rm, minute += 5, RequestKind.MODIFY_JOB, "hostlist", "n03,n04", "variable", "a=1");
            waiting(site, rm, minute += 5, RequestKind.EXPLAIN_JOB);
            waiting(site, rm, minute += 5, RequestKind.SHOW_START, "method", "all");
            waiting(site, rm, minute += 5, RequestKind.CANCEL_JOB);
            running(site, rm, minute += 5, RequestKind.SUSPEND_JOB);
            running(site, rm, minute += 5, RequestKind.SIGNAL_JOB, "signal", "USR1");
            running(site, rm, minute += 5, RequestKind.REQUEUE_JOB);
            running(site, rm, minute += 5, RequestKind.MODIFY_JOB, "wclimit", "6:00:00", "gmetric[x]", "4");
            suspended(site, rm, minute += 10, RequestKind.RESUME_JOB);
            release(site, minute += 5);
            String node = "n%02d".formatted(2 + round);
            ask(
                    site,
                    minute += 5,
                    RequestKind.MODIFY_NODE,
                    node,
                    "gmetric[temp]",
                    "=" + (60 + round),
                    "variable",
                    "=rack=4");
            ask(site, minute, RequestKind.MODIFY_NODE, node, "features", "+=gpu", "message", "=looked at");
            ask(site, minute += 5, RequestKind.MODIFY_NODE, "n12", "state", round % 2 == 0 ? "drained" : "idle");
            ask(site, minute, RequestKind.SHOW_NODE, node);
            ask(site, minute += 5, RequestKind.SHOW_BACKFILL, "-", "duration", "1:00:00");
            ask(site, minute, RequestKind.SHOW_PRIORITY, "ALL");
            ask(site, minute, RequestKind.CREATE_RESERVATION, "new", "h", "n01", "d", "1:00:00", "s", "+0:30:00");
        }
        ask(site, 310, RequestKind.CONTROL_SCHEDULER, "scheduler", "action", "pause");
        ask(site, 350, RequestKind.CONTROL_SCHEDULER, "scheduler", "action", "resume");
        ask(site, 400, RequestKind.CONTROL_SCHEDULER, "scheduler", "action", "message", "text", "quiet please");
        ask(site, 410, RequestKind.CONTROL_SCHEDULER, "scheduler", "action", "stop");
        ask(site, 430, RequestKind.CONTROL_SCHEDULER, "scheduler", "action", "step", "count", "2");
        ask(site, 450, RequestKind.CONTROL_SCHEDULER, "scheduler", "action", "resume", "at", "+0:10:00");
        site.at(455, () -> site.requestOf("mallory", RequestKind.RELEASE_RESERVATION, "system.1"));
        site.at(460, () -> site.request(RequestKind.CANCEL_JOB, "j9999"));
        site.runUntil(12 * 60, 5);

        assertThat(site.answers())
                .extracting(RequestResult::getOutcome)
                .contains(RequestOutcome.ACCEPTED, RequestOutcome.REFUSED);
        assertThat(site.answers())
                .filteredOn(it -> it.getOutcome() == RequestOutcome.ACCEPTED)
                .hasSizeGreaterThan(60);
        assertThat(site.jobVersions()).anyMatch(it -> it.getSystemPriority() != null);
        assertThat(site.jobVersions()).anyMatch(it -> it.getState() == JobState.SUSPENDED);
        assertThat(site.published(Topics.COMMANDS))
                .extracting(RmCommand::getKind)
                .contains(CommandKind.CANCEL_JOB, CommandKind.REQUEUE_JOB, CommandKind.DRAIN_NODE);
        assertThat(site.jobVersions()).anyMatch(it -> !it.getOrders().isEmpty());
        assertThat(site.notices()).contains("schedpause", "schedresume", "schedstop");
    }

    private static void ask(Site site, int minute, RequestKind kind, String object, String... arguments) {
        site.at(minute, () -> site.request(kind, object, arguments));
    }

    private void waiting(Site site, ScriptedConnector rm, int minute, RequestKind kind, String... arguments) {
        ask(site, rm, JobState.IDLE, minute, kind, arguments);
    }

    private void running(Site site, ScriptedConnector rm, int minute, RequestKind kind, String... arguments) {
        ask(site, rm, JobState.RUNNING, minute, kind, arguments);
    }

    private void suspended(Site site, ScriptedConnector rm, int minute, RequestKind kind, String... arguments) {
        ask(site, rm, JobState.SUSPENDED, minute, kind, arguments);
    }

    private void ask(
            Site site, ScriptedConnector rm, JobState state, int minute, RequestKind kind, String... arguments) {
        site.at(minute, () -> {
            List<String> jobs = rm.jobs(state);
            if (!jobs.isEmpty()) {
                site.request(kind, jobs.get(random.nextInt(jobs.size())), arguments);
            }
        });
    }

    /** Releases every job that is held. */
    private static void release(Site site, int minute) {
        site.at(minute, () -> {
            Map<String, JobStatus> latest = new TreeMap<>();
            site.jobVersions().forEach(it -> latest.put(it.getJobId(), it));
            latest.values().stream()
                    .filter(it -> !it.getHolds().isEmpty())
                    .forEach(it -> site.request(RequestKind.RELEASE_JOB, it.getJobId(), "type", "all"));
        });
    }
}
