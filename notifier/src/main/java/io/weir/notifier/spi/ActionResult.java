package io.weir.notifier.spi;

import java.util.Map;
import java.util.Optional;

/**
 * What came of an action. Immutable.
 *
 * @param outcome done, failed or refused
 * @param message one line for people
 * @param code exit code, or status of the answer; empty when there was none
 * @param output beginning of what was said
 * @param errors beginning of what was complained of
 * @param variables values of the variables that were wanted, in the order of their names
 */
public record ActionResult(
        Outcome outcome,
        String message,
        Optional<Integer> code,
        Optional<String> output,
        Optional<String> errors,
        Map<String, String> variables) {

    /** Whether an action did what it should. */
    public enum Outcome {
        DONE,
        /** Carried out, without success. */
        FAILED,
        /** Not carried out: the settings do not allow it, or it makes no sense. */
        REFUSED
    }

    public ActionResult {
        variables = Map.copyOf(variables);
    }

    /** An action that was done, or failed, and of which there is no more to say. */
    public static ActionResult of(Outcome outcome, String message) {
        return new ActionResult(outcome, message, Optional.empty(), Optional.empty(), Optional.empty(), Map.of());
    }
}
