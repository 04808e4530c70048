package io.weir.scheduler.recorded.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.recorded.Life;
import io.weir.scheduler.recorded.Site;
import io.weir.schemas.DecisionKind;

/** BESTFIT by one metric after the other, with room kept for wide jobs; then GREEDY, then no backfill. */
public final class BestFitBackfill implements Life {
    @Override
    public void live(Site site) {
        site.policy(policy("BESTFIT", "PROCSECONDS") + "BFCHUNKDURATION 1:00:00\nBFCHUNKSIZE 24\n");
        site.at(240, () -> site.policy(policy("BESTFIT", "SECONDS") + "BACKFILLDEPTH 8\n"));
        site.at(480, () -> site.policy(policy("GREEDY", "PROCS")));
        site.at(720, () -> site.policy(policy("GREEDY", "PESECONDS")));
        site.at(960, () -> site.policy(policy("BESTFIT", "PE")));
        site.at(1140, () -> site.policy(policy("NONE", "PROCS")));
        site.manager().nodes(1, 20, 8, node -> node.setMemoryMb(32_000));
        site.jobs(
                180,
                420,
                0,
                31,
                (number, random, job) -> Site.require(
                        job,
                        number % 8 == 0 ? 60 + random.nextInt(90) : 1 + random.nextInt(30),
                        task -> task.setMemoryMb(1000L * random.nextInt(5))));
        site.runUntil(22 * 60, 15);

        assertThat(site.decisions(DecisionKind.START)).hasSizeGreaterThan(80);
        assertThat(site.decisions(DecisionKind.RESERVE)).isNotEmpty();
        assertThat(site.backfilled()).hasSizeGreaterThan(30);
    }

    private static String policy(String backfill, String metric) {
        return "BACKFILLPOLICY " + backfill + "\nBACKFILLMETRIC " + metric + "\nRESERVATIONDEPTH 2\nEXPLAINDEPTH 5\n";
    }
}
