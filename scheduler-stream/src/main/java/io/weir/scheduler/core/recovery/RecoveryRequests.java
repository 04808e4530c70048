package io.weir.scheduler.core.recovery;

import com.google.re2j.Pattern;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.nonstop.NonstopJob;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.policy.nonstop.NonstopSettings;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.state.ClusterState;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * Requests to the failure service. One that needs the resource manager is answered when that has answered; until then it
 * waits with those of the next iteration. A refusal changes nothing but what the wait for a node grants.
 */
public final class RecoveryRequests {
    private static final Pattern ENDPOINT = Pattern.compile("(?i:https?)://[A-Za-z0-9.\\[\\]:_-]{1,256}(?:/[!-~]*)?");

    private static final int LONGEST_ENDPOINT = 1_024;

    private final ClusterState state;
    private final IterationOutputs outputs;
    private final RecoveryAnswers answers;
    private final RecoveryQueries queries;
    private final DrainRequests drains;
    private final JobRecovery recovery;

    public RecoveryRequests(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        answers = new RecoveryAnswers(outputs);
        queries = new RecoveryQueries(state, answers);
        drains = new DrainRequests(state, answers, now);
        recovery = new JobRecovery(state, outputs, answers, now);
    }

    /** Answers with how the failure service is set. */
    public void configuration(AuthorisedRequest request) {
        ifServed(request, settings -> queries.configuration(request, settings));
    }

    /** Answers with the failed and failing nodes of a job. */
    public void failures(AuthorisedRequest request) {
        ofLiving(request, (job, settings) -> queries.failures(request, job));
    }

    /** Marks nodes as failing. */
    public void drain(AuthorisedRequest request) {
        ifServed(request, settings -> drains.drain(request, settings));
    }

    /** Has an address told of failures of a job. */
    public void subscribe(AuthorisedRequest request) {
        ofLiving(request, (job, settings) -> subscribe(request, job));
    }

    /** Has an address, or all of them, told no longer. */
    public void unsubscribe(AuthorisedRequest request) {
        ofLiving(request, (job, settings) -> unsubscribe(request, job));
    }

    /**
     * Replaces or gives up a node of a job, or extends its time limit.
     *
     * @param present ids of the requests of this iteration
     * @return whether it is answered; if not it has to be carried out again
     */
    public boolean recover(AuthorisedRequest request, Set<String> present) {
        return ofLiving(request, (job, settings) -> recovery.recover(request, job, settings, present));
    }

    /** Carries out one request while the failure service is on; returns whether it is answered. */
    private boolean ifServed(AuthorisedRequest request, Predicate<NonstopSettings> step) {
        NonstopSettings settings = state.domain.policy.nonstop();
        return settings == null
                ? answers.refuse(request, RecoveryError.ESERVICE, "the failure service is off (FAILURESERVICE)", null)
                : step.test(settings);
    }

    /** Carries out one request about a job that has not ended; returns whether it is answered. */
    private boolean ofLiving(AuthorisedRequest request, BiPredicate<Job, NonstopSettings> step) {
        return ifServed(request, settings -> {
            Job job = state.jobs.get(request.objectId());
            if (job == null || job.finished()) {
                String why = job == null ? "there is no job " + request.objectId() : "job " + job.id() + " has ended";
                return answers.refuse(request, RecoveryError.EJOBID, why, null);
            }
            return step.test(job, settings);
        });
    }

    private boolean subscribe(AuthorisedRequest request, Job job) {
        String endpoint = request.form().text("endpoint");
        if (!job.active()) {
            // What is known of a job ends with its run.
            return answers.refuse(
                    request,
                    RecoveryError.EJOBNOTRUN,
                    "job " + job.id() + " is " + job.state() + "; subscribe when it runs",
                    null);
        }
        if (!isEndpoint(endpoint)) {
            return answers.refuse(
                    request,
                    RecoveryError.EPORT,
                    "'" + endpoint + "' is no address that can be told; http://HOST:PORT/PATH of up to "
                            + LONGEST_ENDPOINT + " characters is needed",
                    null);
        }
        if (!state.nonstop.edit(job.id()).subscribe(endpoint)) {
            return answers.refuse(
                    request,
                    RecoveryError.EPORT,
                    "job " + job.id() + " has " + NonstopJob.MOST_ENDPOINTS + " addresses already",
                    null);
        }
        outputs.accepted(request, endpoint + " is told of failures of job " + job.id());
        return true;
    }

    private boolean unsubscribe(AuthorisedRequest request, Job job) {
        NonstopJob record = state.nonstop.get(job.id());
        String endpoint = request.form().value("endpoint");
        if (record != null) {
            state.nonstop.edit(job.id()).unsubscribe(endpoint);
            if (record.isEmpty()) {
                state.nonstop.remove(job.id());
            }
        }
        outputs.accepted(request, (endpoint == null ? "nobody" : endpoint + " not") + " told any more");
        return true;
    }

    private static boolean isEndpoint(String text) {
        return text.length() <= LONGEST_ENDPOINT && ENDPOINT.matcher(text).matches();
    }
}
