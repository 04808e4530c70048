package io.weir.command.nonstop;

import io.weir.nonstop.client.FailureServiceException;

/** What {@code smd} tells the shell. */
final class SmdExit {
    /** Done, or nothing failed. */
    static final int FINE = 0;

    /** The job was ended, or nodes could not be replaced. */
    static final int UNRECOVERED = 1;

    /** The command line or a directive cannot be used. */
    static final int BAD_INPUT = 2;

    /** Nodes failed and no directive says what to do. */
    static final int UNHANDLED = 3;

    /** The caller may not. */
    static final int NOT_PERMITTED = 4;

    /** Neither the service nor its backup can be reached. */
    static final int UNREACHABLE = 5;

    /** The service refused. */
    static final int REFUSED = 6;

    private SmdExit() {}

    /** Returns the code for an error of the service. */
    static int of(FailureServiceException failure) {
        return switch (failure.code()) {
            case "EPERM", "EUID" -> NOT_PERMITTED;
            case FailureServiceException.UNREACHABLE, "ESERVICE" -> UNREACHABLE;
            default -> REFUSED;
        };
    }
}
