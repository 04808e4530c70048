package io.weir.rm.nativerm.call;

/** A call got no complete answer. What it was to do may have been done or not, unless it {@link #neverBegan}. */
public class NoReplyException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean neverBegan;

    private NoReplyException(String message, boolean neverBegan, Throwable cause) {
        super(message, cause);
        this.neverBegan = neverBegan;
    }

    private NoReplyException(String message, boolean neverBegan) {
        super(message);
        this.neverBegan = neverBegan;
    }

    /** The call may have had an effect. */
    static NoReplyException midway(String message) {
        return new NoReplyException(message, false);
    }

    /** The call may have had an effect. */
    static NoReplyException midway(String message, Throwable cause) {
        return new NoReplyException(message, false, cause);
    }

    /** Nothing was called, and a person has to do something about it. */
    static NoReplyException neverBegan(String message) {
        return new NoReplyException(message, true);
    }

    /** Nothing was called, and a person has to do something about it. */
    static NoReplyException neverBegan(String message, Throwable cause) {
        return new NoReplyException(message, true, cause);
    }

    /** Returns whether nothing was called at all. */
    public boolean neverBegan() {
        return neverBegan;
    }
}
