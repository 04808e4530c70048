package io.weir.rm.nativerm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.rm.spi.Commands;
import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmContext;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.RmCommand;
import io.weir.topics.AvroTrust;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Defaults are for new jobs and nodes: of known ones the last value holds while another cannot be read. */
class UnreadableValuesTest {
    static {
        AvroTrust.install();
    }

    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
    private static final String RUNNING =
            "1 STATE=Running;UNAME=ann;GNAME=g;QUEUETIME=1;UPDATETIME=1;STARTTIME=2;WCLIMIT=600;TASKS=2;DPROCS=2;"
                    + "TASKLIST=n1,n2";

    @TempDir
    Path directory;

    private NativeResourceManager rm;

    @BeforeEach
    void pollOnce() {
        write("nodes", "n1 STATE=Down;CPROC=4;FEATURE=fast\nn2 STATE=Idle;CPROC=4\n");
        write("jobs", RUNNING + "\n");
        rm = open();
        rm.poll();
    }

    /** Whatever is wrong with a line of a running job, and wherever it is cut off, the job has its nodes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 STATE=running_x;TASKS=2;DPROCS=2;WCLIMIT=600;TASKLIST=n1,n2",
                "1 STATE=Runn",
                "1 UNAME=ann;STATE=Runn",
                "1 STATE=Running;UNAME=ann;TASKLI",
                "1 STATE=Running;UNAME=ann;TASKLIST=\"n1,n",
                "1 STATE=Running;WCLIMIT=1h;TASKS=two;DPROCS=x;TASKLIST=n1,n2",
                "1 STATE=Running;TASKLIST=n1 n2",
                "1 STATE=Running",
                "1"
            })
    void shouldKeepWhatWasKnownOfARunningJob(String line) {
        write("jobs", line + "\n");
        for (int poll = 0; poll < 3; poll++) {
            assertThat(job()).satisfies(job -> {
                assertThat(job.getState()).isEqualTo(JobState.RUNNING);
                assertThat(job.getAllocation())
                        .containsExactly(new NodeAllocation("n1", 2), new NodeAllocation("n2", 2));
                assertThat(job.getWalltimeSeconds()).isEqualTo(600);
                assertThat(job.getTasks()).isEqualTo(2);
                assertThat(job.getUser()).isEqualTo("ann");
            });
        }
    }

    @Test
    void shouldSayThatTheValueBeforeHolds() {
        write("jobs", "1 STATE=Running;WCLIMIT=1h;TASKLIST=n1,n2 x\n");

        assertThat(job().getProblems())
                .satisfiesExactly(
                        first -> assertThat(first)
                                .startsWith("WCLIMIT=1h: ")
                                .endsWith("; ignored, so the value before holds"),
                        second -> assertThat(second).isEqualTo("'x' is not ATTR=VALUE; ignored"));
        assertThat(rm.problems()).isEqualTo(2);
    }

    /** What can be read counts at once, and what a job no longer says but could is gone. */
    @Test
    void shouldFollowWhatCanBeRead() {
        write("jobs", "1 STATE=Idle;UPDATETIME=5;TASKS=1;COMMENT=x\n");
        assertThat(job()).satisfies(job -> {
            assertThat(job.getState()).isEqualTo(JobState.IDLE);
            assertThat(job.getTasks()).isEqualTo(1);
            assertThat(job.getAllocation()).isEmpty();
            assertThat(job.getExtension()).isEqualTo("x");
        });
        write("jobs", "1 STATE=Running;TASKLIST=n2\n");
        assertThat(job()).satisfies(job -> {
            assertThat(job.getAllocation()).containsExactly(new NodeAllocation("n2", 1));
            assertThat(job.getExtension()).isNull();
        });
    }

    @Test
    void shouldKeepWhatWasKnownOfANode() {
        write("nodes", "n1 STATE=Donw;CPROC=four;CMEMORY=100\nn2 STATE=Idle;CPROC=4\n");
        assertThat(rm.poll().nodes().get(0)).satisfies(node -> {
            assertThat(node.getState()).isEqualTo(NodeState.DOWN);
            assertThat(node.getProcs()).isEqualTo(4);
        });
        write("nodes", "n1 CPROC=4\nn2 STATE=Idle;CPROC=4\n");
        assertThat(rm.poll().nodes().get(0))
                .as("other data arrives, and no state")
                .extracting(NodeReport::getState)
                .isEqualTo(NodeState.UNKNOWN);
    }

    /** A connector that was started anew knows nothing yet, and the scheduler may know that the job runs. */
    @Test
    void shouldTakeAJobOnNodesForRunningWhereNothingElseIsKnown() {
        write("jobs", "1 STATE=running_x;TASKS=2;TASKLIST=n1,n2\n2 STATE=idle_x;TASKS=2\n");
        rm = open();
        List<JobReport> jobs = rm.poll().jobs();

        assertThat(jobs).extracting(JobReport::getState).containsExactly(JobState.RUNNING, JobState.IDLE);
        assertThat(jobs.get(0).getProblems())
                .singleElement()
                .asString()
                .endsWith("; ignored, it counts as running where it has nodes");
    }

    /** The last value is from before the start, and so no evidence that it failed. */
    @Test
    void shouldTakeAJobForRunningThatWasStartedSinceItsStateCouldBeRead() {
        write("jobs", "1 STATE=Idle;UNAME=ann;TASKS=2;UPDATETIME=1800000000\n");
        rm.poll();
        RmCommand start = RmCommand.newBuilder(Commands.builder("c1", 1, CommandKind.START_JOB, "1", NOW)
                        .build())
                .setAllocation(List.of(new NodeAllocation("n2", 2)))
                .build();
        assertThat(Commands.execute(rm, start).outcome()).isEqualTo(CommandOutcome.DONE);
        write("jobs", "1 STATE=running_x;TASKS=2;UPDATETIME=1800000000\n");

        assertThat(job()).satisfies(job -> {
            assertThat(job.getState()).isEqualTo(JobState.RUNNING);
            assertThat(job.getAllocation()).containsExactly(new NodeAllocation("n2", 2));
        });
        write("jobs", "1 STATE=Idle;TASKS=2;UPDATETIME=1800000000\n");
        assertThat(job().getState()).isEqualTo(JobState.IDLE);
    }

    @Test
    void shouldNotBelieveAnAnswerThatIsCutOff() {
        write("jobs", RUNNING + "\n2 STATE=Running;TASKLIST=n1,n");

        assertThatThrownBy(() -> rm.poll())
                .isInstanceOf(RetriableRmException.class)
                .hasMessageContaining("ends within a line");
        assertThat(rm.poll().jobs()).as("so it is written now").hasSize(2);
        assertThat(rm.poll().jobs()).hasSize(2);
    }

    private JobReport job() {
        List<JobReport> jobs = rm.poll().jobs();
        assertThat(jobs).hasSize(1);
        return jobs.get(0);
    }

    private NativeResourceManager open() {
        Map<String, String> settings = Map.of(
                "cluster.query.url", "file://" + directory + "/nodes",
                "workload.query.url", "file://" + directory + "/jobs",
                "job.start.url", "exec:///bin/true");
        return new NativeResourceManager(
                new RmContext("c1", "rm", directory, settings), NativeConfig.read(settings, name -> null), () -> NOW);
    }

    private void write(String file, String text) {
        try {
            Files.writeString(directory.resolve(file), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
