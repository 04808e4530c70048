package io.weir.scheduler.core.request.form;

import org.jspecify.annotations.Nullable;

/**
 * What has to be known of the objects that requests are about: the core has it from its state, the API from the topics
 * that show it. Ids and names are compared letter by letter.
 */
public interface RequestObjects {
    /** Returns the job with an id; null when there is none. */
    @Nullable
    JobFacts job(String id);

    /** Returns the owner of a reservation that is no job's, such as {@code USER:ann}; null when there is none. */
    @Nullable
    String reservationOwner(String id);

    /**
     * A job.
     *
     * @param user who submitted it; null when that is not known
     * @param active whether it holds resources
     * @param walltimeSeconds its wallclock limit
     */
    record JobFacts(@Nullable String user, boolean active, long walltimeSeconds) {}
}
