package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.GenericEvent;
import io.weir.schemas.Iteration;
import io.weir.schemas.IterationTrigger;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.topics.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** By this machine's clock: what has an iteration follow at once, and what waits for the next heartbeat. */
class UrgentFactsTest {
    private final StreamHarness harness = StreamHarness.wall();
    private final FakeConnector connector = new FakeConnector(harness);

    @BeforeEach
    void open() {
        harness.deliver(connector.hello());
        harness.deliver(connector.node("n1", 4));
        harness.deliver(connector.node("n2", 4));
        harness.deliver(connector.heartbeat());
        assertThat(harness.iterations()).hasSize(1);
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void shouldHurryForANodeThatFailsOrIsTakenAway() {
        harness.deliver(connector.fact(
                Topics.RM_NODES,
                "n1",
                NodeReport.newBuilder()
                        .setCluster("alpha")
                        .setNodeId("n1")
                        .setState(NodeState.IDLE)
                        .setProcs(4)
                        .setFailing(true)
                        .build()));
        assertThat(iterationsAfterAWhile()).isEqualTo(2);

        harness.deliver(connector.node("n2", 4, NodeState.REMOVED));
        assertThat(iterationsAfterAWhile()).isEqualTo(3);
    }

    @Test
    void shouldNotHurryForANodeThatIsBusy() {
        harness.deliver(connector.node("n1", 4, NodeState.BUSY));

        assertThat(iterationsAfterAWhile()).isEqualTo(1);
    }

    @Test
    void shouldHurryForAnEventAndNotForMeasurements() {
        harness.deliver(harness.write(
                Topics.MONITORING_EVENTS,
                "alpha/n1",
                GenericEvent.newBuilder(event()).setMeasurements(List.of()).build(),
                StreamHarness.noHeaders()));
        assertThat(iterationsAfterAWhile()).isEqualTo(1);

        harness.deliver(harness.write(Topics.MONITORING_EVENTS, "alpha/n1", event(), StreamHarness.noHeaders()));
        assertThat(iterationsAfterAWhile()).isEqualTo(2);
    }

    @Test
    void shouldHurryForARequest() {
        harness.deliver(request(RequestKind.HOLD_JOB, "j1", new NameValue("type", "user")));

        assertThat(iterationsAfterAWhile()).isEqualTo(2);
    }

    @Test
    void shouldNotHurryForAReportThatSaysNothingNewOfAJob() {
        harness.deliver(connector.job(1, 9));
        assertThat(iterationsAfterAWhile()).isEqualTo(2);

        harness.deliver(connector.job(1, 9));

        assertThat(iterationsAfterAWhile()).isEqualTo(2);
    }

    @Test
    void shouldAnswerAHeartbeatAtOnce() {
        harness.deliver(connector.heartbeat());

        assertThat(harness.iterations()).hasSize(2);
        assertThat(last().getTrigger()).isEqualTo(IterationTrigger.HEARTBEAT);
        assertThat(last().getAnswers().getNumber()).isEqualTo(2);
        assertThat(iterationsAfterAWhile()).isEqualTo(2);
    }

    @Test
    void shouldNotIterateForTheSameFactTwice() {
        harness.deliver(connector.job(1, 1));
        harness.deliver(connector.heartbeat());
        assertThat(harness.iterations()).hasSize(2);

        assertThat(iterationsAfterAWhile())
                .as("the heartbeat's iteration saw the job")
                .isEqualTo(2);
    }

    /** From the first of them on, not from the last. */
    @Test
    void shouldNotPutOffAnIterationForEver() {
        harness.deliver(connector.job(1, 1));
        harness.advance(Duration.ofMillis(3));
        harness.deliver(connector.job(2, 1));
        harness.advance(Duration.ofMillis(1));

        assertThat(harness.iterations()).hasSize(2);
    }

    /** Nobody reports anything meanwhile. */
    @Test
    void shouldIterateByItselfWhenTheCoreWantsTo() {
        harness.deliver(connector.fact(
                Topics.RM_JOBS,
                "j1",
                connector
                        .jobReport(1, 1)
                        .setStartAfter(connector.rmTime().plusSeconds(100))
                        .build()));
        assertThat(iterationsAfterAWhile()).isEqualTo(2);
        Instant wake = last().getNextWake();
        assertThat(wake).isEqualTo(connector.rmTime().plusSeconds(100));

        harness.advance(Duration.between(harness.now(), wake).minusMillis(1));
        assertThat(harness.iterations()).hasSize(2);
        harness.advance(Duration.ofMillis(1));

        assertThat(harness.iterations()).hasSize(3);
        assertThat(last().getTrigger()).isEqualTo(IterationTrigger.WAKE);
        assertThat(last().getNow()).isEqualTo(wake);
        assertThat(iterationsAfterAWhile()).isEqualTo(3);
    }

    /** Of several connectors the one whose time is latest counts. */
    @Test
    void shouldFollowTheLatestTimeOfAllConnectors() {
        FakeConnector other = new FakeConnector(harness, "alpha", "other");
        other.at(connector.rmTime().minusSeconds(3_000));
        harness.deliver(other.hello());
        harness.deliver(other.heartbeat());
        harness.advance(Duration.ofHours(2));
        harness.deliver(connector.job(1, 1));
        iterationsAfterAWhile();
        assertThat(last().getNow()).isEqualTo(connector.rmTime().plusSeconds(300));

        other.at(connector.rmTime().plusSeconds(3_000));
        harness.deliver(other.heartbeat());

        assertThat(last().getNow()).isEqualTo(connector.rmTime().plusSeconds(3_300));
    }

    @Test
    void shouldHurryForAJobThatComesOnHold() {
        harness.deliver(connector.fact(
                Topics.RM_JOBS,
                "j1",
                connector.jobReport(1, 1).setState(JobState.HOLD).build()));

        assertThat(iterationsAfterAWhile())
                .as("a job that came is news, held or not")
                .isEqualTo(2);
    }

    @Test
    void shouldNotHurryForAConnectorThatBegins() {
        harness.deliver(connector.hello());

        assertThat(iterationsAfterAWhile()).as("its first poll comes soon").isEqualTo(1);
    }

    private int iterationsAfterAWhile() {
        harness.advance(Duration.ofMillis(10));
        harness.advance(Duration.ofMillis(10));
        return harness.iterations().size();
    }

    private GenericEvent event() {
        return GenericEvent.newBuilder()
                .setCluster("alpha")
                .setName("fan")
                .setObjectType("node")
                .setObjectId("n1")
                .setTime(harness.now())
                .build();
    }

    private org.apache.kafka.clients.consumer.ConsumerRecord<byte[], byte[]> request(
            RequestKind kind, String object, NameValue... arguments) {
        return harness.write(
                Topics.REQUESTS,
                "alpha/r1",
                Request.newBuilder()
                        .setCluster("alpha")
                        .setRequestId("r1")
                        .setKind(kind)
                        .setObjectId(object)
                        .setPrincipal("root")
                        .setTime(harness.now())
                        .setArguments(List.of(arguments))
                        .setLevel(1)
                        .build(),
                StreamHarness.noHeaders());
    }

    private Iteration last() {
        return harness.iterations().get(harness.iterations().size() - 1);
    }
}
