package io.weir.scheduler.simulator;

import io.weir.scheduler.core.output.LienRequests;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.TriggerFiring;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The allocation manager of a simulated cluster, which sets aside what every job will cost. Stateless. */
final class GrantedLiens {
    private GrantedLiens() {}

    /** Returns the answer to {@code output}, given at {@code now}; null when that asks for no lien. */
    static @Nullable DeliveryResult answer(Output output, Instant now) {
        if (!(output.value() instanceof TriggerFiring firing)
                || !firing.getActionType().equals(LienRequests.LIEN)) {
            return null;
        }
        return DeliveryResult.newBuilder()
                .setCluster(firing.getCluster())
                .setDeliveryId(firing.getFiringId())
                .setChannel("simulated")
                .setOutcome(DeliveryOutcome.DELIVERED)
                .setAttempts(1)
                .setTime(now)
                .setKind("firing")
                .setTriggerId(firing.getTriggerId())
                .build();
    }
}
