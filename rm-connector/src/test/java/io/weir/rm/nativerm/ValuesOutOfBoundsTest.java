package io.weir.rm.nativerm;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.spi.Poll;
import io.weir.rm.spi.RmContext;
import io.weir.schemas.NodeState;
import io.weir.schemas.bound.FactBounds;
import io.weir.topics.AvroTrust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pair out of bounds is ignored and counted, and the others count: no report is one that the scheduler refuses. */
class ValuesOutOfBoundsTest {
    static {
        AvroTrust.install();
    }

    @TempDir
    Path directory;

    private NativeResourceManager rm;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATETIME=4102444800",
                "FEATURE=1025 words",
                "NETWORK=1025 words",
                "CRES=1025 words",
                "CCLASS=long word",
                "FEATURE=long word",
                "PARTITION=long word",
                "CPROC=99999999",
                "CMEMORY=99999999999",
                "VARIABLE=long word",
                "GMETRIC[temp]=1e16"
            })
    void shouldReportTheStateOfANode(String pair) throws IOException {
        Poll poll = poll("n1 STATE=Down;" + spelled(pair) + "\n", "# none\n");

        assertThat(poll.nodes()).singleElement().satisfies(node -> {
            assertThat(node.getState()).isEqualTo(NodeState.DOWN);
            check(node);
        });
        assertThat(rm.problems()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TASKS=99999999",
                "DPROCS=99999999",
                "NODES=99999999",
                "TASKPERNODE=99999999",
                "WCLIMIT=3162240001",
                "QUEUETIME=4102444800",
                "ENDDATE=4102444800",
                "RFEATURES=1025 words",
                "PARTITIONMASK=1025 words",
                "GRES=1025 words",
                "GRES=long word",
                "HOSTLIST=131073 words"
            })
    void shouldReportAJob(String pair) throws IOException {
        Poll poll = poll(
                "n1 STATE=Idle\n",
                "1 STATE=Idle;UPDATETIME=1;UNAME=a;GNAME=g;" + required(pair) + spelled(pair) + "\n");

        assertThat(poll.jobs()).singleElement().satisfies(job -> {
            assertThat(job.getUser()).isEqualTo("a");
            assertThat(job.getProblems()).hasSize(1);
            check(job);
        });
    }

    /** It says never, and a job without it would start at once. */
    @Test
    void shouldTakeAStartThatIsTooLateForTheLatest() throws IOException {
        Poll poll = poll("n1 STATE=Idle\n", "1 STATE=Idle;QUEUETIME=1;STARTDATE=253402300799\n");

        assertThat(poll.jobs()).singleElement().satisfies(job -> {
            assertThat(job.getStartAfter()).isEqualTo(Instant.parse("2099-12-31T23:59:59Z"));
            check(job);
        });
    }

    private static void check(SpecificRecord report) {
        assertThat(FactBounds.of(report).check(report)).isNull();
    }

    /** Returns what a new job has to have, apart from what the test gives. */
    private static String required(String pair) {
        return Stream.of("QUEUETIME=1", "WCLIMIT=60", "TASKS=1")
                .filter(each -> !pair.startsWith(each.substring(0, each.indexOf('=') + 1)))
                .map(each -> each + ";")
                .collect(Collectors.joining());
    }

    private static String spelled(String pair) {
        String name = pair.substring(0, pair.indexOf('=') + 1);
        if (pair.endsWith("long word")) {
            return name + "x".repeat(257);
        } else if (pair.endsWith(" words")) {
            int count = Integer.parseInt(pair.substring(name.length(), pair.indexOf(' ')));
            String between = name.startsWith("CRES") || name.startsWith("GRES") || name.startsWith("HOST") ? "," : ":";
            return name + IntStream.range(0, count).mapToObj(i -> "w" + i).collect(Collectors.joining(between));
        }
        return pair;
    }

    private Poll poll(String nodes, String jobs) throws IOException {
        Files.writeString(directory.resolve("nodes"), nodes);
        Files.writeString(directory.resolve("jobs"), jobs);
        Map<String, String> settings = Map.of(
                "cluster.query.url", "file://" + directory + "/nodes",
                "workload.query.url", "file://" + directory + "/jobs");
        rm = new NativeResourceManager(
                new RmContext("c1", "rm", directory, settings),
                NativeConfig.read(settings, name -> null),
                () -> Instant.ofEpochSecond(1_800_000_000));
        return rm.poll();
    }
}
