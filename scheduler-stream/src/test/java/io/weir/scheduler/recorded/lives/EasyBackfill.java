package io.weir.scheduler.recorded.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.recorded.Life;
import io.weir.scheduler.recorded.Site;
import io.weir.schemas.DecisionKind;

/** EASY: one reservation for the job at the head, everything else around it. */
public final class EasyBackfill implements Life {
    @Override
    public void live(Site site) {
        site.policy("""
                BACKFILLPOLICY FIRSTFIT
                RESERVATIONPOLICY CURRENTHIGHEST
                RESERVATIONDEPTH 1
                EXPLAINDEPTH 10
                """);
        site.manager().nodes(1, 24, 8, node -> {});
        site.jobs(
                150,
                400,
                0,
                11,
                (number, random, job) ->
                        job.setTasks(number % 9 == 0 ? 96 + random.nextInt(97) : 1 + random.nextInt(40)));
        site.runUntil(24 * 60, 15);

        assertThat(site.decisions(DecisionKind.START)).hasSizeGreaterThan(100);
        assertThat(site.decisions(DecisionKind.RESERVE)).hasSizeGreaterThan(10);
        assertThat(site.backfilled()).hasSizeGreaterThan(20);
    }
}
