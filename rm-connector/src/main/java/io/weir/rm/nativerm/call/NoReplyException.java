package io.weir.rm.nativerm.call;

/** A call got no complete answer. What it was to do may have been done or not, unless it {@link #neverBegan}. */
public class NoReplyException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Extent extent;

    /** How far the call got. */
    private enum Extent {
        MIDWAY,
        NEVER_BEGAN,
        TOO_LONG
    }

    private NoReplyException(String message, Extent extent, Throwable cause) {
        super(message, cause);
        this.extent = extent;
    }

    private NoReplyException(String message, Extent extent) {
        super(message);
        this.extent = extent;
    }

    /** The call may have had an effect. */
    static NoReplyException midway(String message) {
        return new NoReplyException(message, Extent.MIDWAY);
    }

    /** The call may have had an effect. */
    static NoReplyException midway(String message, Throwable cause) {
        return new NoReplyException(message, Extent.MIDWAY, cause);
    }

    /** Nothing was called, and a person has to do something about it. */
    static NoReplyException neverBegan(String message) {
        return new NoReplyException(message, Extent.NEVER_BEGAN);
    }

    /** Nothing was called, and a person has to do something about it. */
    static NoReplyException neverBegan(String message, Throwable cause) {
        return new NoReplyException(message, Extent.NEVER_BEGAN, cause);
    }

    /** Nothing was called, for there is more to say than can be said. */
    static NoReplyException tooLong(String message, Throwable cause) {
        return new NoReplyException(message, Extent.TOO_LONG, cause);
    }

    /** Returns whether nothing was called at all. */
    public boolean neverBegan() {
        return extent != Extent.MIDWAY;
    }

    /** Returns whether nothing was called because there is more to say than can be said. */
    public boolean tooLong() {
        return extent == Extent.TOO_LONG;
    }
}
