package io.weir.scheduler.core.automation;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.PendingRequests;
import io.weir.scheduler.state.Argument;
import io.weir.scheduler.state.PendingRequest;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Requests that the scheduler makes itself. They wait with those of others, have the same budget and are authorised,
 * answered and recorded like them. One serves one iteration.
 */
public final class AutomaticRequests {
    /** Jobs that one action reaches; the budget lets about as many changes of a principal through in a second. */
    public static final int MOST_JOBS = 500;

    /** Requests about jobs that are made in one iteration, however many actions ask for them. */
    static final int MOST = 5_000;

    private final ClusterState state;
    private final String maker;
    private int made;

    /** Makes requests on behalf of {@code maker}, whose name goes into their ids. */
    public AutomaticRequests(ClusterState state, String maker) {
        this.state = state;
        this.maker = maker;
    }

    /**
     * Makes a request.
     *
     * @param principal who asks
     * @param level the level that goes with it; null for that which ADMINCFG gives the principal
     * @return the id by which it is answered
     */
    public String make(
            String principal, @Nullable Integer level, RequestKind kind, String objectId, List<NameValue> arguments) {
        String id = PendingRequests.OWN + state.domain.nextIteration() + ":" + maker + ":" + made++;
        state.domain.requests.add(new PendingRequest(
                id,
                kind.name(),
                objectId,
                principal,
                level,
                arguments.stream()
                        .map(argument -> new Argument(argument.getName(), argument.getValue()))
                        .toList(),
                null));
        return id;
    }

    /**
     * Makes the same request about each of {@code jobs}.
     *
     * @return the ids by which they are answered; empty when there are too many jobs, and no request is made
     */
    public Optional<List<String>> makeEach(
            String principal, @Nullable Integer level, RequestKind kind, List<Job> jobs, List<NameValue> arguments) {
        if (jobs.size() > MOST_JOBS || made + jobs.size() > MOST) {
            return Optional.empty();
        }
        List<String> ids = new ArrayList<>();
        jobs.forEach(job -> ids.add(make(principal, level, kind, job.id(), arguments)));
        return Optional.of(ids);
    }

    /** Says why nothing is done to {@code jobs}. */
    public static String tooMany(List<Job> jobs) {
        return "there are " + jobs.size() + " jobs on it; one action reaches " + MOST_JOBS
                + ", and all of one iteration " + MOST + " together";
    }
}
