package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.NodeState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What jobs that need one run of node indexes are promised, on nodes that are otherwise alike. */
class ContiguousPlanTest {
    private static final long HOUR = 3600;

    /** Six nodes of one processor, index 1 to 6; a on 1, b on 3 to 4 and c on 6 leave 2 and 5. */
    private static SchedulerFixture gaps(String policy) {
        SchedulerFixture weir = new SchedulerFixture().policy(policy).nodes(6, 1);
        return weir.adopt("a", 1, HOUR, 0, "n1")
                .adopt("b", 1, 2 * HOUR, 0, "n3")
                .adopt("b2", 1, 2 * HOUR, 0, "n4")
                .adopt("c", 1, 3 * HOUR, 0, "n6");
    }

    @Test
    void shouldPromiseTheFirstInstantAtWhichARunIsFree() {
        SchedulerFixture weir = gaps("NODEALLOCATIONPOLICY CONTIGUOUS");

        weir.submit("j", 3, HOUR).iterate(1);

        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("j")).isEqualTo(2 * HOUR);
    }

    @Test
    void shouldPromiseAJobThatAsksForARunWhatARunAllows() {
        SchedulerFixture weir = gaps("RESERVATIONDEPTH 2");

        weir.submit("j", 3, HOUR, job -> job.setExtension("nallocpolicy=CONTIGUOUS"));
        weir.submit("k", 2, HOUR, job -> job.setUser("bob")).iterate(1);

        assertThat(weir.reservedStart("j")).isEqualTo(2 * HOUR);
        assertThat(weir.started()).as("fits beside, on nodes 2 and 5").containsExactly("k");
    }

    @Test
    void shouldNotLetAJobThatFindsNoRunHoldUpOneThatNeedsNone() {
        SchedulerFixture weir = gaps("RESERVATIONPOLICY NEVER");

        weir.submit("j", 2, HOUR, job -> job.setExtension("nallocpolicy=CONTIGUOUS"));
        weir.submit("k", 2, HOUR).iterate(1);

        assertThat(weir.started()).containsExactly("k");
    }

    @ParameterizedTest
    @CsvSource({"FIRSTFIT", "BESTFIT", "GREEDY", "NONE"})
    void shouldKeepNothingFreeForAJobThatNoRunCanEverHold(String backfill) {
        SchedulerFixture weir =
                new SchedulerFixture().policy("NODEALLOCATIONPOLICY CONTIGUOUS\nBACKFILLPOLICY " + backfill);
        for (int index : List.of(1, 2, 4, 5, 7, 8)) {
            weir.node("n" + index, 1, NodeState.IDLE, node -> node.setIndex(index));
        }
        weir.heartbeat(1, true, SchedulerFixture.EPOCH, 0);

        weir.submit("never", 3, HOUR).submit("other", 2, HOUR).iterate(1);

        assertThat(weir.started()).containsExactly("other");
        assertThat(weir.publishedReservations).doesNotContainKey("never");
        assertThat(weir.job("never").getMessages()).anyMatch(message -> message.contains("could ever hold"));
    }
}
