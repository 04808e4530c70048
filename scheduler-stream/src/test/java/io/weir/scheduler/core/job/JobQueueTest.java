package io.weir.scheduler.core.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.extension.JobExtension;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The queue against a plainly sorted list. A failure names its seed. */
class JobQueueTest {
    /** Ranks by a number that depends on the job and, in steps, on time. */
    private record Drifting(boolean uniform, long spread) implements JobRanking {
        @Override
        public Standing of(Job job) {
            long factor = uniform ? 0 : Math.floorMod(job.id().hashCode() * 31L, 7);
            return now -> job.systemPriority() != null
                    ? spread * 1000 + job.systemPriority()
                    : factor * (now - job.request().submit()) / 50;
        }
    }

    @Test
    void shouldStandInTheOrderOfRankAndArrival() {
        for (long seed = 1; seed <= 60; seed++) {
            Random random = new Random(seed);
            JobQueue queue = new JobQueue();
            SortedMap<String, Job> waiting = new TreeMap<>();
            JobRanking ranking = JobRanking.NONE;
            long now = 0;
            for (int step = 0; step < 120; step++) {
                change(queue, waiting, random, step);
                if (random.nextInt(8) == 0) {
                    ranking = new Drifting(random.nextInt(4) == 0, random.nextBoolean() ? 1L << 50 : 1000);
                }
                now += random.nextInt(100);
                List<String> before = ids(queue);
                int first = queue.rank(ranking, now);
                List<String> after = ids(queue);

                assertThat(after).as("seed %d step %d", seed, step).isEqualTo(sorted(waiting, ranking, now));
                assertThat(after.subList(0, first)).isEqualTo(before.subList(0, first));
                if (first < after.size()) {
                    assertThat(after.get(first)).isNotEqualTo(before.get(first));
                }
                for (int i = 0; i < queue.size(); i++) {
                    assertThat(queue.position(queue.get(i))).isEqualTo(i);
                }
            }
        }
    }

    private static void change(JobQueue queue, SortedMap<String, Job> waiting, Random random, int step) {
        for (int i = random.nextInt(4); i > 0; i--) {
            String id = "j" + step + "." + i;
            Job job = job(id, random.nextInt(5) == 0 ? random.nextInt(1 + step * 10) : step * 10, i);
            waiting.put(id, job);
            queue.put(job);
        }
        if (!waiting.isEmpty() && random.nextInt(2) == 0) {
            List<String> ids = List.copyOf(waiting.keySet());
            String id = ids.get(random.nextInt(ids.size()));
            Job job = waiting.get(id);
            if (random.nextInt(3) > 0) {
                queue.remove(job);
                waiting.remove(id);
            } else {
                Job next = job.edit()
                        .systemPriority(random.nextBoolean() ? random.nextInt(5) : null)
                        .done();
                queue.put(next);
                waiting.put(id, next);
            }
        }
    }

    private static List<String> sorted(SortedMap<String, Job> waiting, JobRanking ranking, long now) {
        List<Job> jobs = new ArrayList<>(waiting.values());
        boolean level = ranking.uniform() && jobs.stream().allMatch(Job::ordinary);
        jobs.sort(Comparator.comparingLong(
                        (Job job) -> level ? 0 : -ranking.of(job).at(now))
                .thenComparing(Job::request, JobRequest.QUEUE_ORDER));
        return jobs.stream().map(Job::id).toList();
    }

    private static List<String> ids(JobQueue queue) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < queue.size(); i++) {
            ids.add(queue.get(i).id());
        }
        return ids;
    }

    private static Job job(String id, long submit, long sequence) {
        JobRequest request = new JobRequest(
                id,
                "rm",
                sequence,
                new JobCredentials(null, null, null, null, null, null),
                List.of(Requirement.ofProcs(1, 1)),
                JobOptions.NONE,
                JobExtension.NONE,
                60,
                submit);
        return JobEdit.submitted(request).eligibleSince(submit).done();
    }
}
