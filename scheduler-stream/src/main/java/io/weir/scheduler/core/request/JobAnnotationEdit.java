package io.weir.scheduler.core.request;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.mark.Annotations;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The annotations of a job in the making, as a request changes them, and the events it raises about the job. A value may have a
 * sign in front: a minus takes away what it names.
 */
final class JobAnnotationEdit {
    private final AnnotationEdit annotations;

    JobAnnotationEdit(Job job) {
        annotations = new AnnotationEdit("job " + job.id(), job.annotations());
    }

    /** Returns whether {@code attribute} is one of these. */
    static boolean isMark(String attribute) {
        return attribute.equalsIgnoreCase("variable")
                || attribute.equalsIgnoreCase("gevent")
                || AnnotationEdit.metricName(attribute) != null;
    }

    /** Returns what changed, in words. */
    List<String> done() {
        return annotations.done();
    }

    Annotations annotations() {
        return annotations.annotations();
    }

    /** Returns the events to raise, in the order given. */
    List<GenericEventText> events() {
        return annotations.events();
    }

    /** Sets, takes away or raises; returns what is wrong with it, or null. */
    @Nullable
    String change(String attribute, String value) {
        String metric = AnnotationEdit.metricName(attribute);
        if (metric != null) {
            boolean remove = value.isEmpty() || value.equals("-");
            return remove ? annotations.removeMetric(metric) : annotations.setMetric(metric, value);
        }
        if (attribute.equalsIgnoreCase("gevent")) {
            return annotations.event(value);
        }
        boolean remove = value.startsWith("-");
        return annotations.variable(remove || value.startsWith("+") ? value.substring(1) : value, remove);
    }
}
