package io.weir.command.slurm;

import io.weir.command.client.TopicsAccess;
import io.weir.command.client.TopicsImage;
import io.weir.command.terminal.BadInputException;
import io.weir.scheduler.query.image.ClusterImage;
import io.weir.schemas.JobStatus;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that somebody has Weir hold ({@code mjobctl -h}), of which Slurm knows nothing: there they wait for Weir like all
 * others.
 *
 * @param jobs their ids in Weir
 */
record RequestedHolds(Set<String> jobs) {
    static final RequestedHolds NONE = new RequestedHolds(Set.of());

    /** Those of an owner and of an administrator; a batch hold is Weir's own, after starts that failed. */
    private static final Set<String> KINDS = Set.of("USER", "SYSTEM");

    /** Reads them from Weir's topics; {@code cluster} may be left out where there is only one. */
    static RequestedHolds read(TopicsAccess topics, @Nullable String cluster) {
        try (TopicsAccess.Opened access = topics.open()) {
            ClusterImage image = TopicsImage.read(access.connection(), topics.names());
            return of(image.jobsOf(chosen(image, cluster)));
        }
    }

    private static String chosen(ClusterImage image, @Nullable String cluster) {
        Set<String> known = image.clusters();
        if (cluster != null && known.contains(cluster)) {
            return cluster;
        }
        if (cluster == null && known.size() == 1) {
            return known.iterator().next();
        }
        throw new BadInputException(
                (cluster == null ? "Choose a cluster with --cluster" : "There is no cluster '" + cluster + "'")
                        + "; there are " + known);
    }

    static RequestedHolds of(Collection<JobStatus> known) {
        Set<String> jobs = new TreeSet<>();
        for (JobStatus job : known) {
            if (isRequested(job.getHolds())) {
                jobs.add(job.getJobId());
            }
        }
        return new RequestedHolds(jobs);
    }

    static boolean isRequested(List<String> holds) {
        return !Collections.disjoint(holds, KINDS);
    }

    /** Says whether a job is held, by Slurm's name for it; a heterogeneous job has its first component's. */
    boolean contains(String job) {
        return jobs.contains(job.replaceFirst("\\+0$", ""));
    }
}
