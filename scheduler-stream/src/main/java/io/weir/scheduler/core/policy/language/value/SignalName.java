package io.weir.scheduler.core.policy.language.value;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Signals to the processes of jobs: names of POSIX and Linux, with or without SIG in any case, and numbers from 1 to 64. */
public final class SignalName {
    private static final Pattern FORM =
            Pattern.compile("(?:SIG)?(HUP|INT|QUIT|ILL|TRAP|ABRT|BUS|FPE|KILL|USR1|SEGV|USR2|PIPE|ALRM|TERM|CHLD|CONT|"
                    + "STOP|TSTP|TTIN|TTOU|URG|XCPU|XFSZ|VTALRM|PROF|WINCH|IO|PWR|SYS|"
                    + "RTMIN(?:\\+[0-9]{1,2})?|RTMAX(?:-[0-9]{1,2})?)|([1-9]|[1-5][0-9]|6[0-4])");

    private SignalName() {}

    /** Returns the signal that {@code text} names as resource managers take it, without SIG or as a number; null for none. */
    public static @Nullable String of(String text) {
        Matcher form = FORM.matcher(text.toUpperCase(Locale.ROOT));
        if (!form.matches()) {
            return null;
        }
        String name = form.group(1);
        return name == null ? form.group(2) : name;
    }
}
