package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.trigger.Substitution.Place;
import io.weir.schemas.NameValue;
import java.util.List;
import java.util.Locale;

/** AType snmp: {@code host[:port] community oid [text]}. */
final class TrapAction implements TriggerAction {
    private final IterationOutputs outputs;

    TrapAction(IterationOutputs outputs) {
        this.outputs = outputs;
    }

    @Override
    public TriggerOutcome begin(TriggerOccasion occasion) {
        String[] parts = occasion.spec().action().strip().split(" ", 4);
        if (parts.length < 3) {
            return new TriggerOutcome.Done(
                    false, "snmp is '" + occasion.spec().action() + "'; host[:port] community oid [text] is needed");
        }
        String text = parts.length > 3 ? parts[3] : "$OTYPE $OID $ETYPE";
        return new TriggerOutcome.Sent(outputs.firing(FiringBuilder.of(occasion)
                .setTarget(parts[0])
                .setAction(occasion.substitution().expand(text, Place.LINE))
                .setSettings(List.of(
                        new NameValue("community", parts[1]),
                        new NameValue("oid", parts[2]),
                        new NameValue("event", occasion.due().instance().event()),
                        new NameValue("severity", occasion.severity().name().toLowerCase(Locale.ROOT))))
                .setBody(occasion.substitution().expand(text, Place.LINE))));
    }
}
