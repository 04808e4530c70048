package io.weir.scheduler.recorded.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.recorded.Life;
import io.weir.scheduler.recorded.Site;
import io.weir.schemas.DecisionKind;
import java.util.List;

/** Reservations are kept until their jobs start: some for one group of jobs, as many as there are jobs for another. */
public final class ConservativeHighest implements Life {
    @Override
    public void live(Site site) {
        site.policy("""
                RESERVATIONPOLICY HIGHEST
                RESERVATIONDEPTH[0] 4
                RESERVATIONQOSLIST[0] urgent
                RESERVATIONDEPTH[1] INFINITY
                RESERVATIONQOSLIST[1] plain
                XFACTORWEIGHT 50
                QOSCFG[urgent] PRIORITY=400
                QOSCFG[plain] PRIORITY=10
                USERCFG[ann] QLIST=urgent,plain
                USERCFG[bob] QLIST=urgent,plain
                USERCFG[cyd] QLIST=plain QDEF=plain
                EXPLAINDEPTH 10
                """);
        site.manager()
                .nodes(1, 12, 8, node -> node.setMemoryMb(16_000))
                .nodes(13, 16, 16, node -> node.setMemoryMb(64_000));
        site.jobs(120, 560, 0, 23, (number, random, job) -> {
            job.setQos(List.of("urgent", "plain", "plain").get(random.nextInt(3)));
            Site.require(
                    job,
                    number % 7 == 0 ? 40 + random.nextInt(40) : 1 + random.nextInt(24),
                    task -> task.setMemoryMb(500L * random.nextInt(8)));
        });
        site.runUntil(20 * 60, 15);

        assertThat(site.decisions(DecisionKind.START)).hasSizeGreaterThan(60);
        assertThat(site.decisions(DecisionKind.RESERVE)).hasSizeGreaterThan(40);
        assertThat(site.decisions(DecisionKind.MOVE_RESERVATION)).hasSizeGreaterThan(20);
        assertThat(site.backfilled()).hasSizeGreaterThan(10);
    }
}
