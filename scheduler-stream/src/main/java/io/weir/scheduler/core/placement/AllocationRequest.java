package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;

/**
 * A request for nodes for one requirement.
 *
 * @param job the job
 * @param number position of the requirement in the job
 * @param requirement the requirement, or the part of it that is to be placed
 * @param preferences what the job says about the choice
 * @param start first second, epoch seconds
 * @param immediate whether the start is now; what only holds at present does not count for a later one
 */
public record AllocationRequest(
        Job job,
        int number,
        Requirement requirement,
        PlacementPreferences preferences,
        long start,
        boolean immediate) {}
