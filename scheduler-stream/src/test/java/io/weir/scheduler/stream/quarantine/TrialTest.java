package io.weir.scheduler.stream.quarantine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.FaultyScheduler;
import io.weir.scheduler.core.fact.Fact;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.QuarantineKind;
import io.weir.topics.AvroTrust;
import io.weir.topics.RegistryUnavailableException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Facts tried on a copy; node "bad" fails, and every copy that is made is counted. */
class TrialTest {
    static {
        AvroTrust.install();
    }

    private final ClusterScheduler cluster = new ClusterScheduler("alpha");
    private Throwable failure = new ArithmeticException("integer overflow");
    private int copies;

    private final Trial trial = new Trial(cluster::snapshot, this::core, new OutputLimits());

    private ClusterScheduler core() {
        copies++;
        return FaultyScheduler.of(
                "alpha", (kind, id) -> kind != QuarantineKind.INPUT && id.equals("bad"), () -> failure);
    }

    @Test
    void shouldSayHowAFactFailsAndLeaveTheClusterAlone() {
        assertThat(trial.attempt(node("bad", 4))).containsSame(failure);

        assertThat(cluster.snapshot()).noneMatch(change -> change.id().equals("bad"));
    }

    @Test
    void shouldFindNothingWrongWithWhatTheCoreTakesOrRejects() {
        assertThat(trial.attempt(node("n1", 4))).isEmpty();
        assertThat(trial.attempt(node("n1", -1))).isEmpty();
    }

    @Test
    void shouldKeepTheCopyThatWasToldEverything() {
        for (String id : List.of("n1", "n2", "n3")) {
            Fact fact = node(id, 4);
            trial.attempt(fact);
            cluster.apply(fact);
            trial.applied(fact);
        }

        assertThat(copies).isEqualTo(1);
    }

    @Test
    void shouldKeepTheCopyAfterAFactThatIsRejected() {
        trial.attempt(node("n1", -1));

        trial.attempt(node("n1", 4));

        assertThat(copies).isEqualTo(1);
    }

    @Test
    void shouldMakeANewCopyAfterAFailure() {
        trial.attempt(node("bad", 4));

        trial.attempt(node("n1", 4));

        assertThat(copies).isEqualTo(2);
    }

    @Test
    void shouldMakeANewCopyWhenTheClusterWasNotToldWhatTheCopyWas() {
        trial.attempt(node("n1", 4));

        trial.attempt(node("n2", 4));

        assertThat(copies).isEqualTo(2);
    }

    @Test
    void shouldMakeANewCopyWhenTheClusterWasToldSomethingElse() {
        trial.attempt(node("n1", 4));
        trial.applied(node("n2", 4));

        trial.attempt(node("n1", 4));

        assertThat(copies).isEqualTo(2);
    }

    @Test
    void shouldMakeANewCopyWhenTheClusterWasToldSomethingThatWasNotTried() {
        trial.attempt(node("n1", -1));
        trial.applied(node("n2", 4));

        trial.attempt(node("n1", 4));

        assertThat(copies).isEqualTo(2);
    }

    @Test
    void shouldMakeANewCopyWhenTheClusterChangedByItself() {
        Fact fact = node("n1", 4);
        trial.attempt(fact);
        trial.applied(fact);
        trial.changed();

        trial.attempt(node("n2", 4));

        assertThat(copies).isEqualTo(2);
    }

    /** The core takes the report only where it knows the node. */
    @Test
    void shouldTryOnTheStateOfTheCluster() {
        Fact report = Fact.foreign(JobReport.newBuilder()
                .setCluster("alpha")
                .setJobId("bad")
                .setQueueSequence(1)
                .setState(JobState.RUNNING)
                .setTasks(1)
                .setProcsPerTask(1)
                .setWalltimeSeconds(60L)
                .setSubmitTime(Instant.ofEpochSecond(1))
                .setStartTime(Instant.ofEpochSecond(1))
                .setAllocation(List.of(new NodeAllocation("n1", 1)))
                .build());
        assertThat(trial.attempt(report)).isEmpty();
        cluster.apply(node("n1", 4));
        trial.changed();

        assertThat(trial.attempt(report)).containsSame(failure);
    }

    @Test
    void shouldNotTakeAFailureOfTheMachineForTheFacts() {
        failure = new RegistryUnavailableException("away");

        assertThatThrownBy(() -> trial.attempt(node("bad", 4))).isSameAs(failure);
    }

    private static Fact node(String id, int procs) {
        return Fact.foreign(NodeReport.newBuilder()
                .setCluster("alpha")
                .setNodeId(id)
                .setState(NodeState.IDLE)
                .setProcs(procs)
                .build());
    }
}
