package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.Iteration;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.RmCommand;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Epochs, numbers and counts at their edges. A HELLO, node n1 and the first heartbeat have come. */
class ClusterIntakeTest {
    private final StreamHarness harness = StreamHarness.rm();
    private final FakeConnector connector = new FakeConnector(harness);

    @BeforeEach
    void open() {
        harness.deliver(connector.hello());
        harness.deliver(connector.node("n1", 4));
        harness.deliver(connector.heartbeat());
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void shouldRefuseAFactWithoutEpochOrWithNumberZero() {
        Headers noEpoch = connector.headers(1);
        noEpoch.remove(FactHeaders.EPOCH.name());
        harness.deliver(job(1, noEpoch));
        harness.deliver(job(1, connector.headers(0)));

        assertThat(harness.causes()).containsExactly("BAD_HEADERS", "BAD_HEADERS");
        assertThat(lastLetter().getMessage())
                .isEqualTo("Epoch or sequence is missing or out of range; a fact needs weir-epoch and weir-seq beside"
                        + " weir-connector");
    }

    @Test
    void shouldRefuseAnotherConnectorsResult() {
        harness.deliver(
                harness.write(Topics.RESULTS, "alpha/j1", result("other"), connector.nextHeaders(Topics.RESULTS)));
        RecordHeaders again = new RecordHeaders(connector.headers(1).toArray());
        FactHeaders.REDRIVEN_FROM.put(again, "rm.results-0@0");
        harness.deliver(harness.write(Topics.RESULTS, "alpha/j1", result("other"), again));

        assertThat(harness.causes()).containsExactly("BAD_HEADERS", "BAD_HEADERS");
        assertThat(harness.read(Topics.DEAD_LETTERS))
                .extracting(DeadLetter::getMessage)
                .containsOnly("Connector 'other' in the record, 'sim' in the header weir-connector");
    }

    @Test
    void shouldRefuseAHeartbeatOfAKindThatOnlyALaterBuildKnows() {
        harness.deliver(harness.write(
                Topics.RM_HEARTBEATS,
                "alpha/sim",
                connector.beat(HeartbeatKind.UNKNOWN, 2, false),
                connector.headers(2)));

        assertThat(harness.causes()).containsExactly("UNDECODABLE");
        assertThat(lastLetter().getMessage()).contains("upgrade the scheduler");
    }

    @Test
    void shouldRefuseAHeartbeatWithoutEpochOrWithNumberZero() {
        Headers noEpoch = connector.headers(2);
        noEpoch.remove(FactHeaders.EPOCH.name());
        harness.deliver(heartbeat(2, noEpoch));
        harness.deliver(heartbeat(0, connector.headers(0)));
        Headers noNumber = connector.headers(2);
        noNumber.remove(FactHeaders.SEQUENCE.name());
        harness.deliver(heartbeat(2, noNumber));

        assertThat(harness.causes()).containsExactly("BAD_HEADERS", "BAD_HEADERS", "BAD_HEADERS");
        assertThat(lastLetter().getMessage())
                .isEqualTo("Heartbeat 2 with epoch 0 and weir-seq -1; the last has to be its number");
    }

    @Test
    void shouldRefuseAHeartbeatOfAnEpochThatNoHelloOpened() {
        Headers headers = connector.headers(2);
        FactHeaders.EPOCH.put(headers, 1);
        harness.deliver(heartbeat(2, headers));

        assertThat(harness.causes()).containsExactly("UNKNOWN_EPOCH");
        assertThat(lastLetter().getMessage())
                .isEqualTo("Epoch 1 of connector 'sim': there is no HELLO at that offset of rm.heartbeats; restart the"
                        + " connector");
    }

    /** The last heartbeat seen has offset 1: an epoch of that number can no longer open, a later one can. */
    @Test
    void shouldHaveAFactWaitOnlyForAnEpochThatMayStillOpen() {
        Headers passed = connector.headers(1);
        FactHeaders.EPOCH.put(passed, 1);
        harness.deliver(job(1, passed));
        assertThat(harness.causes()).containsExactly("UNKNOWN_EPOCH");

        Headers next = connector.headers(1);
        FactHeaders.EPOCH.put(next, 2);
        harness.deliver(job(1, next));
        assertThat(harness.causes()).hasSize(1);

        harness.deliver(connector.heartbeat());
        assertThat(harness.causes()).as("offset 2 was no HELLO").containsExactly("UNKNOWN_EPOCH", "UNKNOWN_EPOCH");
    }

    @Test
    void shouldTakeFactsThatCameBeforeTheirHello() {
        ConsumerRecord<byte[], byte[]> hello = connector.hello();
        harness.deliver(connector.node("n2", 4));
        harness.deliver(connector.job(1, 1));
        harness.advance(Duration.ofSeconds(1));
        assertThat(harness.meter("weir.facts.parked")).isEqualTo(2);
        long journaled = harness.journaledInputs();

        harness.deliver(hello);

        assertThat(harness.journaledInputs()).isEqualTo(journaled + 3);
        harness.advance(Duration.ofSeconds(1));
        assertThat(harness.meter("weir.facts.parked")).isZero();
        harness.deliver(connector.heartbeat());
        assertThat(harness.iterations()).hasSize(2);
        assertThat(harness.causes()).isEmpty();
    }

    @Test
    void shouldDropWhatWaitsOfAnEpochThatIsPassedOver() {
        connector.hello();
        harness.deliver(connector.node("n2", 4));
        FakeConnector successor = new FakeConnector(harness);
        ConsumerRecord<byte[], byte[]> hello = successor.hello();
        harness.deliver(successor.node("n3", 4));

        harness.deliver(hello);

        assertThat(harness.dropped("stale")).isEqualTo(1);
        assertThat(harness.causes()).isEmpty();
        harness.deliver(successor.heartbeat());
        assertThat(harness.iterations()).hasSize(2);
    }

    @Test
    void shouldDropAReportOfTheLastEpochThatWaitsForItsNode() {
        harness.deliver(connector.running(1, 1, "n9"));

        harness.deliver(connector.hello());

        assertThat(harness.dropped("stale")).isEqualTo(1);
        harness.deliver(connector.node("n9", 4));
        harness.deliver(connector.heartbeat());
        assertThat(harness.read(Topics.JOBS)).isEmpty();
    }

    @Test
    void shouldLeaveAloneWhatWaitsOfAnotherConnector() {
        FakeConnector other = new FakeConnector(harness, "alpha", "other");
        harness.deliver(other.hello());
        harness.deliver(other.running(1, 1, "n9"));

        harness.deliver(connector.hello());
        assertThat(harness.dropped("stale")).isZero();
        harness.deliver(other.node("n9", 4));
        harness.deliver(other.heartbeat());

        assertThat(harness.read(Topics.JOBS))
                .extracting(JobStatus::getJobId, JobStatus::getState)
                .contains(org.assertj.core.groups.Tuple.tuple("j1", JobState.RUNNING));
    }

    /** The poll of one connector says nothing of what another one reported. */
    @Test
    void shouldNotRefuseWhatWaitsOfAnotherConnectorWhenAPollIsOver() {
        FakeConnector other = new FakeConnector(harness, "alpha", "other");
        harness.deliver(other.hello());
        harness.deliver(other.running(1, 1, "n9"));

        harness.deliver(connector.heartbeat());
        assertThat(harness.causes()).isEmpty();
        harness.deliver(other.heartbeat());

        assertThat(harness.causes()).containsExactly("UNKNOWN_NODE");
    }

    /** A report behind those that a poll counts is not the poll's. */
    @Test
    void shouldNotRefuseWhatAPollDoesNotCount() {
        ConsumerRecord<byte[], byte[]> poll = connector.heartbeat();
        harness.deliver(connector.running(1, 1, "n9"));

        harness.deliver(poll);

        assertThat(harness.causes()).isEmpty();
        harness.deliver(connector.node("n9", 4));
        harness.deliver(connector.heartbeat());
        assertThat(harness.read(Topics.JOBS)).extracting(JobStatus::getJobId).containsExactly("j1");
    }

    @Test
    void shouldTakeAReportThatWaitedForItsNodeOnce() {
        harness.deliver(connector.running(1, 1, "n9"));
        harness.deliver(connector.node("n9", 4));
        harness.advance(Duration.ofSeconds(1));
        assertThat(harness.meter("weir.facts.parked")).isZero();
        long journaled = harness.journaledInputs();

        harness.deliver(connector.node("n9", 8));
        harness.deliver(connector.heartbeat());

        assertThat(harness.journaledInputs()).isEqualTo(journaled + 2);
    }

    @Test
    void shouldRefuseAForeignReportWhoseNodeNoPollReports() {
        try (StreamHarness open = new StreamHarness(StreamHarness.settings(ClockMode.RM, true))) {
            FakeConnector sim = new FakeConnector(open);
            open.deliver(sim.hello());
            open.deliver(open.write(
                    Topics.RM_JOBS,
                    "alpha/j1",
                    sim.jobReport(1, 1)
                            .setState(JobState.RUNNING)
                            .setStartTime(sim.rmTime())
                            .setAllocation(List.of(new io.weir.schemas.NodeAllocation("n9", 1)))
                            .build(),
                    StreamHarness.noHeaders()));
            assertThat(open.causes()).isEmpty();

            open.deliver(sim.heartbeat());

            assertThat(open.causes()).containsExactly("UNKNOWN_NODE");
        }
    }

    @Test
    void shouldTakeAHelloThatComesAgainForADuplicate() {
        ConsumerRecord<byte[], byte[]> hello = connector.hello();
        harness.deliver(hello);
        harness.deliver(connector.node("n1", 4));
        long journaled = harness.journaledInputs();

        harness.rewriteStores((entities, intake) -> intake.remove("/partition"));
        harness.start();
        harness.deliver(hello);

        assertThat(harness.dropped("duplicate")).isEqualTo(1);
        assertThat(harness.journaledInputs()).isEqualTo(journaled);
        harness.deliver(connector.heartbeat());
        assertThat(harness.iterations()).hasSize(2);
    }

    @Test
    void shouldLetTheOldestOfMoreThanSixtyFourHeartbeatsGo() {
        connector.lose(Topics.RM_JOBS);
        for (int held = 1; held <= 64; held++) {
            harness.deliver(connector.heartbeat());
        }
        harness.advance(Duration.ofSeconds(1));
        assertThat(harness.meter("weir.heartbeats.held")).isEqualTo(64);
        assertThat(harness.iterations()).hasSize(1);

        harness.deliver(connector.heartbeat());

        assertThat(harness.causes()).containsExactly("INCOMPLETE");
        assertThat(harness.meter("weir.gaps")).isEqualTo(1);
        assertThat(harness.iterations())
                .as("what the first asked for, the others do not wait for")
                .hasSize(66);
        assertThat(lastLetter().getMessage())
                .isEqualTo("Heartbeat 2 of connector 'sim' counts facts that never came: rm.jobs 1..1; a full poll is"
                        + " asked for");
    }

    @Test
    void shouldGiveUpEveryHeartbeatWhoseFactsAreLost() {
        connector.lose(Topics.RM_JOBS);
        harness.deliver(connector.heartbeat());
        connector.lose(Topics.RM_NODES);
        harness.deliver(connector.heartbeat());

        harness.advance(Duration.ofSeconds(10));

        assertThat(harness.iterations()).hasSize(3);
        assertThat(harness.causes()).containsExactly("INCOMPLETE", "INCOMPLETE");
    }

    /** A number that is out of turn, of another epoch or another connector is none of those the next heartbeat counts. */
    @Test
    void shouldCountARejectedRecordOnlyWhereItIsTheNextOfItsEpoch() {
        Headers epoch = connector.headers(1);
        FactHeaders.EPOCH.put(epoch, 7);
        harness.deliver(poison(epoch));
        harness.deliver(poison(connector.headers(2)));
        RecordHeaders stranger = new RecordHeaders(connector.headers(1).toArray());
        FactHeaders.CONNECTOR.put(stranger, "stranger");
        harness.deliver(poison(stranger));
        for (String header : List.of("weir-connector", "weir-epoch", "weir-seq")) {
            Headers without = connector.headers(1);
            without.remove(header);
            harness.deliver(poison(without));
        }
        connector.lose(Topics.RM_JOBS);
        harness.deliver(connector.heartbeat());
        assertThat(harness.causes()).hasSize(6).containsOnly("UNDECODABLE");
        assertThat(harness.iterations()).hasSize(1);

        harness.deliver(poison(connector.headers(1)));

        assertThat(harness.iterations()).hasSize(2);
        assertThat(harness.causes()).hasSize(7).containsOnly("UNDECODABLE");
    }

    @Test
    void shouldAskForEverythingInTheNameOfTheConnectorThatLostFacts() {
        connector.lose(Topics.RM_JOBS);
        harness.deliver(connector.heartbeat());
        harness.advance(Duration.ofSeconds(10));

        assertThat(harness.read(Topics.COMMANDS))
                .extracting(RmCommand::getKind, RmCommand::getConnector)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(CommandKind.FULL_POLL, "sim"));
    }

