package io.weir.scheduler.core.recovery;

import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.schemas.NameValue;
import io.weir.schemas.bound.Bound;
import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How requests to the failure service are answered. Each answer ends its request. */
final class RecoveryAnswers {
    /** What is said again of a request. */
    private static final Bound.Prose VALUE = new Bound.Prose(Limit.NAME_LENGTH, false);

    private final IterationOutputs outputs;

    RecoveryAnswers(IterationOutputs outputs) {
        this.outputs = outputs;
    }

    /**
     * Refuses a request.
     *
     * @param value what the error is about, as the failure service's clients read it; null for nothing
     * @return true, for the request is answered
     */
    boolean refuse(AuthorisedRequest request, RecoveryError error, String why, @Nullable String value) {
        List<NameValue> details = new ArrayList<>();
        details.add(new NameValue("error", error.name()));
        if (value != null) {
            details.add(new NameValue("value", VALUE.cut(value)));
        }
        outputs.refused(request, error + ": " + why, details);
        return true;
    }

    /** Returns the words of another as an answer may give them. */
    String cut(String words) {
        return VALUE.cut(words);
    }

    /** Grants a request; returns true, for it is answered. */
    boolean grant(AuthorisedRequest request, String message, List<NameValue> details) {
        outputs.answered(request, message, details);
        return true;
    }
}
