package io.weir.notifier.spi;

import io.weir.schemas.Charge;
import java.time.Instant;
import java.util.List;

/** Charges to test with. */
public final class Charges {

    private Charges() {}

    /** Returns a charge for an hour of two processors. */
    public static Charge.Builder hour(String id) {
        return Charge.newBuilder()
                .setCluster("tiny")
                .setChargeId(id)
                .setIteration(7)
                .setObjectType("job")
                .setObjectId("42")
                .setAccount("jupiter")
                .setUser("ann")
                .setStart(Instant.parse("2026-03-01T10:00:00Z"))
                .setEnd(Instant.parse("2026-03-01T11:00:00Z"))
                .setReservedProcSeconds(0)
                .setUsedProcSeconds(7_200)
                .setProcessorSeconds(7_200)
                .setAmountMillis(7_200_000)
                .setRateMillis(1_000)
                .setTime(Instant.parse("2026-03-01T11:00:05Z"))
                .setNodes(List.of("n1", "n2"));
    }
}
