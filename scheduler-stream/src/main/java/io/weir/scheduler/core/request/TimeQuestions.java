package io.weir.scheduler.core.request;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobCredentials;
import io.weir.scheduler.core.job.JobEdit;
import io.weir.scheduler.core.job.JobOptions;
import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.job.extension.JobExtension;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.plan.StartEstimator;
import io.weir.scheduler.core.plan.Window;
import io.weir.scheduler.core.policy.language.value.PolicyTime;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.request.form.StartMethod;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.RequestBudget;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Requests that ask when something could start, or what could be had at once. They change nothing. Lines of an answer are
 * {@code name=value} pairs with single blanks between; instants in ISO 8601.
 */
final class TimeQuestions {
    /** Id of the job that stands for a question about none. */
    private static final String NOBODY = "?";

    private static final long DEFAULT_SECONDS = 3_600;

    /** Stands for a window that nothing ends. */
    private static final String INFINITY = "INFINITY";

    private final ClusterState state;
    private final IterationOutputs outputs;
    private final long now;

    TimeQuestions(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        this.now = now;
    }

    /** Answers and returns what that cost, in looks at nodes. */
    long answer(AuthorisedRequest request) {
        return request.kind() == RequestKind.SHOW_BACKFILL ? showBackfill(request) : showStart(request);
    }

    private long showStart(AuthorisedRequest request) {
        Job known = state.jobs.get(request.objectId());
        Job job = known != null ? known : wished(request.objectId());
        if (job == null) {
            outputs.refused(
                    request, "no job " + request.objectId() + ", and it is no number of processors, as in 16@2:00:00");
            return 1;
        }
        if (known != null && !known.waiting()) {
            outputs.refused(request, "job " + known.id() + " does not wait but is " + known.state());
            return 1;
        }
        StartMethod method =
                Objects.requireNonNullElse(request.form().choice("method", StartMethod.class), StartMethod.RSV);
        List<NameValue> details = new ArrayList<>();
        String message = "";
        long looks = 0;
        if (method != StartMethod.PRIO) {
            StartEstimator first = state.startEstimator(now);
            estimate("rsv", job, first.earliest(job), details);
            looks += first.looks();
        }
        if (method != StartMethod.RSV) {
            StartEstimator behind = state.startEstimator(now);
            int left = 0;
            if (known == null) {
                behind.keepingReservations(null);
            } else {
                left = behind.behindTheQueue(known, RequestBudget.QUESTION);
            }
            estimate("prio", job, behind.earliest(job), details);
            looks += behind.looks();
            message = left == 0
                    ? ""
                    : "of the jobs ahead " + left + " were left out of the estimate by prio, so it may start later";
        }
        outputs.answered(request, message, details);
        return looks;
    }

    private void estimate(String method, Job job, StartEstimator.@Nullable Place place, List<NameValue> details) {
        StringBuilder line = new StringBuilder("method=").append(method);
        if (place != null) {
            line.append(" start=").append(Instant.ofEpochSecond(place.start()));
            line.append(" end=")
                    .append(Instant.ofEpochSecond(place.start() + job.request().walltimeSeconds()));
            if (!place.positions().isEmpty()) {
                line.append(" partition=")
                        .append(state.nodes.at(place.positions().get(0)).partition());
            }
            line.append(" nodes=").append(place.positions().size());
            line.append(" procs=").append(job.request().procs());
        }
        details.add(new NameValue("estimate", line.toString()));
    }

    private long showBackfill(AuthorisedRequest request) {
        long least = 0;
        String duration = text(request, "duration", "");
        if (!duration.isEmpty()) {
            least = duration.equalsIgnoreCase(INFINITY) ? PolicyTime.LONGEST : PolicyTime.seconds(duration);
        }
        long memory = number(text(request, "memory", "0"));
        long nodes = number(text(request, "nodes", "0"));
        long procs = number(text(request, "procs", "0"));
        if (least < 0 || memory < 0 || nodes < 0 || procs < 0) {
            outputs.refused(request, "duration is [[[DD:]HH:]MM:]SS or INFINITY; memory, nodes and procs are numbers");
            return 1;
        }
        List<NameValue> details = new ArrayList<>();
        String only = text(request, "partition", "");
        StartEstimator what = state.startEstimator(now).keepingReservations(null);
        for (String partition : partitions()) {
            if (only.isEmpty() || only.equals(partition)) {
                windows(what, request, partition, least, memory, nodes, procs, details);
            }
        }
        boolean all = what.looks() <= RequestBudget.QUESTION;
        outputs.answered(
                request,
                all ? "" : "there may be more windows; ask for one partition, or for a longer duration",
                details);
        return what.looks();
    }

