package io.weir.scheduler.core.automation.response;

import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.schemas.Severity;
import java.util.List;

/** RECORD: the event goes to the channels as it would without configuration, for whomever they are for. */
final class RecordLine implements EventResponse {
    private final IterationOutputs outputs;

    RecordLine(IterationOutputs outputs) {
        this.outputs = outputs;
    }

    @Override
    public void respond(Occasion occasion) {
        outputs.notices()
                .tell(
                        occasion.rule().severity() == 0
                                ? Severity.INFO
                                : occasion.rule().level(),
                        occasion.name(),
                        occasion.objectType(),
                        occasion.objectId(),
                        occasion.text(),
                        List.of(),
                        null,
                        Math.max(1, occasion.event().total()));
    }
}
