package io.weir.rm.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.rm.runtime.command.Backlog;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.RmCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/**
 * What every resource manager has to do: what it shows, how it starts and ends jobs, and what it knows after a loss of
 * contact or a crash. An integration extends this class.
 */
public abstract class ResourceManagerContractTest extends CommandContractTest {

    @Test
    void shouldBeFoundByType() {
        assertThat(ServiceLoader.load(ResourceManagerProvider.class))
                .extracting(ResourceManagerProvider::type)
                .contains(type());
        assertThat(rm.capabilities().type()).isEqualTo(type());
    }

    @Test
    void shouldListEveryEntityOnceUnderItsCluster() {
        Poll poll = rm.poll();

        assertThat(poll.nodes()).hasSizeGreaterThanOrEqualTo(2);
        assertThat(poll.nodes()).extracting(NodeReport::getNodeId).doesNotHaveDuplicates();
        assertThat(poll.nodes()).extracting(NodeReport::getCluster).containsOnly(cluster());
        assertThat(poll.jobs()).hasSizeGreaterThanOrEqualTo(2);
        assertThat(poll.jobs()).extracting(JobReport::getJobId).doesNotHaveDuplicates();
        assertThat(poll.jobs()).extracting(JobReport::getCluster).containsOnly(cluster());
    }

    @Test
    void shouldTellTimeInWholeSecondsThatDoesNotGoBack() {
        Instant first = rm.now();
        Poll poll = rm.poll();
        Instant last = rm.now();

        assertThat(List.of(first, poll.rmTime(), last)).isSorted();
        assertThat(poll.rmTime().getNano()).isZero();
        assertThat(poll.jobs())
                .allSatisfy(job -> assertThat(job.getSubmitTime().getNano()).isZero());
    }

    @Test
    void shouldReportTheSameWhenNothingHappened() {
        assertThat(rm.poll().jobs()).isEqualTo(rm.poll().jobs());
        assertThat(rm.poll().nodes()).isEqualTo(rm.poll().nodes());
    }

    @Test
    void shouldStartJobWhereTold() {
        NodeAllocation where = new NodeAllocation(idleNode(1), 1);

        RmAnswer answer = carryOut(start(job(0), where));

        assertThat(answer.outcome()).isEqualTo(CommandOutcome.DONE);
        JobReport job = report(job(0));
        assertThat(job.getState()).isIn(JobState.STARTING, JobState.RUNNING);
        assertThat(job.getAllocation()).containsExactly(where);
        assertThat(job.getStartTime()).isEqualTo(answer.effectTime());
    }

