package io.weir.rm.slurm.translate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.rm.slurm.client.QueueLine;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dependencies of held jobs, which Slurm itself looks at late. */
class DependenciesTest {
    static {
        AvroTrust.install();
    }

    private final SlurmJobTranslation translation =
            new SlurmJobTranslation("c1", false, new StartObstacles(), new NodePartitions());
    private final Dependencies dependencies = new Dependencies();

    private static SlurmJob job(long id, String fields) {
        try {
            return SlurmJob.of(new ObjectMapper()
                    .readTree("{\"job_id\":" + id
                            + ",\"submit_time\":1000,\"name\":\"a\",\"user_name\":\"u\",\"job_state\":"
                            + "\"PENDING\",\"priority\":0" + fields + "}"));
        } catch (JsonProcessingException e) {
            throw new AssertionError(fields, e);
        }
    }

    private KnownJob known(SlurmJob job) {
        return new KnownJob(null, job, translation.report(job, Instant.ofEpochSecond(2000)), null);
    }

    /** 1 completed, 2 failed, 3 runs, 4 waits, 5_1 completed, 5_2 failed, 6_1 completed, 6_2 waits. */
    private static Map<String, QueueLine> queue() {
        return QueueLines.parse(String.join(
                "\n",
                line("1", "1", "N/A", "COMPLETED"),
                line("2", "2", "N/A", "FAILED"),
                line("3", "3", "N/A", "RUNNING"),
                line("4", "4", "N/A", "PENDING"),
                line("7", "5", "1", "COMPLETED"),
                line("5", "5", "2", "FAILED"),
                line("8", "6", "1", "COMPLETED"),
                line("6", "6", "2", "PENDING")));
    }

    private static String line(String number, String array, String task, String state) {
        return QueueLines.line("%A", number, "%F", array, "%K", task, "%T", state);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "afterok:1(unfulfilled) false",
                "afterok:2(unfulfilled) true",
                "afterok:3(unfulfilled) false",
                "afterok:99(unfulfilled) false",
                "afterok:5(unfulfilled) true",
                "afterok:5_1(unfulfilled) false",
                "afterok:5_2(unfulfilled) true",
                "afternotok:1(unfulfilled) true",
                "afternotok:2(unfulfilled) false",
                "afternotok:5(unfulfilled) false",
                "afterany:2(unfulfilled) false",
                "singleton(unfulfilled) false",
                "afterany:3(unfulfilled),afterok:2(unfulfilled) true",
                "afterok:2(unfulfilled)?afterany:3(unfulfilled) false"
            })
    void shouldTellWhatCanNeverCome(String text, boolean lost) {
        SlurmJob waiting = job(20, ",\"dependency\":\"" + text + "\"");
        dependencies.see(queue().values(), List.of(known(waiting)));

        assertThat(dependencies.areLost(waiting)).isEqualTo(lost);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "afterany:1(unfulfilled) true",
                "afterany:2(unfulfilled) true",
                "afterany:3(unfulfilled) false",
                "afterok:1(unfulfilled) true",
                "afterok:2(unfulfilled) false",
                "afterok:2(failed) false",
                "afternotok:1(unfulfilled) false",
                "afternotok:2(unfulfilled) true",
                "afternotok:99(unfulfilled) true",
                "after:3(unfulfilled) true",
                "after:4(unfulfilled) false",
                "after:3+5(unfulfilled) false",
                "afterany:99(unfulfilled) true",
                "afterok:1(unfulfilled),afterany:3(unfulfilled) false",
                "afterok:1(unfulfilled),afterany:2(unfulfilled) true",
                "afterok:2(unfulfilled)?afterany:1(unfulfilled) true",
                "afterany:5_*(unfulfilled) true",
                "afterok:5_*(unfulfilled) false",
                "afternotok:5_*(unfulfilled) true",
                "afterok:5_1(unfulfilled) true",
                "afterany:6_*(unfulfilled) false",
                "afterany:6_1(unfulfilled) true",
                "aftercorr:6_*(unfulfilled) false",
                "afterburstbuffer:1(unfulfilled) false"
            })
    void shouldSayWhatLooksFulfilled(String dependency, boolean fulfilled) {
        SlurmJob job = job(20, ",\"dependency\":\"" + dependency + "\"");
        dependencies.see(queue().values(), List.of(known(job)));

        assertThat(dependencies.areOpen(job)).isEqualTo(!fulfilled && dependency.contains("unfulfilled"));
    }

    @Test
    void shouldComparePairsOfTasks() {
        String wants = ",\"array_job_id\":20,\"dependency\":\"aftercorr:6_*(unfulfilled)\",\"array_task_id\":";
        SlurmJob first = job(21, wants + 1);
        SlurmJob second = job(20, wants + 2);
        dependencies.see(queue().values(), List.of(known(first), known(second)));

        assertThat(dependencies.areOpen(first)).isFalse();
        assertThat(dependencies.areOpen(second)).isTrue();
    }

    @Test
    void shouldLetOneOfANameGoOnAfterAnother() {
        SlurmJob first = job(20, ",\"dependency\":\"singleton(unfulfilled)\"");
        SlurmJob second = job(21, ",\"dependency\":\"singleton(unfulfilled)\"");
        dependencies.see(queue().values(), List.of(known(first), known(second)));
        assertThat(dependencies.areOpen(first)).isFalse();
        assertThat(dependencies.areOpen(second)).isTrue();

        assertThat(dependencies.see(queue().values(), List.of(known(second)))).isEqualTo(Set.of("20", "21"));
        assertThat(dependencies.areOpen(second)).isFalse();
        assertThat(dependencies.see(queue().values(), List.of(known(second)))).isEmpty();
    }

    @Test
    void shouldLetAJobGoBeforeTasksThatWereSplitOffAnEarlierArrayOfItsName() {
        SlurmJob task = job(22, ",\"array_job_id\":19,\"array_task_id\":1,\"dependency\":\"singleton(unfulfilled)\"");
        SlurmJob later = job(20, ",\"dependency\":\"singleton(unfulfilled)\"");
        assertThat(task.sequence()).isLessThan(later.sequence());

        dependencies.see(queue().values(), List.of(known(task), known(later)));

        assertThat(dependencies.areOpen(later)).isFalse();
        assertThat(dependencies.areOpen(task)).isTrue();
    }
}