    @Test
    void shouldKeepHeldHeartbeatsAndTheirNumbersOverARestart() {
        ConsumerRecord<byte[], byte[]> job = connector.job(1, 1);
        harness.deliver(connector.heartbeat());
        harness.deliver(connector.heartbeat());
        harness.start();
        harness.advance(Duration.ofSeconds(1));
        assertThat(harness.meter("weir.heartbeats.held")).isEqualTo(2);

        harness.deliver(job);

        assertThat(harness.iterations())
                .extracting(Iteration::getAnswers)
                .extracting(answer -> answer.getNumber())
                .containsExactly(1L, 2L, 3L);
    }

    /** A connector may have numbered a hundred facts that it failed to write. */
    @Test
    void shouldTakeTheHighestNumbersThatCanHaveBeenReached() {
        harness.deliver(job(101, connector.headers(101)));
        assertThat(harness.causes()).isEmpty();

        for (int number = 2; number <= 101; number++) {
            connector.heartbeat();
        }
        harness.deliver(heartbeat(102, connector.headers(102)));

        assertThat(harness.causes()).isEmpty();
    }

    /** Nothing but the fact moves what is stored of the connector. */
    @Test
    void shouldRememberOverARestartThatAFactCame() {
        harness.start();
        harness.deliver(connector.job(1, 1));

        harness.start();
        harness.deliver(connector.heartbeat());

        assertThat(harness.iterations()).hasSize(2);
    }

