package io.weir.rm.runtime.command;

import static io.weir.rm.spi.Commands.command;
import static io.weir.rm.spi.Commands.expiring;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.weir.rm.runtime.FakeResourceManager;
import io.weir.rm.runtime.fact.FinishedCommands;
import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmAnswer;
import io.weir.rm.spi.RmException;
import io.weir.schemas.CommandKind;
import io.weir.schemas.JobState;
import io.weir.schemas.RmCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class CommandExecutorTest {
    private final FakeResourceManager rm = new FakeResourceManager();
    private final List<String> results = new ArrayList<>();
    private long nanos;
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
    private final CommandExecutor executor = new CommandExecutor(rm, Backlog.EMPTY, sink, () -> {}, () -> nanos);

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
    void shouldTellOfTheStartsThatComeNext() {
        for (int job = 1; job <= 7; job++) {
            rm.job(Integer.toString(job), JobState.IDLE);
            executor.accept(command(2 * job - 1, CommandKind.START_JOB, Integer.toString(job)));
            executor.accept(command(2 * job, CommandKind.SIGNAL_JOB, Integer.toString(job)));
        }
        executor.drain();

        assertThat(rm.expected().get(0)).containsExactly("2", "3", "4", "5");
        assertThat(rm.expected().get(4)).containsExactly("6", "7");
        assertThat(rm.expected().get(6)).isEmpty();
        assertThat(rm.expected()).hasSize(7);
    }

    @Test
    void shouldAskOnceForCommandsInARowWhetherItIsStillTheOne() {
        List<Long> asked = new ArrayList<>();
        CommandExecutor asking = new CommandExecutor(rm, Backlog.EMPTY, sink, () -> asked.add(nanos), () -> nanos);
        for (int number = 1; number <= 5; number++) {
            asking.accept(command(number, CommandKind.CANCEL_JOB, Integer.toString(number)));
        }
        rm.onExecute(() -> nanos += Duration.ofMillis(4).toNanos());
        asking.drain();

        assertThat(results).hasSize(5);
        assertThat(asked).containsExactly(0L, Duration.ofMillis(12).toNanos());
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
    void shouldAnswerAsThePredecessorThatCarriedItOutMeanwhile() {
        RmCommand start = command(1, CommandKind.START_JOB, "1");
        rm.onExecute(() -> {
            rm.onExecute(() -> {});
            rm.execute(start);
            throw new RmException("carried out before, by the test");
        });
        executor.accept(start);
        executor.drain();

        assertThat(rm.calls()).containsExactly("execute 1", "execute 1", "lookup 1");
        assertThat(results).containsExactly("1 DONE");
    }

    @Test
    void shouldRefuseTheCommandThatMeetsAFaultAndGoOnWithTheOthers() {
        rm.onExecute(() -> {
            rm.onExecute(() -> {});
            throw new IllegalArgumentException("duplicate element: root");
        });
        executor.accept(command(1, CommandKind.START_JOB, "1"));
        executor.accept(command(2, CommandKind.START_JOB, "2"));
        executor.drain();

        assertThat(results).containsExactly("1 REFUSED", "2 DONE");
    }

    @Test
    void shouldLookAgainWhereALookMeetsAFault() {
        rm.setRemembers(false);
        rm.setLosesAnswers(true);
        executor.accept(command(1, CommandKind.START_JOB, "1"));
        assertThatThrownBy(executor::drain).isInstanceOf(RetriableRmException.class);
        rm.onPoll(() -> {
            rm.onPoll(() -> {});
            throw new IllegalStateException("a record nobody thought of");
        });

        assertThatThrownBy(executor::drain).isInstanceOf(RetriableRmException.class);
        executor.drain();

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

        assertThat(rm.calls()).containsExactly("lookup 1", "execute 1", "execute 2");
        assertThat(results).containsExactly("1 DONE", "2 DONE");
    }

    @Test
    void shouldBeginTheNextStartWhileTheFirstIsOngoing() {
        rm.takeTime("1");
        executor.accept(command(1, CommandKind.START_JOB, "1"));
        executor.accept(command(2, CommandKind.START_JOB, "2"));
        advance();

        assertThat(rm.calls()).containsExactly("execute 1", "execute 2");
        assertThat(results).containsExactly("2 DONE");
        assertThat(executor.lastFinished()).isZero();
        assertThat(executor.greatestFinished()).isEqualTo(2);

        rm.arrive("1");
        lookAgain();

        assertThat(results).containsExactly("2 DONE", "1 DONE");
        assertThat(executor.lastFinished()).isEqualTo(2);
    }

    @Test
    void shouldKeepTheOrderOfCommandsAboutOneJob() {
        rm.takeTime("1");
        executor.accept(command(1, CommandKind.START_JOB, "1"));
        executor.accept(command(2, CommandKind.CANCEL_JOB, "1"));
        executor.accept(command(3, CommandKind.START_JOB, "2"));
        advance();
        assertThat(rm.calls()).containsExactly("execute 1", "execute 3");

        rm.arrive("1");
        lookAgain();

        assertThat(rm.calls()).containsExactly("execute 1", "execute 3", "execute 2");
        assertThat(results).containsExactly("3 DONE", "1 DONE", "2 DONE");
    }

    @Test
    void shouldStartAJobThatWaitsBehindManyCancellations() {
        for (int i = 1; i <= 4; i++) {
            rm.job("cancelled" + i, JobState.IDLE);
            executor.accept(command(i, CommandKind.CANCEL_JOB, "cancelled" + i));
        }
        executor.accept(command(5, CommandKind.START_JOB, "1"));
        executor.accept(command(6, CommandKind.START_JOB, "2"));
        executor.advance(() -> false);

        assertThat(rm.calls())
                .containsExactly("execute 5", "execute 1", "execute 6", "execute 2", "execute 3", "execute 4");
        assertThat(results).hasSize(6).doesNotHaveDuplicates();
        assertThat(executor.lastFinished()).isEqualTo(6);
    }

    @Test
    void shouldStartNoJobAheadOfACommandAboutItOrAboutNoJob() {
        executor.accept(command(1, CommandKind.CANCEL_JOB, "1"));
        executor.accept(command(2, CommandKind.START_JOB, "1"));
        executor.accept(command(3, CommandKind.FULL_POLL, null));
        executor.accept(command(4, CommandKind.START_JOB, "2"));
        executor.advance(() -> false);

        assertThat(rm.calls()).containsExactly("execute 1", "execute 2", "execute 4");
    }

    @Test
    void shouldLookOnlyWhenDue() {
        rm.takeTime("1");
        executor.accept(command(1, CommandKind.START_JOB, "1"));
        assertThat(executor.due()).hasValue(0);
        advance();
        rm.arrive("1");
        advance();

        assertThat(results).isEmpty();
        assertThat(executor.due()).hasValue(FakeResourceManager.LOOK_EVERY.toNanos());
        lookAgain();
        assertThat(results).containsExactly("1 DONE");
        assertThat(executor.due()).isEmpty();
    }

    @Test
    void shouldBoundWhatIsUnderWay() {
        int most = rm.mostUnderWay();
        for (int i = 1; i <= most + 1; i++) {
            rm.job("j" + i, JobState.IDLE);
            rm.takeTime("j" + i);
            executor.accept(command(i, CommandKind.START_JOB, "j" + i));
        }
        advance();
        assertThat(executor.ongoing()).isEqualTo(most);
        assertThat(rm.calls()).hasSize(most);

        rm.arrive("j1");
        lookAgain();

        assertThat(executor.ongoing()).isEqualTo(most);
        assertThat(rm.calls()).last().isEqualTo("execute " + (most + 1));
    }

    @Test
    void shouldCarryOutOthersHoweverManyWaitInLine() {
        int many = 4 * rm.mostUnderWay();
        for (int i = 1; i <= many; i++) {
            rm.job("j" + i, JobState.IDLE);
            rm.waitInLine("j" + i);
            executor.accept(command(i, CommandKind.START_JOB, "j" + i));
        }
        executor.accept(command(many + 1, CommandKind.START_JOB, "1"));
        advance();
        assertThat(results).containsExactly((many + 1) + " DONE");

        rm.arrive("j2");
        lookAgain();

        assertThat(results).last().isEqualTo("2 DONE");
        assertThat(executor.ongoing()).isEqualTo(many - 1);
    }

    @Test
    void shouldLeaveWhatWaitsInLineToWhoeverComesNext() {
        rm.waitInLine("1");
        executor.accept(command(1, CommandKind.START_JOB, "1"));
        advance();
        executor.beginNoMore();
        rm.arrive("1");

        assertThat(executor.ongoing()).isZero();
        assertThat(executor.due()).isEmpty();
        advance();
        assertThat(results).isEmpty();
        assertThat(executor.isIdle()).as("it is not answered").isFalse();
    }

    @Test
    void shouldAskAboutWhatIsOngoingAfterALookWithoutAnswer() {
        rm.takeTime("1");
        executor.accept(command(1, CommandKind.START_JOB, "1"));
        advance();
        rm.setAway(true);
        assertThatThrownBy(this::lookAgain).isInstanceOf(RetriableRmException.class);
        rm.setAway(false);
        rm.arrive("1");

        advance();
        lookAgain();

        assertThat(rm.calls()).containsExactly("execute 1", "lookup 1");
        assertThat(rm.effects()).containsExactly(1L);
        assertThat(results).containsExactly("1 DONE");
        assertThat(executor.ongoing()).isZero();
    }

    @Test
    void shouldGoOnWithWhatAnEarlierProcessHadOngoing() {
        rm.takeTime("1");
        RmCommand start = command(1, CommandKind.START_JOB, "1");
        executor.accept(start);
        advance();

        CommandExecutor second =
                new CommandExecutor(rm, new Backlog(0, List.of(start), 1), sink, () -> {}, () -> nanos);
        second.advance(() -> false);
        rm.arrive("1");
        nanos += FakeResourceManager.LOOK_EVERY.toNanos();
        second.advance(() -> false);

        assertThat(rm.calls()).containsExactly("execute 1", "lookup 1");
        assertThat(rm.effects()).containsExactly(1L);
        assertThat(results).containsExactly("1 DONE");
    }

    @Test
    void shouldNotLookAfterAnotherConnectorTookOver() {
        rm.takeTime("1");
        boolean[] replaced = {false};
        CommandExecutor fenced = new CommandExecutor(
                rm,
                Backlog.EMPTY,
                sink,
                () -> {
                    if (replaced[0]) {
                        throw new ReplacedException(1);
                    }
                },
                () -> nanos);
        fenced.accept(command(1, CommandKind.START_JOB, "1"));
        fenced.advance(() -> false);
        replaced[0] = true;
        rm.arrive("1");
        nanos += FakeResourceManager.LOOK_EVERY.toNanos();

        assertThatThrownBy(() -> fenced.advance(() -> false)).isInstanceOf(ReplacedException.class);

        assertThat(rm.effects()).isEmpty();
        assertThat(results).isEmpty();
    }

    @Test
    void shouldLeaveTheRestForLaterButMakeOneStep() {
        executor.accept(command(1, CommandKind.START_JOB, "1"));
        executor.accept(command(2, CommandKind.START_JOB, "2"));

        executor.advance(() -> true);
        assertThat(results).containsExactly("1 DONE");

        executor.advance(() -> true);
        assertThat(results).containsExactly("1 DONE", "2 DONE");
    }

    @Test
    void shouldBeginNoMoreWhenItIsToStop() {
        rm.takeTime("1");
        executor.accept(command(1, CommandKind.START_JOB, "1"));
        advance();
        executor.accept(command(2, CommandKind.START_JOB, "2"));
        executor.beginNoMore();
        rm.arrive("1");
        lookAgain();

        assertThat(results).containsExactly("1 DONE");
        assertThat(rm.calls()).containsExactly("execute 1");
    }

    @Test
    void shouldTellByJobUpToWhichCommandItIsFinished() {
        rm.takeTime("1");
        executor.accept(command(1, CommandKind.START_JOB, "2"));
        executor.accept(command(2, CommandKind.START_JOB, "1"));
        executor.accept(command(3, CommandKind.CANCEL_JOB, "2"));
        advance();

        assertThat(executor.finished()).isEqualTo(new FinishedCommands(1, 3, Map.of("1", 2L)));
    }

    @Test
    void shouldNotTakeAResourceManagerWithVirtualTimeThatIsSlow() {
        rm.takeTime("1");
        executor.accept(command(1, CommandKind.START_JOB, "1"));

        assertThatThrownBy(executor::drain).isInstanceOf(RmException.class).hasMessageContaining("c1/1/0");
    }

    private void advance() {
        executor.advance(() -> false);
    }

    private void lookAgain() {
        nanos += FakeResourceManager.LOOK_EVERY.toNanos();
        advance();
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
    void shouldTellOfManyExpiredCommandsInOneLine() {
        Logger logger = (Logger) LoggerFactory.getLogger(CommandExecutor.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try {
            for (long number = 1; number <= 3; number++) {
                executor.accept(expiring(number, CommandKind.START_JOB, "j" + number, Instant.ofEpochSecond(999)));
            }
            executor.drain();
        } finally {
            logger.detachAppender(log);
        }

        assertThat(results).containsExactly("1 EXPIRED", "2 EXPIRED", "3 EXPIRED");
        assertThat(log.list.stream().filter(event -> event.getLevel() == Level.WARN))
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .asString()
                .startsWith("commands=3 expired before their turn, such as command=");
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

        CommandExecutor second =
                new CommandExecutor(rm, new Backlog(3, List.of(done, notDone), 5), sink, () -> {}, () -> nanos);
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

        CommandExecutor second =
                new CommandExecutor(rm, new Backlog(0, List.of(done, notDone), 2), sink, () -> {}, () -> nanos);
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

    /** It could not be read when its turn came, and is sent again: by then its number has been counted as finished. */
    @Test
    void shouldAnswerWhatComesAfterALaterOneAsExpired() {
        executor.accept(command(1, CommandKind.START_JOB, "1"));
        executor.accept(command(3, CommandKind.START_JOB, "1"));
        executor.drain();
        executor.accept(command(2, CommandKind.START_JOB, "2"));
        executor.accept(command(3, CommandKind.START_JOB, "1"));
        executor.drain();

        assertThat(rm.effects()).containsExactly(1L, 3L);
        assertThat(results).hasSize(3).contains("2 EXPIRED");
        assertThat(executor.takeFullPollWanted()).isTrue();
        assertThat(executor.lastFinished()).isEqualTo(3);
    }

    /** A scheduler that was restored from an older copy gives numbers again: never is one carried out in another's place. */
    @Test
    void shouldAnswerANumberGivenAgainAsExpired() {
        rm.takeTime("1");
        executor.accept(command(1, CommandKind.START_JOB, "1"));
        executor.accept(command(2, CommandKind.START_JOB, "2"));
        advance();
        RmCommand other = RmCommand.newBuilder(command(1, CommandKind.START_JOB, "2"))
                .setCommandId("c1/7/0")
                .build();
        executor.accept(other);
        executor.accept(RmCommand.newBuilder(command(2, CommandKind.START_JOB, "1"))
                .setIssuedAt(Instant.ofEpochSecond(901))
                .build());
        rm.arrive("1");
        lookAgain();

        assertThat(rm.calls()).containsExactly("execute 1", "execute 2");
        assertThat(results).containsExactlyInAnyOrder("2 DONE", "1 EXPIRED", "2 EXPIRED", "1 DONE");
    }

    @Test
    void shouldTellANumberGivenAgainFromOneOfAnEarlierProcess() {
        CommandExecutor second = new CommandExecutor(rm, new Backlog(5, List.of(), 5), sink, () -> {}, () -> nanos);
        second.accept(command(4, CommandKind.START_JOB, "1"));
        assertThat(results).isEmpty();

        second.accept(RmCommand.newBuilder(command(4, CommandKind.START_JOB, "1"))
                .setIssuedAt(rm.now().plusSeconds(1))
                .build());
        second.drain();

        assertThat(rm.calls()).isEmpty();
        assertThat(results).containsExactly("4 EXPIRED");
    }
}
