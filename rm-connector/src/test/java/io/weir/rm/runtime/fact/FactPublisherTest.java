package io.weir.rm.runtime.fact;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.runtime.FakeResourceManager;
import io.weir.rm.runtime.InMemoryLog;
import io.weir.rm.runtime.InMemoryLog.Entry;
import io.weir.rm.spi.Commands;
import io.weir.rm.spi.Poll;
import io.weir.rm.spi.RmAnswer;
import io.weir.rm.spi.RmCapabilities;
import io.weir.schemas.CommandKind;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeMetric;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.TopicCount;
import io.weir.topics.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FactPublisherTest {
    private final InMemoryLog log = new InMemoryLog();
    private final FakeResourceManager rm = new FakeResourceManager();
    private FactPublisher publisher;

    @BeforeEach
    void openEpoch() {
        rm.node("n1", NodeState.IDLE);
        rm.node("n2", NodeState.IDLE);
        rm.job("1", JobState.RUNNING);
        rm.job("2", JobState.IDLE);
        log.openFacts(false)
                .appendFirst(
                        Topics.RM_HEARTBEATS,
                        "rm",
                        Heartbeat.newBuilder(hello()).build(),
                        "rm");
        publisher = new FactPublisher(log.openFacts(false), "c1", "rm", Duration.ofMillis(1500));
        publisher.hello(rm.capabilities(), rm.now());
    }

    private static Heartbeat hello() {
        return Heartbeat.newBuilder()
                .setCluster("c1")
                .setConnector("rm")
                .setKind(HeartbeatKind.HELLO)
                .setNumber(0)
                .setRmTime(Instant.EPOCH)
                .build();
    }

    @Test
    void shouldTakeTheOffsetOfTheHelloAsEpoch() {
        poll(0, false);

        assertThat(log.facts()).last().extracting(Entry::origin).isEqualTo(new FactOrigin("rm", 1, 1));
    }

    @Test
    void shouldPublishEverythingFirstAndCountIt() {
        poll(0, false);

        Heartbeat heartbeat = lastHeartbeat();
        assertThat(heartbeat.getFull()).isTrue();
        assertThat(heartbeat.getNumber()).isEqualTo(1);
        assertThat(heartbeat.getCounts())
                .containsExactly(
                        new TopicCount("results", 0L), new TopicCount("rm.jobs", 2L), new TopicCount("rm.nodes", 2L));
    }

    /** By the first contact, which comes after the HELLO, the version is known. */
    @Test
    void shouldTellTypeAndVersionWithFullPolls() {
        publisher.poll(
                rm.poll(),
                new RmCapabilities("fake", "22.05", Set.of()),
                FinishedCommands.upTo(0),
                false,
                PollTrouble.NONE);
        assertThat(lastHeartbeat().getRmType()).isEqualTo("fake");
        assertThat(lastHeartbeat().getRmVersion()).isEqualTo("22.05");
        assertThat(lastHeartbeat().getPollSeconds()).isEqualTo(2);

        poll(0, false);
        assertThat(lastHeartbeat().getRmVersion()).isNull();
        assertThat(lastHeartbeat().getPollSeconds()).isNull();

        poll(0, true);
        assertThat(lastHeartbeat().getRmVersion()).isEqualTo("1");
        assertThat(lastHeartbeat().getPollSeconds()).isEqualTo(2);
    }

    @Test
    void shouldPublishMeasurementsWhenTheyChangeAndEventsOnce() {
        GenericEvent hot = GenericEvent.newBuilder()
                .setCluster("c1")
                .setName("hitemp")
                .setObjectType("node")
                .setObjectId("n1")
                .setTime(Instant.EPOCH)
                .build();
        for (double temperature : new double[] {50, 50, 51}) {
            NodeMetric metric = new NodeMetric("c1", "n1", "temp", temperature, Instant.EPOCH);
            Poll poll = new Poll(rm.now(), List.of(), List.of(), List.of(metric), List.of(hot));
            publisher.poll(poll, rm.capabilities(), FinishedCommands.upTo(0), false, PollTrouble.NONE);
        }

        assertThat(log.facts(Topics.MONITORING_METRICS))
                .extracting(NodeMetric::getValue)
                .containsExactly(50.0, 51.0);
        assertThat(log.facts(Topics.MONITORING_EVENTS)).containsExactly(hot);
        assertThat(lastHeartbeat().getCounts())
                .as("counts are of the connector's own topics")
                .hasSize(3);
    }

    @Test
    void shouldPublishOnlyWhatChangedAfterwards() {
        poll(0, false);
        rm.job("1", JobState.COMPLETED);
        poll(0, false);

        assertThat(jobs())
                .extracting(JobReport::getState)
                .containsExactly(JobState.RUNNING, JobState.IDLE, JobState.COMPLETED);
        assertThat(log.facts(Topics.RM_NODES)).hasSize(2);
        assertThat(lastHeartbeat().getFull()).isFalse();
        assertThat(lastHeartbeat().getCounts()).contains(new TopicCount("rm.jobs", 3L));
    }

    @Test
    void shouldNotPublishANodeAgainOnlyBecauseItWasHeardOf() {
        publish(heard(10, NodeState.IDLE));
        publish(heard(20, NodeState.IDLE));
        assertThat(log.facts(Topics.RM_NODES)).hasSize(1);

        publish(heard(30, NodeState.BUSY));
        assertThat(log.facts(Topics.RM_NODES))
                .hasSize(2)
                .last()
                .satisfies(node -> assertThat(node.getUpdateTime()).isEqualTo(Instant.ofEpochSecond(30)));
    }

    @Test
    void shouldNumberRecordsPerTopic() {
        poll(0, false);
        publisher.result(Commands.command(1, CommandKind.START_JOB, "2"), RmAnswer.done(rm.now()));
        poll(1, false);

        assertThat(log.facts().stream()
                        .filter(entry -> entry.origin() != null)
                        .map(entry ->
                                entry.topic().name() + " " + entry.origin().sequence()))
                .containsExactly(
                        "rm.nodes 1",
                        "rm.nodes 2",
                        "rm.jobs 1",
                        "rm.jobs 2",
                        "rm.heartbeats 1",
                        "results 1",
                        "rm.jobs 3",
                        "rm.heartbeats 2");
    }

    @Test
    void shouldPublishJobOfCommandThoughItDidNotChange() {
        poll(0, false);
        publisher.result(Commands.command(7, CommandKind.START_JOB, "2"), RmAnswer.refused("no"));
        poll(7, false);

        assertThat(jobs()).hasSize(3).last().satisfies(job -> {
            assertThat(job.getJobId()).isEqualTo("2");
            assertThat(job.getAsOfCommand()).isEqualTo(7);
        });
        assertThat(lastHeartbeat().getLastCommand()).isEqualTo(7);
    }

    @Test
    void shouldPublishAllAgainWhenAsked() {
        poll(0, false);
        poll(3, true);

        assertThat(jobs()).hasSize(4).extracting(JobReport::getAsOfCommand).containsExactly(0L, 0L, 3L, 3L);
        assertThat(lastHeartbeat().getFull()).isTrue();
    }

    @Test
    void shouldReportWhatDisappearedAsRemoved() {
        poll(0, false);
        rm.removeJob("2");
        rm.removeNode("n2");
        poll(0, false);
        poll(0, false);

        assertThat(jobs()).hasSize(3).last().extracting(JobReport::getState).isEqualTo(JobState.REMOVED);
        assertThat(log.facts(Topics.RM_NODES))
                .hasSize(3)
                .last()
                .extracting(NodeReport::getState)
                .isEqualTo(NodeState.REMOVED);
    }

    @Test
    void shouldReportWhatDisappearedWhileAnotherIsListedTwice() {
        poll(0, false);
        Poll listed = rm.poll();
        NodeReport node = listed.nodes().get(0);
        JobReport job = listed.jobs().get(0);
        publish(new Poll(listed.rmTime(), List.of(node, node), List.of(job, job)));

        assertThat(jobs()).last().extracting(JobReport::getState).isEqualTo(JobState.REMOVED);
        assertThat(log.facts(Topics.RM_NODES))
                .last()
                .extracting(NodeReport::getState)
                .isEqualTo(NodeState.REMOVED);
    }

    @Test
    void shouldNotReportForgottenEndedJobAgain() {
        rm.job("1", JobState.COMPLETED);
        poll(0, false);
        rm.removeJob("1");
        poll(0, false);

        assertThat(jobs()).hasSize(2);
    }

    @Test
    void shouldPublishEndsBeforeSubmissions() {
        poll(0, false);
        rm.job("0", JobState.IDLE);
        rm.job("2", JobState.CANCELLED);
        rm.job("3", JobState.IDLE);
        poll(0, false);

        assertThat(jobs()).extracting(JobReport::getJobId).containsExactly("1", "2", "2", "0", "3");
    }

    /** Without the node the scheduler could not take in the job, and would give its other nodes away. */
    @Test
    void shouldReportTheNodeOfARunningJobThatIsNotListed() {
        Poll listed = rm.poll();
        JobReport running = JobReport.newBuilder(listed.jobs().get(0))
                .setAllocation(List.of(new NodeAllocation("n1", 1), new NodeAllocation("ny", 1)))
                .build();
        publish(new Poll(listed.rmTime(), listed.nodes(), List.of(running)));

        assertThat(log.facts(Topics.RM_NODES)).last().satisfies(node -> {
            assertThat(node.getNodeId()).isEqualTo("ny");
            assertThat(node.getState()).isEqualTo(NodeState.UNKNOWN);
        });
        assertThat(lastHeartbeat().getMalformed()).isEqualTo(1);
        publish(new Poll(listed.rmTime(), listed.nodes(), List.of()));
        assertThat(log.facts(Topics.RM_NODES))
                .last()
                .extracting(NodeReport::getState)
                .isEqualTo(NodeState.REMOVED);
        assertThat(lastHeartbeat().getMalformed()).isZero();
    }

    @Test
    void shouldPublishAReportWithoutWhatTheSchedulerWouldRefuse() {
        Poll listed = rm.poll();
        NodeReport down = NodeReport.newBuilder(listed.nodes().get(0))
                .setState(NodeState.DOWN)
                .setUpdateTime(Instant.ofEpochSecond(4_102_444_800L))
                .build();
        publish(new Poll(listed.rmTime(), List.of(down), listed.jobs()));

        assertThat(log.facts(Topics.RM_NODES)).last().satisfies(node -> {
            assertThat(node.getState()).isEqualTo(NodeState.DOWN);
            assertThat(node.getUpdateTime()).isNull();
        });
        assertThat(lastHeartbeat().getMalformed()).isEqualTo(1);
        publish(new Poll(listed.rmTime(), List.of(down), listed.jobs()));
        assertThat(lastHeartbeat().getMalformed()).as("as long as it lasts").isEqualTo(1);
    }

    private void poll(long lastCommand, boolean full) {
        publisher.poll(rm.poll(), rm.capabilities(), FinishedCommands.upTo(lastCommand), full, PollTrouble.NONE);
    }

    private void publish(Poll poll) {
        publisher.poll(poll, rm.capabilities(), FinishedCommands.upTo(0), false, PollTrouble.NONE);
    }

    private static Poll heard(long time, NodeState state) {
        NodeReport node = NodeReport.newBuilder()
                .setCluster("c1")
                .setNodeId("n1")
                .setState(state)
                .setProcs(4)
                .setUpdateTime(Instant.ofEpochSecond(time))
                .build();
        return new Poll(Instant.ofEpochSecond(time), List.of(node), List.of());
    }

    private List<JobReport> jobs() {
        return log.facts(Topics.RM_JOBS);
    }

    private Heartbeat lastHeartbeat() {
        List<Heartbeat> heartbeats = log.heartbeats();
        return heartbeats.get(heartbeats.size() - 1);
    }
}
