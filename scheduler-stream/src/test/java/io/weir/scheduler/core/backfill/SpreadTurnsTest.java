package io.weir.scheduler.core.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.SchedulerFixture;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.plan.TestCluster;
import io.weir.schemas.JobStatus;
import io.weir.schemas.TaskRequirement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** How many jobs of several requirements a pass tries, and that each has its turn. */
class SpreadTurnsTest {
    private static final int JOBS = 160;
    private static final int REQUIREMENTS = 64;

    /** Besides the first of each. */
    private static final int FURTHER = JOBS * (REQUIREMENTS - 1);

    private final TestCluster cluster = new TestCluster();

    @Test
    void shouldTryAFewJobsInEachPassAndAllOfThemInTurn() {
        List<Job> jobs = jobs(JOBS, REQUIREMENTS);
        Set<String> tried = new TreeSet<>();
        for (int iteration = 0; iteration < 100; iteration++) {
            SpreadTurns turns = new SpreadTurns(FURTHER, iteration);
            long requirements = 0;
            for (Job job : jobs) {
                if (!turns.postpones(job)) {
                    tried.add(job.id());
                    requirements += REQUIREMENTS - 1;
                }
            }
            assertThat(requirements).isBetween(1L, (long) SpreadTurns.MOST + REQUIREMENTS);
        }

        assertThat(tried).hasSize(JOBS);
    }

    @Test
    void shouldTryEachJobOfOneRequirementAndEachOfAFew() {
        assertThat(jobs(3, 1)).noneMatch(new SpreadTurns(FURTHER, 7)::postpones);
        SpreadTurns few = new SpreadTurns(SpreadTurns.MOST, 7);
        assertThat(few.several()).isFalse();
        assertThat(jobs(15, REQUIREMENTS)).noneMatch(few::postpones);
    }

    /** Heartbeats come in a rhythm, and not every iteration makes a pass. */
    @Test
    void shouldMissNobodysTurnInARhythm() {
        List<Job> jobs = jobs(JOBS, REQUIREMENTS);
        for (int step : List.of(2, 3, 5, 11, 60)) {
            Set<String> tried = new TreeSet<>();
            for (int pass = 0; pass < 150; pass++) {
                SpreadTurns turns = new SpreadTurns(FURTHER, (long) pass * step);
                jobs.stream().filter(job -> !turns.postpones(job)).forEach(job -> tried.add(job.id()));
            }
            assertThat(tried).as("every %sth iteration", step).hasSize(JOBS);
        }
    }

    private List<Job> jobs(int count, int requirements) {
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Requirement[] asked =
                    Collections.nCopies(requirements, Requirement.ofProcs(1, 1)).toArray(Requirement[]::new);
            jobs.add(cluster.waiting("j" + requirements + "-" + i, null, 100, asked));
        }
        return jobs;
    }

    /**
     * One node of 100 processors, of which 30 are busy for an hour. All 100 are reserved for {@code first} then, forty jobs that
     * need 80 wait behind it, and behind these one that fits until then.
     */
    @Test
    void shouldStartWhoeverFitsInItsTurnAndDelayNoReservation() {
        SchedulerFixture live = crowded(new SchedulerFixture());
        SchedulerFixture rebuilt = crowded(new SchedulerFixture().rebuildingAlways());
        int started = -1;
        for (int i = 0; i < 40; i++) {
            live.iterate(i);
            rebuilt.iterate(i);
            assertThat(rebuilt.publishedJobs).isEqualTo(live.publishedJobs);
            assertThat(live.publishedReservations.get("first").getStart()).isEqualTo(SchedulerFixture.at(3600));
            JobStatus last = live.publishedJobs.get("last");
            if (started < 0 && !last.getAllocation().isEmpty()) {
                started = i;
            }
        }

        assertThat(started).as("not tried in the first pass, but in its turn").isGreaterThan(0);
    }

    private static SchedulerFixture crowded(SchedulerFixture weir) {
        weir.policy("RESERVATIONDEPTH 1").nodes(1, 100).adopt("running", 30, 3600, 0, "n1");
        weir.submit("first", 100, 3600);
        for (int i = 0; i < 40; i++) {
            weir.submit("wide" + i, 1, 7200, job -> job.setRequirements(requirements(60, 21)));
        }
        weir.submit("last", 1, 600, job -> job.setRequirements(requirements(2, 1)));
        return weir;
    }

    private static List<TaskRequirement> requirements(int count, int ofTheLast) {
        List<TaskRequirement> requirements = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            requirements.add(TaskRequirement.newBuilder()
                    .setTasks(1)
                    .setProcsPerTask(i == count - 1 ? ofTheLast : 1)
                    .build());
        }
        return requirements;
    }
}
