package io.weir.scheduler.core.request;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.weir.scheduler.core.policy.language.value.EventName;
import org.jspecify.annotations.Nullable;

/**
 * An event as operators raise it: {@code name}, or {@code name:'text'}.
 *
 * @param name name of the event
 * @param text what happened; empty for nothing more
 */
record GenericEventText(String name, String text) {
    private static final Pattern FORM =
            Pattern.compile("([A-Za-z_][\\w.-]*)(?::(?:'(.*)'|\"(.*)\"|(.*)))?", Pattern.DOTALL);

    /** Reads {@code text}; null when it is no event. */
    static @Nullable GenericEventText parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return null;
        }
        String name = EventName.of(form.group(1));
        for (int group = 2; group <= 4; group++) {
            if (form.group(group) != null) {
                return new GenericEventText(name, form.group(group));
            }
        }
        return new GenericEventText(name, "");
    }
}
