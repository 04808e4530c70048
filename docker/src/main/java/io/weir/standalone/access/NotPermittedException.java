package io.weir.standalone.access;

import java.nio.file.Path;

/** This user may not use what lies in a data directory. */
public final class NotPermittedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private NotPermittedException(String message) {
        super(message);
    }

    /** Something in a data directory that its owner alone may read. */
    public static NotPermittedException unreadable(Path path) {
        return new NotPermittedException(
                path + " cannot be read: run the command as the user who started Weir, or use an"
                        + " account you were given (--server with --token-file, or --bootstrap-server with --client-config)");
    }

    /** The broker refuses {@code what} to the account that was used; {@code why} is its own word. */
    public static NotPermittedException refused(String what, String why) {
        return new NotPermittedException(
                what + " is the administrator's, and the broker does not take the account that was" + " used for one: "
                        + why);
    }

    /** A directory that others can change, and that is not Weir's to close. */
    public static NotPermittedException open(Path path) {
        return new NotPermittedException(path + " can be changed by others and holds other things than Weir's:"
                + " choose a directory of its own with --data");
    }

    /** A data directory of somebody else. */
    static NotPermittedException foreign(Path path, String owner) {
        return new NotPermittedException(
                path + " belongs to " + owner + ": run this as that user, or choose another directory with --data");
    }
}
