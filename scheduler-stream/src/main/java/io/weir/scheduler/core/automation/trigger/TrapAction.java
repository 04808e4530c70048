package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.trigger.Substitution.Place;
import io.weir.scheduler.core.trigger.action.Trap;
import io.weir.scheduler.core.trigger.action.UnfitActionException;
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
    public TriggerOutcome begin(TriggerOccasion occasion) throws UnfitActionException {
        Trap trap = Trap.read(occasion.spec().action());
        String said = trap.text();
        String text = said == null ? "$OTYPE $OID $ETYPE" : said;
        return new TriggerOutcome.Sent(outputs.firing(FiringBuilder.of(occasion)
                .setTarget(trap.host())
                .setAction(occasion.substitution().expand(text, Place.LINE))
                .setSettings(List.of(
                        new NameValue("community", trap.community()),
                        new NameValue("oid", trap.oid()),
                        new NameValue("event", occasion.due().instance().event()),
                        new NameValue("severity", occasion.severity().name().toLowerCase(Locale.ROOT))))
                .setBody(occasion.substitution().expand(text, Place.LINE))));
    }
}
