package io.weir.scheduler.core.nonstop;

import io.weir.scheduler.state.RecoveryStep;

/**
 * What a job is being given or relieved of, from the command until its result. Immutable.
 *
 * @param kind what is done
 * @param requestId request that asked for it
 * @param nodeId node that leaves; empty for none
 * @param replacement node that comes; empty for none
 * @param spare whether that was a hot spare
 * @param minutes minutes the time limit is extended by
 * @param limitSeconds time limit asked for, seconds
 * @param stage what is waited for
 * @param command number of the command that is waited for
 * @param outcome what it came to
 * @param reason why it failed; empty where it did not
 */
public record Recovery(
        Kind kind,
        String requestId,
        String nodeId,
        String replacement,
        boolean spare,
        long minutes,
        long limitSeconds,
        Stage stage,
        long command,
        Outcome outcome,
        String reason) {
    /** What is done. */
    public enum Kind {
        /** A node takes the place of another. */
        REPLACE,
        /** A node leaves. */
        DROP,
        /** The time limit grows. */
        EXTEND
    }

    /** What is waited for. */
    public enum Stage {
        /** The replacement joins. */
        ADDING,
        /** The lost node leaves. */
        REMOVING,
        /** The time limit changes. */
        EXTENDING
    }

    /** What it came to. */
    public enum Outcome {
        /** It goes on. */
        OPEN,
        /** The resource manager did it. */
        DONE,
        /** It did not. */
        FAILED
    }

    /** A replacement whose node is being added. */
    public static Recovery replacing(String requestId, String nodeId, String replacement, boolean spare, long command) {
        return new Recovery(
                Kind.REPLACE, requestId, nodeId, replacement, spare, 0, 0, Stage.ADDING, command, Outcome.OPEN, "");
    }

    /** A replacement that joined before; the node it replaced is being removed once more. */
    public static Recovery removingAgain(String requestId, String nodeId, String replacement, long command) {
        return new Recovery(
                Kind.REPLACE, requestId, nodeId, replacement, false, 0, 0, Stage.REMOVING, command, Outcome.OPEN, "");
    }

    /** A node that is being removed. */
    public static Recovery dropping(String requestId, String nodeId, long command) {
        return new Recovery(Kind.DROP, requestId, nodeId, "", false, 0, 0, Stage.REMOVING, command, Outcome.OPEN, "");
    }

    /** A time limit that is being extended. */
    public static Recovery extending(String requestId, long minutes, long limitSeconds, long command) {
        return new Recovery(
                Kind.EXTEND,
                requestId,
                "",
                "",
                false,
                minutes,
                limitSeconds,
                Stage.EXTENDING,
                command,
                Outcome.OPEN,
                "");
    }

    /** The lost node leaves now that its replacement has joined. */
    public Recovery removing(long number) {
        return new Recovery(
                kind,
                requestId,
                nodeId,
                replacement,
                spare,
                minutes,
                limitSeconds,
                Stage.REMOVING,
                number,
                Outcome.OPEN,
                "");
    }

    /** The resource manager answered. */
    public Recovery answered(boolean done, String why) {
        return new Recovery(
                kind,
                requestId,
                nodeId,
                replacement,
                spare,
                minutes,
                limitSeconds,
                stage,
                command,
                done ? Outcome.DONE : Outcome.FAILED,
                why);
    }

    static Recovery from(RecoveryStep stored) {
        return new Recovery(
                Kind.valueOf(stored.getKind()),
                stored.getRequestId(),
                stored.getNodeId(),
                stored.getReplacement(),
                stored.getSpare(),
                stored.getMinutes(),
                stored.getLimitSeconds(),
                Stage.valueOf(stored.getStage()),
                stored.getCommand(),
                Outcome.valueOf(stored.getOutcome()),
                stored.getReason());
    }

    RecoveryStep toRecord() {
        return new RecoveryStep(
                kind.name(),
                requestId,
                nodeId,
                replacement,
                spare,
                minutes,
                limitSeconds,
                stage.name(),
                command,
                outcome.name(),
                reason);
    }
}
