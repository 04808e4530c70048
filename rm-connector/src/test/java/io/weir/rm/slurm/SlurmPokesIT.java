package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the scripts within slurmctld write into the poke file, and what a look at the jobs named there shows. */
class SlurmPokesIT extends LiveSlurmTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    /** The size beyond which the scripts do not let the file grow. */
    private static final int LONG = 64 << 10;

    private Path pokes;

    SlurmPokesIT() {
        super(Map.of("SLURM_NODES", "3"), Map.of());
    }

    @BeforeEach
    void makeFile() throws IOException {
        pokes = cluster.directory().resolve("poke");
        Files.writeString(pokes, "");
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(pokes);
    }

    @Test
    void shouldNameTheJobThatEnds() throws IOException {
        String job = cluster.submit("sleep 1");
        assertThat(lines()).containsExactly("new");

        assertDone(drive.start(job, "n1"));

        await().atMost(SOON).untilAsserted(() -> assertThat(lines()).containsExactly("new", "job " + job));
    }

    @Test
    void shouldSeeTheEndOfANamedJob() {
        String job = cluster.submit("exit 3");
        assertDone(drive.start(job, "n1"));
        rm.poll();

        await().atMost(SOON).untilAsserted(() -> {
            List<JobReport> seen = rm.look(Set.of(job)).orElseThrow();
            assertThat(seen).extracting(JobReport::getState).containsExactly(JobState.FAILED);
            assertThat(seen.get(0).getExitCode()).isEqualTo(3);
        });
        assertThat(rm.settling()).isEmpty();
        JobReport looked = rm.look(Set.of(job)).orElseThrow().get(0);
        assertThat(drive.job(job)).as("the next poll").isEqualTo(looked);
    }

    @Test
    void shouldSeeTheEndOfANamedTaskOfAnArray() {
        String array = cluster.submit("sleep 1", "--array=1-3");
        rm.poll();
        assertDone(drive.start(array + "_1", "n1"));
        rm.poll();
        String number = cluster.show(array + "_1", "JobId");

        await().atMost(SOON).untilAsserted(() -> assertThat(lines()).contains("job " + number));
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(rm.look(Set.of(number)).orElseThrow())
                        .extracting(JobReport::getJobId, JobReport::getState)
                        .containsExactly(tuple(array + "_1", JobState.COMPLETED)));
    }

    @Test
    void shouldPollWhenATaskOfALimitedArrayEnds() {
        String array = cluster.submit("sleep 1000", "--array=1-3%1");
        rm.poll();
        assertDone(drive.start(array + "_1", "n1"));
        rm.poll();
        String number = cluster.show(array + "_1", "JobId");
        cluster.run("scancel", array + "_1");

        assertThat(rm.look(Set.of(number))).as("another may run now").isEmpty();
    }

    @Test
    void shouldPollForTasksOfAnArrayAndForJobsThatWait() {
        String array = cluster.submit("sleep 1000", "--array=1-2");
        String waiting = cluster.submit("sleep 1000");
        rm.poll();

        assertThat(rm.look(Set.of(array))).isEmpty();
        assertThat(rm.look(Set.of(waiting))).isEmpty();
        assertThat(rm.look(Set.of("999999"))).isEmpty();
    }

    @Test
    void shouldLetTheFileGrowNoFurtherWhenNobodyReadsIt() throws IOException {
        Files.writeString(pokes, "new\n".repeat(LONG / 4 + 1));
        long size = Files.size(pokes);

        String job = cluster.submit("true");
        assertDone(drive.start(job, "n2"));
        await().atMost(SOON).untilAsserted(() -> assertThat(lines()).contains("job " + job));

        assertThat(Files.size(pokes)).isEqualTo(size);
    }
}
