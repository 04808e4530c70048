package io.weir.scheduler.core;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobMarks;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The marks of a job in the making, as a request changes them, and the events it raises about the job. A value may have a
 * sign in front: a minus takes away what it names.
 */
final class JobMarkEdit {
    private static final Pattern METRIC = Pattern.compile("(?i)gmetric\\[([^\\]]+)]");
    private static final Pattern ASSIGNMENT = Pattern.compile("([A-Za-z_][\\w.:-]*)(?:=(.*))?", Pattern.DOTALL);

    private final Job job;
    private final List<String> done = new ArrayList<>();
    private final List<GenericEventText> events = new ArrayList<>();
    private JobMarks marks;

    JobMarkEdit(Job job) {
        this.job = job;
        marks = job.marks();
    }

    /** Returns whether {@code attribute} is one of these. */
    static boolean isMark(String attribute) {
        return attribute.equalsIgnoreCase("variable")
                || attribute.equalsIgnoreCase("gevent")
                || METRIC.matcher(attribute).matches();
    }

    /** Returns what changed, in words. */
    List<String> done() {
        return done;
    }

    JobMarks marks() {
        return marks;
    }

    /** Returns the events to raise, in the order given. */
    List<GenericEventText> events() {
        return events;
    }

    /** Sets, takes away or raises; returns what is wrong with it, or null. */
    @Nullable
    String change(String attribute, String value) {
        Matcher metric = METRIC.matcher(attribute);
        if (metric.matches()) {
            return metric(metric.group(1), value);
        }
        return attribute.equalsIgnoreCase("gevent") ? event(value) : variable(value);
    }

    private @Nullable String metric(String name, String text) {
        if (text.isEmpty() || text.equals("-")) {
            if (!marks.metrics().containsKey(name)) {
                return "nobody attached gmetric " + name + " to job " + job.id();
            }
            marks = marks.metric(name, null);
            done.add("gmetric " + name + " removed");
            return null;
        }
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            value = Double.NaN;
        }
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return "gmetric[" + name + "] is '" + text + "'; a number is needed";
        }
        marks = marks.metric(name, value);
        done.add("gmetric " + name + " set to " + value);
        return null;
    }

    private @Nullable String variable(String text) {
        boolean remove = text.startsWith("-");
        String plain = remove || text.startsWith("+") ? text.substring(1) : text;
        Matcher form = ASSIGNMENT.matcher(plain);
        if (!form.matches()) {
            return "variable is '" + plain + "'; NAME or NAME=VALUE is needed";
        }
        String name = form.group(1);
        if (!remove) {
            marks = marks.variable(name, form.group(2) == null ? "" : form.group(2));
            done.add("variable " + name + " set");
        } else if (marks.variables().containsKey(name)) {
            marks = marks.variable(name, null);
            done.add("variable " + name + " removed");
        } else {
            return "nobody attached variable " + name + " to job " + job.id();
        }
        return null;
    }

    private @Nullable String event(String text) {
        GenericEventText event = GenericEventText.parse(text);
        if (event == null) {
            return "gevent is '" + text + "'; NAME or NAME:'TEXT' is needed";
        }
        events.add(event);
        done.add("event " + event.name() + " raised");
        return null;
    }
}
