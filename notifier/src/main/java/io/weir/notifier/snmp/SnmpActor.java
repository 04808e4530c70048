package io.weir.notifier.snmp;

import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.OneLine;
import io.weir.notifier.spi.RetriableDeliveryException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Sends the trap of an action to the receiver that its trigger names, if that is listed. Closes its receivers. */
final class SnmpActor implements Actor {

    private final Map<String, Actor> receivers;

    /** Creates an actor; {@code receivers} are by what triggers call them, in lower case. */
    SnmpActor(Map<String, Actor> receivers) {
        this.receivers = new LinkedHashMap<>(receivers);
    }

    @Override
    public ActionResult carryOut(Action action) throws RetriableDeliveryException, InterruptedException {
        Actor receiver = receivers.get(action.target().toLowerCase(Locale.ROOT));
        return receiver == null
                ? ActionResult.of(
                        ActionResult.Outcome.REFUSED, OneLine.of("action.snmp.hosts does not list " + action.target()))
                : receiver.carryOut(action);
    }

    @Override
    public boolean repeatable() {
        return true;
    }

    @Override
    public void close() {
        receivers.values().forEach(Actor::close);
    }
}
