package io.weir.rm.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.ResourceManagerContractTest;
import io.weir.rm.spi.RmContext;
import io.weir.rm.spi.RmException;
import io.weir.schemas.JobReport;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SimulatedResourceManagerTest extends ResourceManagerContractTest {
    private static final String TRACE = """
            ; UnixStartTime: 1000000000
            1 0 -1 50000 1 -1 -1 1 90000 -1 1 3 4 -1 -1 -1 -1 -1
            2 0 -1 50000 1 -1 -1 1 90000 -1 1 3 4 -1 -1 -1 -1 -1
            3 100 -1 50 1 -1 -1 1 60 -1 1 3 4 -1 -1 -1 -1 -1
            """;

    @Override
    protected ResourceManager open() {
        return open(script());
    }

    @Override
    protected void crash(ResourceManager manager) {
        manager.close();
    }

    /** Contact is lost, and time runs out, by the script: at the second poll and the first command. */
    private Map<String, String> script() {
        String lines = test.contains("ContactIsLost")
                ? "POLL 2 FAIL 1\nCOMMAND 1 FAIL 1\n"
                : test.contains("SlowOne") ? "COMMAND 1 LOSE\n" : "";
        try {
            return lines.isEmpty()
                    ? Map.of()
                    : Map.of(
                            "script",
                            Files.writeString(directory.resolve("failures"), lines)
                                    .toString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected void lose() {}

    @Override
    protected void restore() {}

    @Override
    protected void slowDown() {}

    @Override
    protected void speedUp() {}

    @Override
    protected String type() {
        return "simulated";
    }

    private ResourceManager open(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of("nodes", "2", "procs.per.node", "2", "trace", trace()));
        settings.putAll(more);
        return new SimulatedProvider().open(new RmContext(cluster(), "rm", directory, settings));
    }

    private String trace() {
        try {
            return Files.writeString(directory.resolve("trace.swf"), TRACE).toString();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldPlaceTraceOnItsCalendar() {
        try (ResourceManager other = openElsewhere(Map.of())) {
            assertThat(other.now()).isEqualTo(Instant.ofEpochSecond(1_000_000_000));
            assertThat(other.virtualTime().orElseThrow().advance(null)).hasToString("MOVED");
            assertThat(other.now()).isEqualTo(Instant.ofEpochSecond(1_000_000_100));
            assertThat(other.poll().jobs()).hasSize(3).last().satisfies(job -> {
                assertThat(job.getUser()).isEqualTo("u3");
                assertThat(job.getWalltimeSeconds()).isEqualTo(60);
            });
        }
    }

    @Test
    void shouldMoveToTheSchedulersWishWhenThatIsEarlier() {
        try (ResourceManager other = openElsewhere(Map.of())) {
            other.virtualTime().orElseThrow().advance(Instant.ofEpochSecond(1_000_000_007));

            assertThat(other.now()).isEqualTo(Instant.ofEpochSecond(1_000_000_007));
        }
    }

    @Test
    void shouldStayWhereItIsWhileTheSchedulerWantsToGoOnAtOnce() {
        try (ResourceManager other = openElsewhere(Map.of())) {
            Instant now = other.now();

            assertThat(other.virtualTime().orElseThrow().advance(now.plusMillis(1)))
                    .hasToString("MOVED");
            assertThat(other.now()).isEqualTo(now);
        }
    }

    @Test
    void shouldTakeAWindowOfTheTrace() {
        try (ResourceManager other = openElsewhere(Map.of("trace.from", "2", "trace.jobs", "5"))) {
            assertThat(other.poll().jobs()).extracting(JobReport::getJobId).containsExactly("3");
        }
    }

    @Test
    void shouldFollowTheWallClockAtScale() {
        AtomicLong nanos = new AtomicLong();
        SimulatedConfig config = SimulatedConfig.read(Map.of("trace", trace(), "clock", "scaled", "clock.scale", "60"));
        try (ResourceManager other =
                SimulatedResourceManager.open("c1", config, directory.resolve("scaled.log"), nanos::get)) {
            assertThat(other.virtualTime()).isEmpty();
            assertThat(other.poll().jobs()).hasSize(2);
            nanos.addAndGet(Duration.ofSeconds(2).toNanos());
            assertThat(other.now()).isEqualTo(Instant.ofEpochSecond(1_000_000_120));
            assertThat(other.poll().jobs())
                    .hasSize(3)
                    .last()
                    .satisfies(job -> assertThat(job.getSubmitTime()).isEqualTo(Instant.ofEpochSecond(1_000_000_100)));
        }
    }

    @Test
    void shouldGoOnAtTheInstantOfTheLedgerAtScale() {
        AtomicLong nanos = new AtomicLong();
        SimulatedConfig config = SimulatedConfig.read(Map.of("trace", trace(), "clock", "scaled", "clock.scale", "60"));
        try (ResourceManager other =
                SimulatedResourceManager.open("c1", config, directory.resolve("scaled.log"), nanos::get)) {
            nanos.addAndGet(Duration.ofSeconds(3).toNanos());
            other.poll();
            other.sync();
        }
        nanos.addAndGet(Duration.ofHours(5).toNanos());
        try (ResourceManager other =
                SimulatedResourceManager.open("c1", config, directory.resolve("scaled.log"), nanos::get)) {
            assertThat(other.now()).isEqualTo(Instant.ofEpochSecond(1_000_000_180));
        }
    }

    @Test
    void shouldRefuseLedgerOfAnotherRun() {
        assertThatThrownBy(() -> reopenWith(Map.of("nodes", "3")))
                .isInstanceOf(RmException.class)
                .hasMessageContaining("another run")
                .hasMessageContaining("nodes=3");
    }

    @Test
    void shouldRefuseASecondConnectorOnTheSameLedger() {
        assertThatThrownBy(() -> open(Map.of())).isInstanceOf(RmException.class).hasMessageContaining("in use");
    }

    @Test
    void shouldReportAllThatIsWrongWithTheSettings() {
        assertThatThrownBy(() -> SimulatedConfig.read(Map.of("nodes", "0"))).isInstanceOf(RmException.class);
        assertThatThrownBy(() -> SimulatedConfig.read(Map.of("node", "1", "clocks", "x")))
                .isInstanceOf(RmException.class)
                .hasMessageContaining("rm.simulated.node is")
                .hasMessageContaining("rm.simulated.clocks is");
        assertThatThrownBy(() -> SimulatedConfig.read(Map.of("trace", "/nowhere.swf")))
                .isInstanceOf(RmException.class)
                .hasMessageContaining("/nowhere.swf");
    }

    private ResourceManager openElsewhere(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of("nodes", "2", "procs.per.node", "2", "trace", trace()));
        settings.putAll(more);
        try {
            return new SimulatedProvider()
                    .open(new RmContext(cluster(), "other", Files.createTempDirectory(directory, "other"), settings));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void reopenWith(Map<String, String> more) throws IOException {
        List<String> lines = Files.readAllLines(directory.resolve(SimulatedProvider.LEDGER_FILE));
        var copy = Files.createDirectory(directory.resolve("copy"));
        Files.write(copy.resolve(SimulatedProvider.LEDGER_FILE), lines);
        Map<String, String> settings = new HashMap<>(Map.of("nodes", "2", "procs.per.node", "2", "trace", trace()));
        settings.putAll(more);
        new SimulatedProvider()
                .open(new RmContext(cluster(), "rm", copy, settings))
                .close();
    }
}
