package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.automation.Recipients;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.trigger.Substitution.Place;
import io.weir.schemas.NameValue;
import java.util.List;

/** AType mail: {@code body}, or {@code subject|body}; to the owner of a job or reservation, else to the administrator. */
final class MailAction implements TriggerAction {
    private static final String SUBJECT = "Weir update";

    private final IterationOutputs outputs;
    private final Recipients recipients;

    MailAction(IterationOutputs outputs, Recipients recipients) {
        this.outputs = outputs;
        this.recipients = recipients;
    }

    @Override
    public TriggerOutcome begin(TriggerOccasion occasion) {
        String text = occasion.spec().action();
        int bar = text.indexOf('|');
        String subject = bar < 0 ? SUBJECT : occasion.substitution().expand(text.substring(0, bar), Place.LINE);
        String owner = occasion.due().object().owner();
        List<String> administrators = recipients.administrators();
        return new TriggerOutcome.Sent(outputs.firing(FiringBuilder.of(occasion)
                .setSettings(List.of(new NameValue("subject", subject)))
                .setBody(occasion.substitution().expand(text.substring(bar + 1), Place.TEXT))
                .setRecipients(
                        owner != null
                                ? List.of(recipients.address(owner))
                                : administrators.subList(0, Math.min(1, administrators.size())))));
    }
}
