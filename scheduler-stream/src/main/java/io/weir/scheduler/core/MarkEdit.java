package io.weir.scheduler.core;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.weir.scheduler.core.bound.Limit;
import io.weir.scheduler.core.mark.Marks;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The variables and metrics of a node or job in the making, as a request changes them, and the events it raises. Each
 * change returns what is wrong with it, or null.
 */
final class MarkEdit {
    private static final Pattern METRIC = Pattern.compile("(?i)gmetric\\[([^\\]]+)]");
    private static final Pattern ASSIGNMENT = Pattern.compile("([A-Za-z_][\\w.:-]*)(?:=(.*))?", Pattern.DOTALL);

    private final String owner;
    private final List<String> done = new ArrayList<>();
    private final List<GenericEventText> events = new ArrayList<>();
    private Marks marks;

    /** Begins with {@code marks} of {@code owner}, such as "job 17". */
    MarkEdit(String owner, Marks marks) {
        this.owner = owner;
        this.marks = marks;
    }

    /** Returns NAME of {@code gmetric[NAME]}; null when {@code attribute} is something else. */
    static @Nullable String metricName(String attribute) {
        Matcher metric = METRIC.matcher(attribute);
        return metric.matches() ? metric.group(1) : null;
    }

    /** Returns what changed, in words; open to more. */
    List<String> done() {
        return done;
    }

    Marks marks() {
        return marks;
    }

    /** Returns the events to raise, in the order given. */
    List<GenericEventText> events() {
        return events;
    }

    /** Takes all variables away. */
    void clearVariables() {
        marks = marks.withoutVariables();
    }

    /** Takes all metrics away. */
    void clearMetrics() {
        marks = marks.withoutMetrics();
    }

    @Nullable
    String setMetric(String name, String text) {
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            value = Double.NaN;
        }
        if (!(Math.abs(value) <= Limit.MEASURED)) {
            return "gmetric[" + name + "] is '" + text + "'; a number is needed"
                    + (Double.isNaN(value) ? "" : ", from -" + Limit.MEASURED + " to " + Limit.MEASURED);
        }
        Marks changed = marks.metric(name, value);
        String problem = tooMuch(changed);
        if (problem == null) {
            marks = changed;
            done.add("gmetric " + name + " set to " + value);
        }
        return problem;
    }

    private @Nullable String tooMuch(Marks changed) {
        return changed.fits()
                ? null
                : owner + " would have more than " + Marks.MOST + " variables and gmetrics, or " + Marks.MOST_TEXT
                        + " characters in them; remove others first";
    }

    @Nullable
    String removeMetric(String name) {
        if (!marks.metrics().containsKey(name)) {
            return "nobody attached gmetric " + name + " to " + owner;
        }
        marks = marks.metric(name, null);
        done.add("gmetric " + name + " removed");
        return null;
    }

    /** Sets a variable to what stands behind the equals sign, or takes the one named away. */
    @Nullable
    String variable(String text, boolean remove) {
        Matcher form = ASSIGNMENT.matcher(text);
        if (!form.matches()) {
            return "variable is '" + text + "'; NAME or NAME=VALUE is needed";
        }
        String name = form.group(1);
        if (!remove) {
            Marks changed = marks.variable(name, form.group(2) == null ? "" : form.group(2));
            String problem = tooMuch(changed);
            if (problem == null) {
                marks = changed;
                done.add("variable " + name + " set");
            }
            return problem;
        }
        if (!marks.variables().containsKey(name)) {
            return "nobody attached variable " + name + " to " + owner;
        }
        marks = marks.variable(name, null);
        done.add("variable " + name + " removed");
        return null;
    }

    @Nullable
    String event(String text) {
        GenericEventText event = GenericEventText.parse(text);
        if (event == null) {
            return "gevent is '" + text + "'; NAME or NAME:'TEXT' is needed";
        }
        events.add(event);
        done.add("event " + event.name() + " raised");
        return null;
    }
}
