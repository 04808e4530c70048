package io.weir.nonstop.client;

import java.util.List;
import java.util.SortedMap;

/** What an application can ask of the failure service. Every call is made in the name of the holder of the token. */
public interface FailureService {
    /** Returns the settings of the service by name. */
    SortedMap<String, String> configuration() throws FailureServiceException;

    /** Returns the nodes of a running job, which of them failed, and what can be done about it. */
    JobFailures failures(String jobId) throws FailureServiceException;

    /** Puts another node in place of a failed or failing one. */
    ChangedAllocation replace(String jobId, String node) throws FailureServiceException;

    /** Gives a failed or failing node up. */
    ChangedAllocation drop(String jobId, String node) throws FailureServiceException;

    /** Extends the job's time limit; 0 takes the whole balance. Returns by how many minutes it was extended. */
    long extend(String jobId, long minutes) throws FailureServiceException;

    /** Says that nodes, separated by commas, are failing. */
    void drain(String nodes, String reason) throws FailureServiceException;

    /**
     * Returns what befell the nodes of a job after the event named, oldest first; waits some 20 seconds for the first.
     *
     * @param lastEventId id of the last event known; empty for all that are remembered
     */
    List<JobEvent> events(String jobId, String lastEventId) throws FailureServiceException;

    /** Has events of a job posted to {@code endpoint}, which the site has to allow. */
    void subscribe(String jobId, String endpoint) throws FailureServiceException;

    /** Ends that; an empty endpoint ends it for all. */
    void unsubscribe(String jobId, String endpoint) throws FailureServiceException;

    /** Ends a job. */
    void cancel(String jobId) throws FailureServiceException;
}