    @Test
    void shouldRefuseToStartJobThatRuns() {
        String first = idleNode(0);
        String second = idleNode(1);
        carryOut(start(job(0), new NodeAllocation(first, 1)));

        RmAnswer answer = carryOut(start(job(0), new NodeAllocation(second, 1)));

        assertThat(answer.outcome()).isEqualTo(CommandOutcome.REFUSED);
        assertThat(answer.message()).isNotBlank();
        assertThat(report(job(0)).getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly(first);
    }

    @Test
    void shouldRefuseWhatDoesNotExist() {
        NodeAllocation nowhere = new NodeAllocation("there-is-no-such-node", 1);

        assertThat(carryOut(start(job(0), nowhere)).outcome()).isEqualTo(CommandOutcome.REFUSED);
        assertThat(carryOut(start("there-is-no-such-job", new NodeAllocation(idleNode(0), 1)))
                        .outcome())
                .isEqualTo(CommandOutcome.REFUSED);
        assertThat(report(job(0)).getState()).isEqualTo(JobState.IDLE);
    }

    @Test
    void shouldCancelRunningJobAndReportItsEnd() {
        carryOut(start(job(0), new NodeAllocation(idleNode(0), 1)));

        assertDone(command(CommandKind.CANCEL_JOB, job(0)));

        JobReport job = report(job(0));
        assertThat(job.getState()).isEqualTo(JobState.CANCELLED);
        assertThat(job.getEndTime()).isNotNull();
    }

    @Test
    void shouldKnowWhatWasNotDone() {
        RmCommand never = start(job(0), new NodeAllocation(idleNode(0), 1));

        assertThat(Commands.lookup(rm, never).verdict())
                .isIn(CommandCheck.Verdict.NOT_DONE, CommandCheck.Verdict.UNKNOWN);
        assertThat(report(job(0)).getState()).isEqualTo(JobState.IDLE);
    }

    @Test
    void shouldKnowWhatWasDoneEvenAfterCrash() {
        RmCommand start = start(job(0), new NodeAllocation(idleNode(0), 1));
        RmAnswer answer = carryOut(start);
        rm.sync();
        assertKnows(start, answer);

        restart();

        assertKnows(start, answer);
        assertThat(report(job(0)).getState()).isIn(JobState.STARTING, JobState.RUNNING);
    }

    @Test
    void shouldShowEndedJobAgainAfterCrash() {
        carryOut(start(job(0), new NodeAllocation(idleNode(0), 1)));
        carryOut(command(CommandKind.CANCEL_JOB, job(0)));
        rm.poll();
        rm.sync();

        restart();

        assertThat(report(job(0)).getState()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void shouldSayThatContactIsLostAndGoOnWhenItIsBack() {
        Poll before = rm.poll();
        NodeAllocation where = new NodeAllocation(before.nodes().get(0).getNodeId(), 1);
        String job = waiting(before).get(0);
        RmCommand start = start(job, where);
        Runner runner = new Runner(Backlog.EMPTY);
        runner.accept(start);

        lose();
        assertThatThrownBy(rm::poll).isInstanceOf(RetriableRmException.class);
        assertThatThrownBy(runner::drain).isInstanceOf(RetriableRmException.class);
        assertThat(runner.answers()).isEmpty();
        restore();

        runner.insist();
        assertThat(runner.answerTo(start).outcome()).as("%s", runner.answers()).isEqualTo(CommandOutcome.DONE);
        assertThat(report(job).getAllocation()).containsExactly(where);
    }

    @Test
    void shouldGiveUpOnSlowOneAndFindOutWhatBecameOfTheCommand() {
        Poll before = rm.poll();
        NodeAllocation where = new NodeAllocation(before.nodes().get(0).getNodeId(), 1);
        String job = waiting(before).get(0);
        RmCommand start = start(job, where);
        Runner runner = new Runner(Backlog.EMPTY);
        runner.accept(start);

        slowDown();
        Instant began = Instant.now();
        assertThatThrownBy(runner::drain).isInstanceOf(RetriableRmException.class);
        assertThat(Duration.between(began, Instant.now())).isLessThan(patience());
        speedUp();

        runner.insist();
        assertThat(runner.answerTo(start).outcome()).as("%s", runner.answers()).isEqualTo(CommandOutcome.DONE);
        JobReport running = report(job);
        assertThat(running.getAllocation()).containsExactly(where);
        assertThat(running.getStartTime()).isEqualTo(runner.answerTo(start).effectTime());
    }

    @Test
    void shouldCarryOutDuplicateCommandOnce() {
        String job = job(0);
        RmCommand start = start(job, new NodeAllocation(idleNode(0), 1));
        Runner runner = new Runner(Backlog.EMPTY);
        runner.accept(start);
        runner.accept(start);
        runner.insist();
        runner.accept(start);
        runner.insist();
        awaitState(job, JobState.RUNNING);
        JobReport running = report(job);

        // Past the runner: the resource manager itself does not start it twice either.
        try {
            carryOut(start);
        } catch (RmException e) {
            assertThat(e).hasMessageContaining("carried out before");
        }

        assertThat(runner.answers()).containsOnlyKeys(start.getCommandId());
        assertThat(report(job)).isEqualTo(running);
    }

    private void assertKnows(RmCommand command, RmAnswer answer) {
        CommandCheck check = Commands.lookup(rm, command);
        if (check.verdict() == CommandCheck.Verdict.UNKNOWN) {
            return;
        }
        assertThat(check.verdict()).isEqualTo(CommandCheck.Verdict.ANSWERED);
        assertThat(check.answer()).isEqualTo(answer);
    }
}
