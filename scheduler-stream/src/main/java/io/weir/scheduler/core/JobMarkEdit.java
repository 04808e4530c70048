package io.weir.scheduler.core;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.mark.Marks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The marks of a job in the making, as a request changes them, and the events it raises about the job. A value may have a
 * sign in front: a minus takes away what it names.
 */
final class JobMarkEdit {
    private final MarkEdit marks;

    JobMarkEdit(Job job) {
        marks = new MarkEdit("job " + job.id(), job.marks());
    }

    /** Returns whether {@code attribute} is one of these. */
    static boolean isMark(String attribute) {
        return attribute.equalsIgnoreCase("variable")
                || attribute.equalsIgnoreCase("gevent")
                || MarkEdit.metricName(attribute) != null;
    }

    /** Returns what changed, in words. */
    List<String> done() {
        return marks.done();
    }

    Marks marks() {
        return marks.marks();
    }

    /** Returns the events to raise, in the order given. */
    List<GenericEventText> events() {
        return marks.events();
    }

    /** Sets, takes away or raises; returns what is wrong with it, or null. */
    @Nullable
    String change(String attribute, String value) {
        String metric = MarkEdit.metricName(attribute);
        if (metric != null) {
            boolean remove = value.isEmpty() || value.equals("-");
            return remove ? marks.removeMetric(metric) : marks.setMetric(metric, value);
        }
        if (attribute.equalsIgnoreCase("gevent")) {
            return marks.event(value);
        }
        boolean remove = value.startsWith("-");
        return marks.variable(remove || value.startsWith("+") ? value.substring(1) : value, remove);
    }
}
