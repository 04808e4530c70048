package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.FaultyScheduler;
import io.weir.scheduler.stream.quarantine.OutputLimits;
import io.weir.schemas.Iteration;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.QuarantineKind;
import io.weir.topics.Topics;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A build that runs over the stores of one that failed on job j2 and on standing reservation sr. */
class MendedBuildTest {
    private static final String[] LIFTED = {"kind", "standing_reservation", "change", "lifted"};

    @Test
    void shouldTryAgainWhatAnotherBuildFailedOnButForJobsThatAnOperatorReleases() {
        try (StreamHarness mended = over("mended")) {
            heartbeat(mended);

            assertThat(mended.iterations()).hasSize(1);
            assertThat(mended.meter("weir.quarantine", LIFTED)).isEqualTo(1);
            assertThat(mended.read(Topics.COMMANDS))
                    .extracting(command -> command.getJobId())
                    .doesNotContain("j2");
            heartbeat(mended);
            assertThat(mended.meter("weir.quarantine", LIFTED)).as("once").isEqualTo(1);
        }
    }

    @Test
    void shouldLeaveAsideWhatTheSameBuildFailedOn() {
        try (StreamHarness same = over("test")) {
            heartbeat(same);

            assertThat(same.iterations()).hasSize(1);
            assertThat(same.meters.find("weir.quarantine").counters()).isEmpty();
        }
    }

    private static void heartbeat(StreamHarness harness) {
        FakeConnector connector = new FakeConnector(harness);
        harness.deliver(connector.hello());
        harness.deliver(connector.heartbeat());
    }

    private static StreamHarness over(String build) {
        StreamHarness.Committed left = troubled();
        StreamSettings settings = StreamHarness.settings(ClockMode.RM, false);
        StreamHarness harness = new StreamHarness(
                new StreamSettings(
                        settings.names(),
                        settings.clusters(),
                        settings.givenUp(),
                        settings.partitions(),
                        settings.clock(),
                        settings.coalesce(),
                        settings.maxSkew(),
                        settings.gapTimeout(),
                        settings.foreignReports(),
                        build),
                ClusterScheduler::new,
                new OutputLimits());
        harness.rewriteStores((entities, intake) -> {
            entities.putAll(left.entities());
            intake.putAll(left.intake());
            intake.remove("/partition");
            intake.remove("alpha/connector/sim");
        });
        harness.start();
        return harness;
    }

    private static StreamHarness.Committed troubled() {
        AtomicBoolean broken = new AtomicBoolean();
        try (TroubledStream stream = new TroubledStream(
                ClockMode.RM,
                (kind, id) ->
                        (kind == QuarantineKind.JOB && id.equals("j2") && FaultyScheduler.calledBy("BackfillPlanner."))
                                || (broken.get() && kind == QuarantineKind.STANDING_RESERVATION && id.equals("sr")),
                () -> new ArithmeticException("integer overflow"))) {
            FakeConnector connector = new FakeConnector(stream.harness);
            stream.deliver(connector.hello());
            stream.deliver(connector.node("n1", 8));
            stream.deliver(connector.job(2, 1));
            stream.deliver(stream.harness.write(
                    Topics.POLICY,
                    "alpha/v1",
                    PolicyVersion.newBuilder()
                            .setCluster("alpha")
                            .setVersion("v1")
                            .setText("SRCFG[sr] PERIOD=INFINITY HOSTLIST=n1\n")
                            .setSource("test")
                            .setPrincipal("root")
                            .setTime(stream.harness.now())
                            .build(),
                    StreamHarness.noHeaders()));
            stream.deliver(connector.heartbeat());
            stream.commit();
            broken.set(true);
            connector.at(connector.rmTime().plusSeconds(60));
            stream.deliver(connector.heartbeat());
            assertThat(stream.harness.iterations())
                    .extracting(Iteration::getNumber)
                    .containsExactly(1L, 2L);
            return stream.harness.committed();
        }
    }
}
