package io.weir.rm.runtime.command;

import static io.weir.rm.spi.Commands.command;
import static io.weir.rm.spi.Commands.expiring;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.rm.runtime.FakeResourceManager;
import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandKind;
import io.weir.schemas.JobState;
import io.weir.schemas.RmCommand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CommandExecutorTest {
    private final FakeResourceManager rm = new FakeResourceManager();
    private final List<String> results = new ArrayList<>();
    private final ResultSink sink = new ResultSink() {
        @Override
        public void answered(RmCommand command, RmAnswer answer) {
            results.add(command.getNumber() + " " + answer.outcome());
        }

        @Override
        public void expired(RmCommand command, String message) {
            results.add(command.getNumber() + " EXPIRED");
        }
    };
    private final CommandExecutor executor = new CommandExecutor(rm, Backlog.EMPTY, sink, () -> {});

    @BeforeEach
    void submitJobs() {
        rm.job("1", JobState.IDLE);
        rm.job("2", JobState.IDLE);
    }

    @Test
    void shouldExecuteInOrderAndAnswerEach() {
        executor.accept(command(1, CommandKind.START_JOB, "1"));
        executor.accept(command(2, CommandKind.START_JOB, "2"));
        executor.drain();

        assertThat(rm.calls()).containsExactly("execute 1", "execute 2");
        assertThat(results).containsExactly("1 DONE", "2 DONE");
        assertThat(executor.lastFinished()).isEqualTo(2);
        assertThat(executor.isIdle()).isTrue();
    }

    @Test
    void shouldExecuteCommandThatArrivesTwiceOnce() {
        executor.accept(command(1, CommandKind.START_JOB, "1"));
        executor.accept(command(1, CommandKind.START_JOB, "1"));
        executor.drain();
        executor.accept(command(1, CommandKind.START_JOB, "1"));
        executor.drain();

        assertThat(rm.calls()).containsExactly("execute 1");
        assertThat(results).containsExactly("1 DONE");
    }

    @Test
    void shouldAskBeforeRepeatingWhenTheAnswerWasLost() {
        rm.setLosesAnswers(true);
        executor.accept(command(1, CommandKind.START_JOB, "1"));
        assertThatThrownBy(executor::drain).isInstanceOf(RetriableRmException.class);

        executor.drain();

        assertThat(rm.calls()).containsExactly("execute 1", "lookup 1");
        assertThat(results).containsExactly("1 DONE");
    }

    @Test
    void shouldKeepTheQueueWhileTheResourceManagerIsAway() {
        executor.accept(command(1, CommandKind.START_JOB, "1"));
        executor.accept(command(2, CommandKind.START_JOB, "2"));
        rm.setAway(true);
        assertThatThrownBy(executor::drain).isInstanceOf(RetriableRmException.class);
        assertThat(results).isEmpty();

        rm.setAway(false);
        executor.drain();

        assertThat(rm.calls())
                .as("both may have been begun")
                .containsExactly("lookup 1", "execute 1", "lookup 2", "execute 2");
        assertThat(results).containsExactly("1 DONE", "2 DONE");
    }

    @Test
    void shouldAnnounceStartsThatFollowEachOther() {
        executor.accept(expiring(1, CommandKind.START_JOB, "1", Instant.ofEpochSecond(999)));
        executor.accept(command(2, CommandKind.START_JOB, "1"));
        executor.accept(command(3, CommandKind.START_JOB, "2"));
        executor.accept(command(4, CommandKind.CANCEL_JOB, "1"));
        executor.accept(command(5, CommandKind.START_JOB, "1"));
        executor.drain();

        assertThat(rm.announced()).as("neither the expired nor a single one").containsExactly(2L, 3L);
        assertThat(rm.calls()).containsExactly("execute 2", "execute 3", "execute 4", "execute 5");
        assertThat(results).containsExactly("1 EXPIRED", "2 DONE", "3 DONE", "4 DONE", "5 DONE");
    }

    @Test
    void shouldAnswerWhatWasFinishedBeforeTheResourceManagerWentAway() {
        executor.accept(command(1, CommandKind.FULL_POLL, null));
        executor.accept(command(2, CommandKind.START_JOB, "1"));
        rm.setAway(true);

        assertThatThrownBy(executor::drain).isInstanceOf(RetriableRmException.class);

        assertThat(results).containsExactly("1 DONE");
        assertThat(executor.lastFinished()).isEqualTo(1);
    }

    @Test
    void shouldNotTryExpiredCommand() {
        executor.accept(expiring(1, CommandKind.START_JOB, "1", Instant.ofEpochSecond(999)));
        executor.accept(expiring(2, CommandKind.START_JOB, "2", Instant.ofEpochSecond(1_000)));
        executor.drain();

        assertThat(rm.calls()).containsExactly("execute 2");
        assertThat(results).containsExactly("1 EXPIRED", "2 DONE");
    }

    @Test
    void shouldAnswerExpiredCommandThatWasCarriedOutAsDone() {
        rm.setLosesAnswers(true);
        executor.accept(expiring(1, CommandKind.START_JOB, "1", Instant.ofEpochSecond(1_000)));
        assertThatThrownBy(executor::drain).isInstanceOf(RetriableRmException.class);
        rm.setNow(Instant.ofEpochSecond(2_000));

        executor.drain();

        assertThat(results).containsExactly("1 DONE");
    }

    @Test
    void shouldAskAboutWhatAnEarlierProcessLeftUnanswered() {
        RmCommand done = command(4, CommandKind.START_JOB, "1");
        RmCommand notDone = command(5, CommandKind.START_JOB, "2");
        rm.execute(done);
        rm.calls().clear();

        CommandExecutor second = new CommandExecutor(rm, new Backlog(3, List.of(done, notDone), 5), sink, () -> {});
        second.accept(notDone);
        second.drain();

        assertThat(rm.calls()).containsExactly("lookup 4", "lookup 5", "execute 5");
        assertThat(results).containsExactly("4 DONE", "5 DONE");
        assertThat(second.lastFinished()).isEqualTo(5);
    }

    @Test
    void shouldJudgeByTheJobWhenTheResourceManagerKeepsNoIds() {
        rm.setRemembers(false);
        RmCommand done = command(1, CommandKind.START_JOB, "1");
        RmCommand notDone = command(2, CommandKind.START_JOB, "2");
        rm.execute(done);
        rm.calls().clear();

        CommandExecutor second = new CommandExecutor(rm, new Backlog(0, List.of(done, notDone), 2), sink, () -> {});
        second.drain();

        assertThat(rm.calls()).containsExactly("lookup 1", "lookup 2", "execute 2");
        assertThat(results).containsExactly("1 DONE", "2 DONE");
    }

    @Test
    void shouldRefuseWhatTheResourceManagerCannotDo() {
        executor.accept(command(1, CommandKind.SUSPEND_JOB, "1"));
        executor.drain();

        assertThat(rm.calls()).isEmpty();
        assertThat(results).containsExactly("1 REFUSED");
    }

    @Test
    void shouldTellThatAFullPollIsWantedOnce() {
        executor.accept(command(1, CommandKind.FULL_POLL, null));
        assertThat(executor.wantsFullPoll()).isTrue();
        executor.drain();

        assertThat(executor.takeFullPollWanted()).isTrue();
        assertThat(executor.takeFullPollWanted()).isFalse();
        assertThat(results).containsExactly("1 DONE");
    }
}