    @Test
    void shouldRememberOverARestartThatARejectedRecordWasCounted() {
        harness.start();
        harness.deliver(poison(connector.headers(1)));
        connector.lose(Topics.RM_JOBS);

        harness.start();
        harness.deliver(connector.heartbeat());

        assertThat(harness.iterations()).hasSize(2);
    }

    @Test
    void shouldRememberOverARestartThatAHeartbeatWasGivenUp() {
        connector.lose(Topics.RM_JOBS);
        harness.deliver(connector.heartbeat());
        harness.start();
        harness.advance(Duration.ofSeconds(10));
        assertThat(harness.causes()).containsExactly("INCOMPLETE");

        harness.start();
        harness.advance(Duration.ofSeconds(20));

        assertThat(harness.meter("weir.heartbeats.held")).isZero();
        assertThat(harness.causes()).containsExactly("INCOMPLETE");
        assertThat(harness.iterations()).hasSize(2);
    }

    @Test
    void shouldRememberOverARestartWhichEpochWasOpened() {
        harness.start();
        harness.deliver(connector.hello());

        harness.start();
        harness.deliver(connector.node("n1", 4));
        harness.deliver(connector.heartbeat());

        assertThat(harness.causes()).isEmpty();
        assertThat(harness.iterations()).hasSize(2);
    }

