package io.weir.command.slurm;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Lengths of time as Slurm's commands write them: {@code [[days-]hours:]minutes:seconds}. */
final class SlurmMinutes {
    private static final Pattern FORM = Pattern.compile("(?:(?:(\\d{1,6})-)?(\\d{1,6}):)?(\\d{1,9}):\\d\\d");

    private SlurmMinutes() {}

    /** Returns the whole minutes of {@code text}; empty where it is no length of time, such as {@code UNLIMITED}. */
    static OptionalLong of(String text) {
        Matcher form = FORM.matcher(text);
        return form.matches()
                ? OptionalLong.of((number(form.group(1)) * 24 + number(form.group(2))) * 60 + number(form.group(3)))
                : OptionalLong.empty();
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
