package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.RmCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Preemption in random lives of a cluster on which any processor is as good as any other, so that counting tells what has to
 * happen: a job is preempted for one of higher priority alone, as few of them as will do, and whenever that helps; and the one
 * for which they were preempted starts once they are gone. A failure names its seed.
 */
class PreemptionPropertyTest {
    private static final int LIVES = Integer.getInteger("weir.preemption.lives", 150);
    private static final int NODES = 12;
    private static final List<Integer> RANKS = List.of(0, 10, 20, 30);

    private static final String POLICY = """
            QOSCFG[q0] PRIORITY=0 QFLAGS=PREEMPTEE
            QOSCFG[q10] PRIORITY=10
            QOSCFG[q20] PRIORITY=20 QFLAGS=PREEMPTOR,PREEMPTEE
            QOSCFG[q30] PRIORITY=30 QFLAGS=PREEMPTOR
            QOSWEIGHT 1000
            QUEUETIMEWEIGHT 0
            ENABLENEGJOBPRIORITY TRUE
            RESERVATIONPOLICY NEVER
            """;

    private Random random = new Random();
    private String where = "";
    private int preemptions;
    private final Map<String, Integer> ranks = new TreeMap<>();
    private final Map<String, Integer> procs = new TreeMap<>();
    private final Map<String, Long> submitted = new TreeMap<>();
    private final Map<String, Long> ends = new TreeMap<>();

    /** Commands that are not answered, and when they are. */
    private final Map<Long, RmCommand> open = new TreeMap<>();

    private final Map<Long, Long> answers = new TreeMap<>();

    @Test
    void shouldPreemptAsFewAsWillDoAndWheneverThatHelps() {
        for (long seed = 1; seed <= LIVES; seed++) {
            random = new Random(seed);
            live(seed);
        }
        assertThat(preemptions).isGreaterThan(LIVES);
    }

    private void live(long seed) {
        SchedulerFixture weir = new SchedulerFixture();
        if (random.nextBoolean()) {
            weir.followingNodes();
        }
        if (random.nextInt(4) == 0) {
            weir.rebuildingAlways();
        }
        weir.hello(SchedulerFixture.EPOCH);
        weir.policy(POLICY);
        weir.nodes(NODES, 1);
        ranks.clear();
        procs.clear();
        submitted.clear();
        ends.clear();
        open.clear();
        answers.clear();
        long now = 0;
        for (int step = 0; step < 40; step++) {
            now += 1 + random.nextInt(20);
            where = "seed " + seed + ", " + now + " s";
            answer(weir, now);
            end(weir, now);
            for (int i = random.nextInt(3); i > 0; i--) {
                submit(weir, "j" + (100 + ranks.size()), now);
            }
            if (random.nextInt(4) == 0) {
                change(weir);
            }
            weir.iterate(now);
            check(weir);
            for (String id : weir.started()) {
                ends.put(id, now + 1 + random.nextInt(200));
            }
            for (RmCommand command : weir.lastCommands()) {
                if (command.getKind() == CommandKind.REQUEUE_JOB) {
                    open.put(command.getNumber(), command);
                    answers.put(command.getNumber(), now + random.nextInt(30));
                }
            }
        }
    }

    /** Has a job that waits ask for another wallclock limit. */
    private void change(SchedulerFixture weir) {
        List<String> waiting = ranks.keySet().stream()
                .filter(id -> weir.knows(id) && weir.job(id).getState() == JobState.IDLE)
                .toList();
        if (!waiting.isEmpty()) {
            String id = waiting.get(random.nextInt(waiting.size()));
            long limit = 1000 + random.nextInt(500);
            weir.submit(
                    id,
                    procs.get(id),
                    limit,
                    job -> job.setQos("q" + ranks.get(id)).setSubmitTime(at(submitted.get(id))));
        }
    }

    private void submit(SchedulerFixture weir, String id, long now) {
        submitted.put(id, now);
        int rank = RANKS.get(random.nextInt(RANKS.size()));
        int tasks = 1 + random.nextInt(random.nextInt(4) == 0 ? NODES : 4);
        ranks.put(id, rank);
        procs.put(id, tasks);
        weir.submit(id, tasks, 1000, job -> job.setQos("q" + rank).setSubmitTime(at(now)));
    }

    private void answer(SchedulerFixture weir, long now) {
        for (Map.Entry<Long, RmCommand> each : List.copyOf(open.entrySet())) {
            if (answers.getOrDefault(each.getKey(), 0L) <= now) {
                String id = String.valueOf(each.getValue().getJobId());
                weir.answer(each.getValue(), CommandOutcome.DONE, now);
                ends.remove(id);
                open.remove(each.getKey());
            }
        }
    }

    private void end(SchedulerFixture weir, long now) {
        for (Map.Entry<String, Long> end : List.copyOf(ends.entrySet())) {
            boolean pending = open.values().stream().anyMatch(c -> end.getKey().equals(c.getJobId()));
            if (end.getValue() <= now && !pending) {
                weir.end(end.getKey(), now);
                ends.remove(end.getKey());
            }
        }
    }

    private void check(SchedulerFixture weir) {
        Map<String, List<String>> victims = new TreeMap<>();
        int held = 0;
        int leaving = 0;
        int helped = 0;
        List<String> waiting = new ArrayList<>();
        for (String id : ranks.keySet()) {
            if (!weir.knows(id)) {
                continue;
            }
            JobStatus job = weir.job(id);
            if (job.getState() == JobState.RUNNING || job.getState() == JobState.STARTING) {
                held += procs.get(id);
            }
            if (job.getState() == JobState.IDLE) {
                waiting.add(id);
            }
            if (job.getPreemption() != null) {
                helped += job.getPreemption().getBy() == null ? 1 : 0;
                leaving += job.getPreemption().getBy() == null ? 0 : procs.get(id);
            }
        }
        assertThat(held).as(where).isLessThanOrEqualTo(NODES);
        for (RmCommand command : weir.lastCommands()) {
            if (command.getKind() == CommandKind.REQUEUE_JOB) {
                String id = String.valueOf(command.getJobId());
                victims.computeIfAbsent(weir.job(id).getPreemption().getBy(), by -> new ArrayList<>())
                        .add(id);
            }
        }
        int free = NODES - held;
        boolean only = helped == 1;
        victims.forEach((by, those) -> {
            preemptions++;
            int given = those.stream().mapToInt(procs::get).sum();
            assertThat(those).as("%s: for %s", where, by).allSatisfy(victim -> {
                assertThat(ranks.get(victim)).isIn(0, 20).isLessThan(ranks.get(by));
                assertThat(!only || free + given - procs.get(victim) < procs.get(by))
                        .as("%s is needed", victim)
                        .isTrue();
            });
        });
        // Where nobody waits for room that is being made, whoever may preempt others and waits could not be helped.
        if (leaving == 0) {
            for (String id : waiting) {
                int rank = ranks.get(id);
                if (rank >= 20) {
                    int most = free;
                    for (String other : ranks.keySet()) {
                        boolean runs = weir.knows(other)
                                && weir.job(other).getState() == JobState.RUNNING
                                && !weir.started().contains(other);
                        boolean lower = ranks.get(other) < rank && (ranks.get(other) == 0 || ranks.get(other) == 20);
                        most += runs && lower ? procs.get(other) : 0;
                    }
                    assertThat(most).as("%s: %s waits", where, id).isLessThan(procs.get(id));
                }
            }
        }
    }
}