    /**
     * For each span that a window of the whole partition lasts, or a reservation that these credentials have to stay inside,
     * finds how much they could have of it.
     */
    private void windows(
            StartEstimator what,
            AuthorisedRequest request,
            String partition,
            long least,
            long memory,
            long nodes,
            long procs,
            List<NameValue> details) {
        TreeSet<Long> spans = new TreeSet<>();
        long widest = 0;
        for (Window window : what.windows()) {
            widest = Math.max(widest, window.procs());
            spans.add(Math.min(window.seconds(), PolicyTime.LONGEST));
        }
        Job any = probe(request, partition, memory, 1, Math.max(1, least));
        boolean confined = state.access.confined(any);
        for (AdministrativeReservation reservation : state.administrativeReservations.all()) {
            boolean inside = confined && reservation.start() <= now && state.access.mayUse(any, reservation);
            long until = inside ? reservation.end() : reservation.start();
            if (until > now) {
                spans.add(Math.min(until - now, PolicyTime.LONGEST));
            }
        }
        int before = 0;
        for (long seconds : spans.descendingSet()) {
            if (seconds < Math.max(1, least) || what.looks() > RequestBudget.QUESTION) {
                break;
            }
            int tasks = most(what, request, partition, memory, seconds, widest);
            if (tasks <= before) {
                continue;
            }
            StartEstimator.Place place = what.present(probe(request, partition, memory, tasks, seconds));
            if (place != null && place.positions().size() >= nodes && tasks >= procs) {
                details.add(new NameValue(
                        "window",
                        "partition=" + partition + " tasks=" + tasks + " nodes="
                                + place.positions().size() + " offsetSeconds=0 durationSeconds="
                                + (seconds >= PolicyTime.LONGEST ? INFINITY : Long.toString(seconds)) + " start="
                                + Instant.ofEpochSecond(now)));
            }
            before = tasks;
        }
    }

    /** Returns the largest number of tasks that fit for {@code seconds}. */
    private int most(
            StartEstimator what, AuthorisedRequest request, String partition, long memory, long seconds, long widest) {
        int fits = 0;
        int tooMany = (int) Math.min(Integer.MAX_VALUE - 1L, widest) + 1;
        while (tooMany - fits > 1) {
            int tasks = (fits + tooMany) >>> 1;
            if (what.present(probe(request, partition, memory, tasks, seconds)) != null) {
                fits = tasks;
            } else {
                tooMany = tasks;
            }
        }
        return fits;
    }

    /** Returns a job of single-processor tasks with the credentials asked for. */
    private Job probe(AuthorisedRequest request, String partition, long memory, int tasks, long seconds) {
        String features = text(request, "features", "");
        Requirement requirement = new Requirement(
                tasks,
                new TaskResources(1, memory, 0, 0, new TreeMap<>()),
                features.isEmpty()
                        ? NodeDemands.NONE
                        : new NodeDemands(
                                List.copyOf(new TreeSet<>(List.of(features.split("[,:]", -1)))),
                                null,
                                null,
                                null,
                                List.of()),
                null,
                null,
                false);
        // A job that names the only partition there is takes any processors, and is to count as one that does.
        List<String> within = partitions().size() > 1 ? List.of(partition) : List.of();
        JobOptions options = new JobOptions(within, List.of(), null, null, null, null, null, List.of(), Job.NONE, null);
        JobCredentials credentials = new JobCredentials(
                null,
                optional(request, "user"),
                optional(request, "group"),
                optional(request, "account"),
                optional(request, "class"),
                optional(request, "qos"));
        return job(credentials, requirement, options, seconds);
    }

    /** Returns a job that asks for {@code PROCS[@DURATION]}; null when that is not what {@code text} says. */
    private @Nullable Job wished(String text) {
        int at = text.indexOf('@');
        long procs = number(at < 0 ? text : text.substring(0, at));
        long seconds = at < 0 ? DEFAULT_SECONDS : PolicyTime.seconds(text.substring(at + 1));
        if (procs < 1 || procs > Integer.MAX_VALUE || seconds < 1) {
            return null;
        }
        JobCredentials nobody = new JobCredentials(null, null, null, null, null, null);
        return job(nobody, Requirement.ofProcs((int) procs, 1), JobOptions.NONE, seconds);
    }

    private Job job(JobCredentials credentials, Requirement requirement, JobOptions options, long seconds) {
        JobRequest request = new JobRequest(
                NOBODY, null, 0, credentials, List.of(requirement), options, JobExtension.parse(null), seconds, now);
        JobEdit edit = JobEdit.submitted(request);
        state.qosAccess().settle(edit);
        return edit.done();
    }

    private SortedSet<String> partitions() {
        return new TreeSet<>(state.placement.feasibility().index().partitions().keySet());
    }

    private static @Nullable String optional(AuthorisedRequest request, String name) {
        String value = text(request, name, "");
        return value.isEmpty() ? null : value;
    }

    private static String text(AuthorisedRequest request, String name, String otherwise) {
        String value = request.value(name);
        return value == null ? otherwise : value;
    }

    /** Returns a whole number, or -1 when {@code text} is none. */
    private static long number(String text) {
        boolean digits = !text.isEmpty() && text.length() < 10 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? Long.parseLong(text) : -1;
    }
}
