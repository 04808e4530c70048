package io.weir.scheduler.core.request;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.weir.scheduler.core.mark.Annotations;
import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The variables and metrics of a node or job in the making, as a request changes them, and the events it raises. Each
 * change returns what is wrong with it, or null.
 */
final class AnnotationEdit {
    private static final Pattern METRIC = Pattern.compile("(?i)gmetric\\[([^\\]]+)]");
    private static final Pattern ASSIGNMENT = Pattern.compile("([A-Za-z_][\\w.:-]*)(?:=(.*))?", Pattern.DOTALL);

    private final String owner;
    private final List<String> done = new ArrayList<>();
    private final List<GenericEventText> events = new ArrayList<>();
    private Annotations annotations;

    /** Begins with {@code annotations} of {@code owner}, such as "job 17". */
    AnnotationEdit(String owner, Annotations annotations) {
        this.owner = owner;
        this.annotations = annotations;
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

    Annotations annotations() {
        return annotations;
    }

    /** Returns the events to raise, in the order given. */
    List<GenericEventText> events() {
        return events;
    }

    /** Takes all variables away. */
    void clearVariables() {
        annotations = annotations.withoutVariables();
    }

    /** Takes all metrics away. */
    void clearMetrics() {
        annotations = annotations.withoutMetrics();
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
        Annotations changed = annotations.metric(name, value);
        String problem = tooMuch(changed);
        if (problem == null) {
            annotations = changed;
            done.add("gmetric " + name + " set to " + value);
        }
        return problem;
    }

    private @Nullable String tooMuch(Annotations changed) {
        return changed.fits()
                ? null
                : owner + " would have more than " + Annotations.MOST + " variables and gmetrics, or "
                        + Annotations.MOST_TEXT + " characters in them; remove others first";
    }

    @Nullable
    String removeMetric(String name) {
        if (!annotations.metrics().containsKey(name)) {
            return "nobody attached gmetric " + name + " to " + owner;
        }
        annotations = annotations.metric(name, null);
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
            Annotations changed = annotations.variable(name, form.group(2) == null ? "" : form.group(2));
            String problem = tooMuch(changed);
            if (problem == null) {
                annotations = changed;
                done.add("variable " + name + " set");
            }
            return problem;
        }
        if (!annotations.variables().containsKey(name)) {
            return "nobody attached variable " + name + " to " + owner;
        }
        annotations = annotations.variable(name, null);
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
