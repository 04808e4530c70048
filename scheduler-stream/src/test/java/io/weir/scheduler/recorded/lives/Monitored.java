package io.weir.scheduler.recorded.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.recorded.Life;
import io.weir.scheduler.recorded.Site;
import io.weir.schemas.Decision;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.RmCommand;
import io.weir.topics.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** MODE MONITOR beside a resource manager that starts jobs itself, until Weir takes over. */
public final class Monitored implements Life {
    private static final String POLICY = """
            RESERVATIONDEPTH 3
            EXPLAINDEPTH 5
            """;

    @Override
    public void live(Site site) {
        Instant begin = site.now();
        site.policy("SCHEDCFG[site] MODE=MONITOR\n" + POLICY);
        site.manager().startingItself(true).nodes(1, 14, 8, node -> {});
        site.at(600, () -> {
            site.manager().startingItself(false);
            site.policy("SCHEDCFG[site] MODE=NORMAL\n" + POLICY);
        });
        site.at(930, () -> site.policy("SCHEDCFG[site] MODE=TEST\n" + POLICY));
        site.jobs(
                110, 500, 0, 91, (number, random, job) -> job.setTasks(1 + random.nextInt(number % 6 == 0 ? 70 : 12)));
        site.runUntil(17 * 60, 15);

        List<Decision> starts = site.decisions(DecisionKind.START);
        assertThat(starts).filteredOn(it -> !it.getExecuted()).hasSizeGreaterThan(20);
        assertThat(starts).filteredOn(Decision::getExecuted).hasSizeGreaterThan(20);
        assertThat(site.published(Topics.COMMANDS))
                .extracting(RmCommand::getIssuedAt)
                .allMatch(it -> !it.isBefore(begin.plus(Duration.ofMinutes(600))))
                .allMatch(it -> it.isBefore(begin.plus(Duration.ofMinutes(930))));
        assertThat(site.jobVersions()).anyMatch(job -> job.getMonitoredStart() != null);
    }
}
