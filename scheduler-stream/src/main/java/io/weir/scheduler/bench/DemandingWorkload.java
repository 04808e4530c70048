package io.weir.scheduler.bench;

import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.TaskRequirement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Jobs of many requirements each, no two alike, that one user submits ahead of everybody else. */
public enum DemandingWorkload {
    /** Tasks of one processor each, together as many as nine tenths of all processors. */
    WIDE,

    /** One task on each node, on nine tenths of all nodes, which the job wants for itself. */
    ALONE,

    /** Tasks of most processors of a node, together on nine tenths of all nodes. */
    LARGE,

    /** One task of 32 processors for each requirement. */
    FEW;

    private static final int LARGE_PROCS = 32;

    /** Returns {@code count} jobs that are submitted at the epoch, in order. */
    List<JobReport> jobs(String cluster, MixedCluster site, int count, int requirements) {
        List<JobReport> jobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<TaskRequirement> asked = new ArrayList<>();
            for (int r = 0; r < requirements; r++) {
                asked.add(requirement(site, r, requirements, 1 + (r * 37L + i * 101L) % 900));
            }
            jobs.add(JobReport.newBuilder()
                    .setCluster(cluster)
                    .setJobId(String.format(Locale.ROOT, "demanding%05d", i))
                    .setQueueSequence(i)
                    .setUser("demanding")
                    .setState(JobState.IDLE)
                    .setTasks(asked.get(0).getTasks())
                    .setProcsPerTask(asked.get(0).getProcsPerTask())
                    .setRequirements(asked)
                    .setNodeAccess(this == ALONE ? "SINGLEJOB" : null)
                    .setWalltimeSeconds(3_600L + 60L * i)
                    .setSubmitTime(Instant.EPOCH)
                    .setAsOfCommand(Long.MAX_VALUE)
                    .build());
        }
        return jobs;
    }

    private TaskRequirement requirement(MixedCluster site, int number, int of, long memory) {
        TaskRequirement.Builder requirement =
                TaskRequirement.newBuilder().setMemoryMb(memory).setProcsPerTask(1);
        int nodes = Math.max(1, site.nodes() * 9 / 10 / of);
        switch (this) {
            case WIDE -> requirement.setTasks((int) Math.max(1, site.processors() * 9 / 10 / of));
            case ALONE -> requirement.setTasks(nodes).setNodes(nodes).setTasksPerNode(1);
            case LARGE -> requirement.setTasks(nodes).setProcsPerTask(LARGE_PROCS - number % 8);
            case FEW -> requirement.setTasks(1).setProcsPerTask(LARGE_PROCS);
        }
        return requirement.build();
    }
}
