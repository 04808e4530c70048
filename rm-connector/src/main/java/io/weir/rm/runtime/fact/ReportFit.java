package io.weir.rm.runtime.fact;

import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeReport;
import io.weir.schemas.bound.Breach;
import io.weir.schemas.bound.FactBounds;
import io.weir.schemas.bound.Fields;
import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves out of reports what breaks a bound, so that the scheduler hears the rest. A field without a default stays, and the
 * scheduler refuses the report. A job that waits is held when something of it was left out, for it might start where it must
 * not. One thread.
 */
final class ReportFit {
    private static final Logger log = LoggerFactory.getLogger(ReportFit.class);

    /** How many fields broke a bound in the last report of each node and job that had such, by kind and id. */
    private final Map<Subject, Integer> unfit = new HashMap<>();

    private record Subject(String kind, String id) {}

    /** Returns the report of a node as it is published. */
    NodeReport fitted(NodeReport report) {
        List<Breach> breaches = new ArrayList<>();
        NodeReport fitted = fitted(report, breaches);
        note(new Subject("node", report.getNodeId()), breaches);
        return fitted;
    }

    /** Returns the report of a job as it is published. */
    JobReport fitted(JobReport report) {
        List<Breach> breaches = new ArrayList<>();
        JobReport fitted = fitted(report, breaches);
        note(new Subject("job", report.getJobId()), breaches);
        if (breaches.isEmpty()) {
            return fitted;
        }
        List<String> problems = new ArrayList<>(fitted.getProblems());
        breaches.forEach(breach -> problems.add(breach.message() + "; left out"));
        JobReport.Builder told = JobReport.newBuilder(fitted)
                .setProblems(List.copyOf(problems.subList(0, Math.min(Limit.MESSAGES, problems.size()))));
        if (report.getState() == JobState.IDLE) {
            told.setState(JobState.HOLD)
                    .setReason("the job cannot be reported as it is: "
                            + breaches.get(0).message());
        }
        return told.build();
    }

    /** Forgets all nodes and jobs but those of a poll. */
    void keep(Collection<NodeReport> nodes, Collection<JobReport> jobs) {
        if (unfit.isEmpty()) {
            return;
        }
        Map<Subject, Integer> left = new HashMap<>();
        nodes.forEach(node -> keep(new Subject("node", node.getNodeId()), left));
        jobs.forEach(job -> keep(new Subject("job", job.getJobId()), left));
        unfit.keySet().retainAll(left.keySet());
    }

    private void keep(Subject subject, Map<Subject, Integer> left) {
        @Nullable Integer fields = unfit.get(subject);
        if (fields != null) {
            left.put(subject, fields);
        }
    }

    /** Returns how many fields of the reports in force broke a bound. */
    long count() {
        return unfit.values().stream().mapToLong(Integer::longValue).sum();
    }

    private void note(Subject subject, List<Breach> breaches) {
        if (breaches.isEmpty()) {
            unfit.remove(subject);
        } else {
            unfit.put(subject, breaches.size());
            breaches.forEach(breach -> log.warn(
                    "{}={} report breaks a bound of the scheduler: {}",
                    subject.kind(),
                    subject.id(),
                    breach.message()));
        }
    }

    private static <T extends SpecificRecord> T fitted(T report, List<Breach> breaches) {
        @Nullable Fields bounds = FactBounds.of(report);
        if (bounds == null) {
            return report;
        }
        T fitted = report;
        for (Breach breach = bounds.check(fitted); breach != null; breach = bounds.check(fitted)) {
            breaches.add(breach);
            Optional<Schema.Field> field = culprit(fitted, bounds, breach);
            if (field.isEmpty() || breaches.size() > bounds.fields().size()) {
                return report;
            }
            fitted = SpecificData.get().deepCopy(fitted.getSchema(), fitted);
            fitted.put(field.get().pos(), SpecificData.get().getDefaultValue(field.get()));
        }
        return fitted;
    }

    /** Returns the field to leave out: the one that breaks its bound, or the longest of those that are too long together. */
    private static Optional<Schema.Field> culprit(SpecificRecord report, Fields bounds, Breach breach) {
        String name = breach.place().split("[.\\[]", 2)[0];
        Schema schema = report.getSchema();
        if (schema.getField(name) != null) {
            return Optional.of(schema.getField(name)).filter(Schema.Field::hasDefaultValue);
        }
        Schema.@Nullable Field longest = null;
        int most = 0;
        for (Fields.Field candidate : bounds.fields()) {
            Schema.Field field = schema.getField(candidate.name());
            int length = String.valueOf(report.get(candidate.position())).length();
            if (candidate.counted() && field.hasDefaultValue() && length > most) {
                most = length;
                longest = field;
            }
        }
        return Optional.ofNullable(longest);
    }
}
