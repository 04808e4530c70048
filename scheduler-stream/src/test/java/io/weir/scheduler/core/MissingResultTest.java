package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RmCommand;
import org.junit.jupiter.api.Test;

/** Commands that their connector counts as finished and never answers, as when it could not read them. */
class MissingResultTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture();

    private RmCommand start() {
        weir.nodes(1, 1).submit("j", 1, HOUR).iterateSilently(0);
        return weir.lastCommands().get(0);
    }

    private void poll(long number, boolean full, long time, long lastCommand) {
        weir.heartbeat(number, full, SchedulerFixture.EPOCH, time, lastCommand);
    }

    @Test
    void shouldAskForEverythingAndStartTheJobAgainThatStillWaits() {
        RmCommand start = start();
        poll(1, false, 1, start.getNumber());
        weir.iterateSilently(1);

        assertThat(weir.lastCommands()).extracting(RmCommand::getKind).containsExactly(CommandKind.FULL_POLL);
        assertThat(weir.lastNotifications())
                .filteredOn(notice -> notice.getEvent().equals("resultmissing"))
                .extracting(Notification::getText)
                .containsExactly("commands finished by rm without a result: 1, such as START_JOB of job j;"
                        + " everything is asked for anew");
        assertThat(weir.job("j").getState()).isEqualTo(JobState.STARTING);
        long fullPoll = weir.lastCommands().get(0).getNumber();

        weir.report("j", JobState.IDLE, fullPoll);
        poll(2, true, 2, fullPoll);
        weir.iterateSilently(2);

        assertThat(weir.started()).containsExactly("j");
        assertThat(weir.lastCommands())
                .singleElement()
                .satisfies(again -> assertThat(again.getNumber()).isGreaterThan(fullPoll));
    }

    /** One that runs was started, whoever lost the word of it, and is not started twice; its limit is in force again. */
    @Test
    void shouldGoOnWithTheJobThatRuns() {
        RmCommand start = start();
        poll(1, false, 1, start.getNumber());
        weir.iterateSilently(1);
        long fullPoll = weir.lastCommands().get(0).getNumber();

        weir.runsOn("j", fullPoll, start.getAllocation().toArray(NodeAllocation[]::new));
        poll(2, true, 2, fullPoll);
        weir.iterateSilently(2);
        assertThat(weir.lastCommands()).isEmpty();
        assertThat(weir.job("j").getState()).isEqualTo(JobState.RUNNING);

        weir.answer(start, CommandOutcome.DONE, 3).iterateSilently(HOUR);
        poll(3, false, HOUR + 10, fullPoll);
        weir.iterateSilently(HOUR + 10);
        assertThat(weir.lastCommands()).extracting(RmCommand::getKind).contains(CommandKind.CANCEL_JOB);
    }

    @Test
    void shouldLetAnOrderBeGivenAgainThatWasNotCarriedOut() {
        weir.nodes(1, 1).submit("j", 1, HOUR).iterate(0);
        weir.request("r1", RequestKind.CANCEL_JOB, "j").iterateSilently(1);
        RmCommand cancel = weir.lastCommands().get(0);
        poll(1, false, 2, cancel.getNumber());
        weir.iterateSilently(2);
        long fullPoll = weir.lastCommands().get(0).getNumber();
        weir.runsOn("j", fullPoll, new NodeAllocation("n1", 1));
        poll(2, true, 3, fullPoll);
        weir.iterateSilently(3);

        assertThat(weir.lastNotifications())
                .extracting(Notification::getText)
                .contains("CANCEL_JOB of job j counts as not carried out: the result of CANCEL_JOB, command "
                        + cancel.getNumber() + ", never came");
        weir.request("r2", RequestKind.CANCEL_JOB, "j").iterateSilently(4);
        assertThat(weir.lastCommands()).extracting(RmCommand::getKind).containsExactly(CommandKind.CANCEL_JOB);
    }

    @Test
    void shouldWaitForWhatIsNotFinished() {
        RmCommand start = start();
        poll(1, true, 1, start.getNumber() - 1);
        weir.iterateSilently(1);

        assertThat(weir.lastCommands()).isEmpty();
        assertThat(weir.job("j").getState()).isEqualTo(JobState.STARTING);
    }
}
