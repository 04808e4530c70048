package io.weir.scheduler.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.core.policy.language.value.PolicyTime;
import io.weir.scheduler.core.policy.node.AllocationPolicyKind;
import io.weir.scheduler.core.policy.reservation.ReservationGroup;
import io.weir.scheduler.core.policy.reservation.ReservationPolicy;
import io.weir.scheduler.core.policy.scheduler.BackfillPolicy;
import io.weir.scheduler.core.policy.scheduler.Mode;
import org.junit.jupiter.api.Test;

class SitePolicyTest {
    @Test
    void shouldHaveMoabsDefaults() {
        SitePolicy policy = SitePolicy.read("").policy();

        assertThat(policy).isEqualTo(SitePolicy.DEFAULT);
        assertThat(policy.reservations().groups()).containsExactly(ReservationGroup.DEFAULT);
        assertThat(policy.reservations().policy()).isEqualTo(ReservationPolicy.CURRENTHIGHEST);
        assertThat(policy.backfill().policy()).isEqualTo(BackfillPolicy.FIRSTFIT);
        assertThat(policy.allocation().policy().kind()).isEqualTo(AllocationPolicyKind.LASTAVAILABLE);
    }

    @Test
    void shouldReadEveryWayToWriteASetting() {
        SitePolicy.Reading reading = SitePolicy.read("""
                # a comment
                ReservationDepth[DEFAULT] 12   # a depth
                RESERVATIONPOLICY=highest
                BACKFILLPOLICY = "NONE"
                NODEALLOCATIONPOLICY \\
                    FIRSTAVAILABLE
                SCHEDCFG[weir] MODE=MONITOR
                JOBCPURGETIME 1:00:00
                ...
                """);

        assertThat(reading.problems()).isEmpty();
        SitePolicy policy = reading.policy();
        assertThat(policy.reservations().groups().get(0).depth()).isEqualTo(12);
        assertThat(policy.reservations().policy()).isEqualTo(ReservationPolicy.HIGHEST);
        assertThat(policy.backfill().policy()).isEqualTo(BackfillPolicy.NONE);
        assertThat(policy.allocation().policy().kind()).isEqualTo(AllocationPolicyKind.FIRSTAVAILABLE);
        assertThat(policy.scheduler().mode()).isEqualTo(Mode.MONITOR);
        assertThat(policy.scheduler().jobPurgeSeconds()).isEqualTo(3600);
    }

    @Test
    void shouldReportBadLinesAndApplyTheRest() {
        SitePolicy.Reading reading = SitePolicy.read("""
                RESERVATIONDEPT 3
                BACKFILLPOLICY SOMEFIT
                RESERVATIONDEPTH -2
                RESERVATIONPOLICY[1] HIGHEST
                RESERVATIONPOLICY
                NODEALLOCATIONPOLICY FIRSTAVAILABLE
                DEFERTIME soon
                RESERVATIONDEPTH 6
                RESERVATIONDEPTH 7
                """);

        assertThat(reading.problems())
                .extracting(PolicyProblem::toString)
                .satisfiesExactly(
                        p -> assertThat(p)
                                .isEqualTo("WARNING line 1: RESERVATIONDEPT: unknown parameter, ignored; did"
                                        + " you mean RESERVATIONDEPTH?"),
                        p -> assertThat(p)
                                .isEqualTo("ERROR line 2: BACKFILLPOLICY: 'SOMEFIT' is not available; one of"
                                        + " FIRSTFIT, BESTFIT, GREEDY, PREEMPT, NONE"),
                        p -> assertThat(p).startsWith("ERROR line 3: RESERVATIONDEPTH: '-2' is not a number"),
                        p -> assertThat(p).startsWith("ERROR line 4: RESERVATIONPOLICY[1]: takes no index"),
                        p -> assertThat(p).isEqualTo("ERROR line 5: RESERVATIONPOLICY: takes one value, found 0"),
                        p -> assertThat(p).startsWith("ERROR line 7: DEFERTIME: 'soon' is not a time"),
                        p -> assertThat(p)
                                .isEqualTo("WARNING line 9: RESERVATIONDEPTH: set before on line 8; this line wins"));
        assertThat(reading.policy().reservations().groups().get(0).depth()).isEqualTo(7);
        assertThat(reading.policy().allocation().policy().kind()).isEqualTo(AllocationPolicyKind.FIRSTAVAILABLE);
    }

    @Test
    void shouldReadIntervals() {
        assertThat(PolicyTime.seconds("90:00")).isEqualTo(5400);
        assertThat(PolicyTime.seconds("1:00:00:00")).isEqualTo(86_400);
        assertThat(PolicyTime.seconds("45")).isEqualTo(45);
        assertThat(PolicyTime.seconds("1:2:3:4:5")).isEqualTo(-1);
        assertThat(PolicyTime.seconds("1::5")).isEqualTo(-1);
        assertThat(PolicyTime.seconds("-1")).isEqualTo(-1);
    }
}
