package io.weir.scheduler.core.request.form;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.weir.scheduler.core.policy.language.value.PolicyTime;
import org.jspecify.annotations.Nullable;

/**
 * What an operator says of a message that he attaches to a node, in the name of the argument: {@code
 * message[:PRIORITY[:EXPIRY]]}.
 *
 * @param priority how much it matters, from -{@value #MOST_PRIORITY} to {@value #MOST_PRIORITY}
 * @param seconds how long it stays, at least 1; {@link #FOREVER} until it is cleared
 */
public record MessageTerms(int priority, long seconds) {
    /** The argument without what is said of the message. */
    public static final String NAME = "message";

    /** The largest priority, and the smallest with its sign turned. */
    public static final int MOST_PRIORITY = 1_000_000;

    /** Stands for no end. */
    public static final long FOREVER = 0;

    /** What is needed. */
    public static final String FORM = "message[:PRIORITY[:EXPIRY]] with a PRIORITY from -" + MOST_PRIORITY + " to "
            + MOST_PRIORITY + " and an EXPIRY [[[DD:]HH:]MM:]SS from 1 second to 100 years";

    private static final MessageTerms NOTHING_SAID = new MessageTerms(0, FOREVER);

    private static final Pattern SUFFIX = Pattern.compile("(-?[0-9]{1,7})(?::([0-9:]{1,48}))?");

    /** Returns whether {@code argument} is a message, whatever is said of it. */
    public static boolean isMessage(String argument) {
        String name = ArgumentForm.lower(argument);
        return name.equals(NAME) || name.startsWith(NAME + ":");
    }

    /** Reads the name of an argument that {@link #isMessage is a message}; null where what is said of it is not understood. */
    public static @Nullable MessageTerms parse(String argument) {
        if (argument.length() == NAME.length()) {
            return NOTHING_SAID;
        }
        Matcher suffix = SUFFIX.matcher(argument.substring(NAME.length() + 1));
        if (!suffix.matches()) {
            return null;
        }
        int priority = Integer.parseInt(suffix.group(1));
        String expiry = suffix.group(2);
        long seconds = expiry == null ? FOREVER : PolicyTime.seconds(expiry);
        boolean never = expiry != null && seconds < 1;
        return never || Math.abs(priority) > MOST_PRIORITY ? null : new MessageTerms(priority, seconds);
    }

    /** Returns the name of the argument in its normal form, with EXPIRY in seconds. */
    public String argument() {
        return NAME + (equals(NOTHING_SAID) ? "" : ":" + priority) + (seconds == FOREVER ? "" : ":" + seconds);
    }
}
