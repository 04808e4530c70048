package io.weir.scheduler.core.charge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.Charge;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Charges between the iteration that makes them and the one that publishes them. */
class PendingChargesTest {
    static {
        AvroTrust.install();
    }

    private final PendingCharges pending = new PendingCharges();

    @Test
    void shouldBePendingUntilTakenTheFirstByIdFirst() {
        assertThat(pending.isEmpty()).isTrue();
        pending.add(charge("b"));
        pending.add(charge("c"));
        pending.add(charge("a"));
        assertThat(pending.isEmpty()).isFalse();
        assertThat(pending.ids()).containsExactly("a", "b", "c");

        assertThat(pending.take(2)).extracting(Charge::getChargeId).containsExactly("a", "b");

        assertThat(pending.ids()).containsExactly("c");
        assertThat(pending.get("a")).isNull();
        assertThat(pending.get("c")).isEqualTo(charge("c"));
        assertThat(pending.take(2)).extracting(Charge::getChargeId).containsExactly("c");
        assertThat(pending.take(2)).isEmpty();
    }

    @Test
    void shouldSayOnceWhatWasAddedOrTaken() {
        pending.add(charge("b"));
        pending.add(charge("a"));
        assertThat(pending.drain()).containsExactly("a", "b");
        assertThat(pending.drain()).isEmpty();

        pending.take(1);

        assertThat(pending.drain()).containsExactly("a");
        assertThat(pending.drain()).isEmpty();
    }

    /** What was stored need not be stored again before it is taken. */
    @Test
    void shouldTakeOverWhatWasStoredWithoutAChange() {
        pending.restore(charge("a"));

        assertThat(pending.drain()).isEmpty();
        assertThat(pending.take(1)).extracting(Charge::getChargeId).containsExactly("a");
        assertThat(pending.drain()).containsExactly("a");
    }

    private static Charge charge(String id) {
        return Charge.newBuilder()
                .setCluster("c")
                .setChargeId(id)
                .setIteration(1)
                .setObjectType("job")
                .setObjectId("j")
                .setStart(Instant.EPOCH)
                .setEnd(Instant.EPOCH)
                .setReservedProcSeconds(1)
                .setUsedProcSeconds(1)
                .setAmountMillis(1)
                .build();
    }
}
