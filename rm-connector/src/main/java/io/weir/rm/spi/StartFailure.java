package io.weir.rm.spi;

import java.io.IOException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why a program could not be started. Most reasons pass: too many processes or open files, too little memory, a file that is being
 * replaced.
 *
 * @param error number of the operating system's error; 0 when it gave none
 */
public record StartFailure(int error) {
    private static final Pattern ERROR = Pattern.compile("error=(\\d{1,9})");

    private static final int NO_SUCH_FILE = 2;
    private static final int TOO_LONG = 7;
    private static final int NO_PROGRAM = 8;
    private static final int NOT_ALLOWED = 13;
    private static final int NO_DIRECTORY = 20;

    private static final Set<Integer> UNUSABLE = Set.of(NO_SUCH_FILE, NO_PROGRAM, NOT_ALLOWED, NO_DIRECTORY);

    /** Reads what {@link ProcessBuilder#start} says. */
    public static StartFailure of(IOException failure) {
        Matcher error = ERROR.matcher(String.valueOf(failure.getMessage()));
        return new StartFailure(error.find() ? Integer.parseInt(error.group(1)) : 0);
    }

    /** Says whether the program was given more than any may be given. */
    public boolean isTooLong() {
        return error == TOO_LONG;
    }

    /** Says whether there is no such program, or none that may be run. */
    public boolean isUnusable() {
        return UNUSABLE.contains(error);
    }
}