    private DeadLetter lastLetter() {
        List<DeadLetter> letters = harness.read(Topics.DEAD_LETTERS);
        return letters.get(letters.size() - 1);
    }

    private ConsumerRecord<byte[], byte[]> job(long number, Headers headers) {
        return harness.write(
                Topics.RM_JOBS,
                "alpha/j" + number,
                connector.jobReport(number, 1).build(),
                headers);
    }

    private ConsumerRecord<byte[], byte[]> heartbeat(long number, Headers headers) {
        return harness.write(
                Topics.RM_HEARTBEATS, "alpha/sim", connector.beat(HeartbeatKind.HEARTBEAT, number, false), headers);
    }

    private ConsumerRecord<byte[], byte[]> poison(Headers headers) {
        return harness.write(
                Topics.RM_JOBS,
                "alpha/j1".getBytes(StandardCharsets.UTF_8),
                new byte[] {1},
                harness.now().toEpochMilli(),
                headers);
    }

    private CommandResult result(String of) {
        return CommandResult.newBuilder()
                .setCluster("alpha")
                .setConnector(of)
                .setNumber(1)
                .setCommandId("c1")
                .setJobId("j1")
                .setOutcome(CommandOutcome.DONE)
                .setEffectTime(connector.rmTime())
                .build();
    }
}
