package io.weir.rm.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.weir.rm.runtime.command.Incoming;
import io.weir.rm.spi.Commands;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeState;
import io.weir.topics.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runner against a live resource manager; the log moves the clock whenever the runner waits for it. */
class LiveRunTest {
    private static final RunnerConfig CONFIG = new RunnerConfig(
            "c1", "rm", Duration.ofSeconds(10), new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(4)));

    private final InMemoryLog log = new InMemoryLog();
    private final FakeResourceManager rm = new FakeResourceManager();
    private long nanos;
    private Duration wait = Duration.ofMillis(100);
    private int waits;
    private RunnerConfig config = CONFIG;
    private RunnerListener listener = RunnerListener.NONE;

    @BeforeEach
    void fillCluster() {
        rm.node("n1", NodeState.IDLE);
        rm.job("1", JobState.IDLE);
    }

    @Test
    void shouldPollEveryInterval() {
        run(350, () -> {});

        assertThat(log.heartbeats()).hasSize(4).extracting(Heartbeat::getNumber).containsExactly(1L, 2L, 3L, 4L);
        assertThat(log.heartbeats()).extracting(Heartbeat::getFull).containsExactly(true, false, false, false);
    }

    @Test
    void shouldPollMoreRarelyWhileTheSchedulerDoesNotTakeIn() {
        List<Duration> delays = new ArrayList<>();
        config = new RunnerConfig("c1", "rm", Duration.ofSeconds(1), CONFIG.retry());
        listener = new RunnerListener() {
            @Override
            public void schedulerBehind(Duration delay) {
                delays.add(delay);
            }
        };
        List<Integer> polls = new ArrayList<>();
        log.takeIn(0);
        run(1_200, () -> {
            if (waits % 100 == 0) {
                polls.add(log.heartbeats().size());
            }
            if (waits >= 900) {
                log.takeIn(log.facts(Topics.RM_HEARTBEATS).size());
            }
        });

        assertThat(polls.get(0)).as("while it is 5 s behind, or less").isBetween(5, 8);
        assertThat(polls.get(8) - polls.get(2)).as("every 10 s").isBetween(5, 7);
        assertThat(polls.get(11) - polls.get(9)).as("every second again").isBetween(17, 21);
        assertThat(delays).contains(Duration.ZERO).anyMatch(delay -> delay.compareTo(Duration.ofSeconds(85)) > 0);
    }

    @Test
    void shouldPollAtOnceWhenTheSchedulerWantsEverythingHoweverFarBehindItIs() {
        config = new RunnerConfig("c1", "rm", Duration.ofSeconds(1), CONFIG.retry());
        log.takeIn(0);
        run(400, () -> {
            if (waits == 350) {
                log.order(Commands.builder("c1", 1, CommandKind.FULL_POLL, null, Instant.EPOCH)
                        .setConnector("rm")
                        .build());
            }
        });

        assertThat(log.heartbeats().stream().filter(Heartbeat::getFull)).hasSize(2);
    }

    @Test
    void shouldPollSoonAfterAPokeAndThenEveryIntervalAgain(@TempDir Path directory) {
        Path file = directory.resolve("poke");
        try (PollTrigger trigger = PollTrigger.open(file, null)) {
            run(60, trigger, () -> {
                if (waits == 10 || waits == 11) {
                    write(file, waits);
                }
            });
        }

        assertThat(log.heartbeats()).hasSize(3);
    }

    @Test
    void shouldPollAgainSoonWhileWhatWasSeenTakesAMoment() {
        rm.onPoll(() -> rm.setSettling(log.heartbeats().size() < 3));
        run(60, () -> {});

        assertThat(log.heartbeats()).as("three in 300 ms, then none for 10 s").hasSize(4);
    }

    @Test
    void shouldPollHalfOfTheTimeAtMostWhenPokesComeWithoutEnd(@TempDir Path directory) {
        Path file = directory.resolve("poke");
        rm.onPoll(() -> nanos += Duration.ofMillis(400).toNanos());
        try (PollTrigger trigger = PollTrigger.open(file, null)) {
            run(60, trigger, () -> write(file, waits));
        }

        assertThat(log.heartbeats()).as("polls of 400 ms in 6 s between them").hasSizeBetween(13, 16);
    }

    @Test
    void shouldPollMoreRarelyForJobsThatJoinALongQueue(@TempDir Path directory) {
        Path file = directory.resolve("poke");
        LongStream.rangeClosed(1, 64).forEach(job -> rm.job(Long.toString(job), JobState.IDLE));
        rm.setLooks(true);
        try (PollTrigger trigger = PollTrigger.open(file, null)) {
            run(62, trigger, () -> {
                append(file, "new\n");
                if (waits == 32) {
                    append(file, "job 1\n");
                }
            });
        }

        assertThat(log.heartbeats()).as("every 500 ms in 6 s").hasSizeBetween(11, 14);
        assertThat(rm.calls()).as("what has ended is looked at as soon as ever").contains("look 1");
    }

    @Test
    void shouldLetABurstOfSubmissionsThroughBeforeItPolls(@TempDir Path directory) {
        Path file = directory.resolve("poke");
        config = new RunnerConfig("c1", "rm", Duration.ofSeconds(1), CONFIG.retry());
        wait = Duration.ofMillis(20);
        Set<Integer> polls = new TreeSet<>();
        rm.onPoll(() -> polls.add(waits / 50));
        try (PollTrigger trigger = PollTrigger.open(file, null)) {
            run(300, trigger, () -> {
                if (waits <= 200) {
                    append(file, "new\n");
                }
            });
        }

        assertThat(polls)
                .as("seconds: three behind the first, then behind the burst of four")
                .containsExactly(0, 3, 4, 5);
    }

    @Test
    void shouldPollAtOnceInABurstOfSubmissionsWhenSomethingElseHappened(@TempDir Path directory) {
        Path file = directory.resolve("poke");
        wait = Duration.ofMillis(20);
        Set<Integer> polls = new TreeSet<>();
        rm.onPoll(() -> polls.add(waits));
        try (PollTrigger trigger = PollTrigger.open(file, null)) {
            run(120, trigger, () -> append(file, waits == 60 ? "node\n" : "new\n"));
        }

        assertThat(polls)
                .hasSize(2)
                .last()
                .satisfies(second -> assertThat(second).isBetween(60, 66));
    }

    @Test
    void shouldCarryOutCommandsThoughPokesComeWithoutEndAndPollsTakeLong(@TempDir Path directory) {
        Path file = directory.resolve("poke");
        Set<Integer> polls = new TreeSet<>();
        rm.onPoll(() -> nanos += Duration.ofSeconds(1).toNanos());
        rm.onExecute(() -> {
            nanos += Duration.ofMillis(100).toNanos();
            polls.add(log.heartbeats().size());
            write(file, 1_000 + rm.effects().size());
        });
        try (PollTrigger trigger = PollTrigger.open(file, null)) {
            run(60, trigger, () -> {
                write(file, waits);
                if (waits == 5) {
                    LongStream.rangeClosed(1, 30)
                            .forEach(number ->
                                    log.order(Commands.command(number, CommandKind.START_JOB, Long.toString(number))));
                }
            });
        }

        assertThat(rm.effects()).hasSize(30);
        assertThat(polls)
                .as("polls after which a command of three seconds' worth was carried out")
                .hasSizeBetween(1, 4);
    }

    @Test
    void shouldPollBetweenCommandsWhenPoked(@TempDir Path directory) {
        Path file = directory.resolve("poke");
        Set<Integer> polls = new TreeSet<>();
        rm.onExecute(() -> {
            nanos += Duration.ofMillis(100).toNanos();
            polls.add(log.heartbeats().size());
            if (rm.effects().size() == 5) {
                write(file, 5);
            }
        });
        try (PollTrigger trigger = PollTrigger.open(file, null)) {
            run(60, trigger, () -> {
                if (waits == 5) {
                    LongStream.rangeClosed(1, 30)
                            .forEach(number ->
                                    log.order(Commands.command(number, CommandKind.START_JOB, Long.toString(number))));
                }
            });
        }

        assertThat(polls)
                .as("polls after which commands were carried out, with the next ten seconds away")
                .containsExactly(1, 2);
    }

    @Test
    void shouldLookAtTheJobThatAPokeNamesAndSendNoHeartbeat(@TempDir Path directory) {
        Path file = directory.resolve("poke");
        rm.setLooks(true);
        try (PollTrigger trigger = PollTrigger.open(file, null)) {
            run(60, trigger, () -> {
                if (waits == 10) {
                    rm.job("1", JobState.COMPLETED);
                    append(file, "job 1\n");
                }
            });
        }

        assertThat(rm.calls()).containsExactly("look 1");
        assertThat(log.heartbeats()).hasSize(1);
        assertThat(log.facts(Topics.RM_JOBS))
                .extracting(JobReport::getState)
                .containsExactly(JobState.IDLE, JobState.COMPLETED);
    }

    @Test
    void shouldPublishNothingWhenALookAtANamedJobShowsNothingNew(@TempDir Path directory) {
        Path file = directory.resolve("poke");
        rm.setLooks(true);
        try (PollTrigger trigger = PollTrigger.open(file, null)) {
            run(60, trigger, () -> {
                if (waits == 10) {
                    append(file, "job 1\n");
                }
            });
        }

        assertThat(rm.calls()).containsExactly("look 1");
        assertThat(log.facts(Topics.RM_JOBS)).hasSize(1);
    }

    @Test
    void shouldLeaveWhatALookDidNotSeeToTheNextPoll(@TempDir Path directory) {
        Path file = directory.resolve("poke");
        rm.setLooks(true);
        rm.job("2", JobState.IDLE);
        try (PollTrigger trigger = PollTrigger.open(file, null)) {
            run(120, trigger, () -> {
                if (waits == 5) {
                    log.order(Commands.command(1, CommandKind.START_JOB, "2"));
                }
                if (waits == 10) {
                    rm.job("1", JobState.COMPLETED);
                    append(file, "job 1\n");
                }
            });
        }

        assertThat(log.facts(Topics.RM_JOBS))
                .extracting(JobReport::getJobId, JobReport::getState, JobReport::getAsOfCommand)
                .as("job 2, which a command was about, is told of after the poll that saw it")
                .containsExactly(
                        tuple("1", JobState.IDLE, 0L),
                        tuple("2", JobState.IDLE, 0L),
                        tuple("1", JobState.COMPLETED, 1L),
                        tuple("2", JobState.RUNNING, 1L));
        assertThat(log.heartbeats()).hasSize(2);
    }

    @Test
    void shouldPollWhenALookAtTheNamedJobIsNotEnough(@TempDir Path directory) {
        Path file = directory.resolve("poke");
        try (PollTrigger trigger = PollTrigger.open(file, null)) {
            run(60, trigger, () -> {
                if (waits == 10) {
                    append(file, "job 1\n");
                }
            });
        }

        assertThat(rm.calls()).containsExactly("look 1");
        assertThat(log.heartbeats()).hasSize(2);
    }

    @Test
    void shouldLookAgainEverMoreRarelyWhileANamedJobTakesItsTime(@TempDir Path directory) {
        Path file = directory.resolve("poke");
        rm.setLooks(true);
        rm.setSettling(false);
        rm.onLook(() -> rm.setSettling(rm.calls().size() < 20));
        try (PollTrigger trigger = PollTrigger.open(file, null)) {
            run(60, trigger, () -> {
                if (waits == 10) {
                    append(file, "job 1\n");
                }
            });
        }

        assertThat(rm.calls()).as("every 100 ms at first, then every 200 ms").hasSize(20);
        assertThat(log.heartbeats()).hasSize(1);
    }

    @Test
    void shouldLookSoonAgainOnceNothingTookItsTimeAnyMore() {
        List<Integer> looks = new ArrayList<>();
        rm.setLooks(true);
        rm.onPoll(() -> rm.setSettling(true));
        rm.onLook(() -> {
            looks.add(waits);
            rm.setSettling(looks.size() % 6 != 0);
        });
        run(140, () -> {});

        assertThat(looks).hasSize(12);
        assertThat(looks.get(5) - looks.get(4)).isEqualTo(2);
        assertThat(looks.get(7) - looks.get(6)).isEqualTo(1);
    }

    @Test
    void shouldPollWhenPokedByWhatNamesNoJob(@TempDir Path directory) {
        Path file = directory.resolve("poke");
        rm.setLooks(true);
        try (PollTrigger trigger = PollTrigger.open(file, null)) {
            run(60, trigger, () -> {
                if (waits == 10) {
                    append(file, "job 1\nnew\n");
                }
            });
        }

        assertThat(log.heartbeats()).hasSize(2);
    }

    @Test
    void shouldNotLookWhileTheResourceManagerIsAway(@TempDir Path directory) {
        Path file = directory.resolve("poke");
        rm.setLooks(true);
        try (PollTrigger trigger = PollTrigger.open(file, null)) {
            run(150, trigger, () -> {
                if (waits == 10) {
                    rm.setAway(true);
                }
                if (waits > 105) {
                    append(file, "job 1\n");
                }
            });
        }

        assertThat(rm.calls()).isEmpty();
    }

    private static void append(Path file, String text) {
        try {
            Files.writeString(file, text, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldBePokedByDatagram() throws IOException {
        InetSocketAddress address;
        try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            address = new InetSocketAddress(InetAddress.getLoopbackAddress(), free.getLocalPort());
        }
        try (PollTrigger trigger = PollTrigger.open(null, address);
                DatagramSocket sender = new DatagramSocket()) {
            assertThat(trigger.take()).isEqualTo(Poke.NONE);
            sender.send(new DatagramPacket(new byte[] {'x'}, 1, address));

            Awaitility.await().until(trigger::take, Poke.MORE::equals);
            assertThat(trigger.take()).isEqualTo(Poke.NONE);
        }
    }

    private static void write(Path file, int second) {
        try {
            Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(second)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldExecuteCommandsBetweenPolls() {
        run(120, () -> {
            if (waits == 10) {
                log.order(Commands.command(1, CommandKind.START_JOB, "1"));
            }
        });

        assertThat(log.facts(Topics.RESULTS))
                .hasSize(1)
                .first()
                .extracting(CommandResult::getOutcome)
                .isEqualTo(CommandOutcome.DONE);
        assertThat(log.heartbeats()).extracting(Heartbeat::getLastCommand).containsExactly(0L, 1L);
    }

    @Test
    void shouldBeSilentWhileTheResourceManagerIsAway() {
        run(500, () -> {
            if (waits == 150) {
                rm.setAway(true);
            }
            if (waits == 350) {
                rm.setAway(false);
            }
        });

        assertThat(log.heartbeats())
                .hasSizeBetween(3, 4)
                .extracting(Heartbeat::getNumber)
                .startsWith(1L, 2L, 3L);
    }

    @Test
    void shouldTellHowOftenTheResourceManagerDidNotAnswerAndWhatOfThePollWasLeftOut() {
        rm.setProblems(3);
        rm.setAway(true);
        run(350, () -> {
            if (waits == 50) {
                rm.setAway(false);
            }
            if (waits == 200) {
                rm.setProblems(0);
            }
        });

        assertThat(log.heartbeats())
                .extracting(Heartbeat::getFailures)
                .as("it is never less than before, nor 0 after the resource manager was away")
                .allSatisfy(failures -> assertThat(failures).isPositive())
                .isSorted();
        assertThat(log.heartbeats()).first().extracting(Heartbeat::getMalformed).isEqualTo(3L);
        assertThat(log.heartbeats()).last().extracting(Heartbeat::getMalformed).isEqualTo(0L);
    }

    @Test
    void shouldExpireCommandsThatWaitedTooLongForTheResourceManager() {
        run(300, () -> {
            if (waits == 1) {
                rm.setAway(true);
                log.order(Commands.expiring(1, CommandKind.START_JOB, "1", Instant.ofEpochSecond(1_010)));
            }
            if (waits == 200) {
                rm.setNow(Instant.ofEpochSecond(1_020));
                rm.setAway(false);
            }
        });

        assertThat(log.facts(Topics.RESULTS))
                .extracting(CommandResult::getOutcome)
                .containsExactly(CommandOutcome.EXPIRED);
        assertThat(rm.calls()).doesNotContain("execute 1");
    }

    @Test
    void shouldPollFullyAtOnceWhenAsked() {
        run(50, () -> {
            if (waits == 10) {
                log.order(Commands.command(1, CommandKind.FULL_POLL, null));
            }
        });

        assertThat(log.heartbeats()).extracting(Heartbeat::getFull).containsExactly(true, true);
        assertThat(log.facts(Topics.RM_JOBS)).hasSize(2);
    }

    @Test
    void shouldFinishCommandsOfAnEarlierProcessBeforeTheFirstPoll() {
        log.order(Commands.command(1, CommandKind.START_JOB, "1"));
        run(5, () -> {});

        assertThat(rm.calls()).containsExactly("lookup 1", "execute 1");
        assertThat(log.heartbeats())
                .first()
                .extracting(Heartbeat::getLastCommand)
                .isEqualTo(1L);
    }

    @Test
    void shouldPutAsideWhatCannotBeRead() {
        DeadLetter letter = DeadLetter.newBuilder()
                .setService("rm-connector")
                .setTopic("commands")
                .setPartition(0)
                .setOffset(7)
                .setTimestamp(0)
                .setCause("UNDECODABLE")
                .setMessage("not Avro")
                .build();
        run(20, () -> {
            if (waits == 10) {
                log.deliver(new Incoming.Unreadable(letter));
            }
        });

        assertThat(log.facts(Topics.DEAD_LETTERS)).containsExactly(letter);
    }

    @Test
    void shouldStopWhenAnotherConnectorOpensALaterEpoch() {
        ConnectorRunner.Ending ending = run(100, () -> {
            if (waits == 20) {
                openLaterEpoch();
            }
        });

        assertThat(ending).isEqualTo(ConnectorRunner.Ending.REPLACED);
        assertThat(waits).isEqualTo(20);
    }

    @Test
    void shouldNotCarryOutWhatItReadBeforeAPauseInWhichAnotherTookOver() {
        log.onPolled(() -> {
            if (waits == 20) {
                openLaterEpoch();
            }
        });
        ConnectorRunner.Ending ending = run(100, () -> {
            if (waits == 20) {
                log.order(Commands.command(1, CommandKind.START_JOB, "1"));
            }
        });

        assertThat(ending).isEqualTo(ConnectorRunner.Ending.REPLACED);
        assertThat(rm.calls()).isEmpty();
        assertThat(log.facts(Topics.RESULTS)).isEmpty();
    }

    @Test
    void shouldCarryOutNoMoreThanWhatItWasAtWhenAnotherTakesOver() {
        rm.job("2", JobState.IDLE);
        rm.job("3", JobState.IDLE);
        rm.onExecute(() -> {
            openLaterEpoch();
            nanos += Duration.ofMillis(10).toNanos();
        });
        ConnectorRunner.Ending ending = run(100, () -> {
            if (waits == 20) {
                log.order(Commands.command(1, CommandKind.CANCEL_JOB, "1"));
                log.order(Commands.command(2, CommandKind.CANCEL_JOB, "2"));
                log.order(Commands.command(3, CommandKind.CANCEL_JOB, "3"));
            }
        });

        assertThat(ending).isEqualTo(ConnectorRunner.Ending.REPLACED);
        assertThat(rm.calls()).containsExactly("execute 1");
    }

    @Test
    void shouldAskAboutCommandsThatCameWhileItTookOver() {
        log.onAppend(fact -> {
            if (log.heartbeats().isEmpty() && log.facts().size() == 1) {
                log.order(Commands.command(1, CommandKind.CANCEL_JOB, "1"));
            }
        });
        run(20, () -> {
            if (waits == 10) {
                log.order(Commands.command(2, CommandKind.CANCEL_JOB, "1"));
            }
        });

        assertThat(rm.calls()).containsExactly("lookup 1", "execute 1", "execute 2");
    }

    @Test
    void shouldPollAndCarryOutOtherCommandsWhileOneIsOngoing() {
        rm.job("2", JobState.IDLE);
        rm.takeTime("1");
        run(350, () -> {
            if (waits == 10) {
                log.order(Commands.command(1, CommandKind.START_JOB, "1"));
                log.order(Commands.command(2, CommandKind.START_JOB, "2"));
            }
            if (waits == 250) {
                rm.arrive("1");
            }
        });

        assertThat(log.facts(Topics.RESULTS))
                .extracting(CommandResult::getNumber)
                .containsExactly(2L, 1L);
        assertThat(log.heartbeats()).extracting(Heartbeat::getLastCommand).containsExactly(0L, 0L, 0L, 2L);
        assertThat(log.facts(Topics.RM_JOBS))
                .filteredOn(job -> job.getJobId().equals("2"))
                .extracting(JobReport::getState, JobReport::getAsOfCommand)
                .as("its report counts, although an earlier command is not finished")
                .containsExactly(tuple(JobState.IDLE, 0L), tuple(JobState.RUNNING, 2L));
        assertThat(log.facts(Topics.RM_JOBS))
                .filteredOn(job -> job.getJobId().equals("1"))
                .extracting(JobReport::getState, JobReport::getAsOfCommand)
                .containsExactly(tuple(JobState.IDLE, 0L), tuple(JobState.RUNNING, 2L));
    }

    @Test
    void shouldFinishWhatIsOngoingBeforeItStops() {
        rm.takeTime("1");
        run(100, () -> {
            if (waits == 10) {
                log.order(Commands.command(1, CommandKind.START_JOB, "1"));
            }
            if (waits == 100) {
                rm.arrive("1");
            }
        });

        assertThat(log.facts(Topics.RESULTS))
                .extracting(CommandResult::getNumber)
                .containsExactly(1L);
    }

    @Test
    void shouldNotWaitForEverBeforeItStops() {
        rm.takeTime("1");
        run(100, () -> {
            if (waits == 10) {
                log.order(Commands.command(1, CommandKind.START_JOB, "1"));
            }
        });

        assertThat(log.facts(Topics.RESULTS)).isEmpty();
    }

    private void openLaterEpoch() {
        log.openFacts(false)
                .appendFirst(
                        Topics.RM_HEARTBEATS,
                        "rm",
                        Heartbeat.newBuilder()
                                .setCluster("c1")
                                .setConnector("rm")
                                .setKind(HeartbeatKind.HELLO)
                                .setNumber(0)
                                .setRmTime(Instant.EPOCH)
                                .build(),
                        "rm");
    }

    @Test
    void shouldGoOnAfterAPollThatMeetsAFault() {
        int[] polls = {0};
        rm.onPoll(() -> {
            if (++polls[0] == 2) {
                throw new IllegalStateException("a record nobody thought of");
            }
        });
        run(200, () -> {});

        assertThat(polls[0]).isGreaterThan(2);
        assertThat(log.heartbeats()).hasSize(polls[0] - 1);
    }

    @Test
    void shouldWaitForTheResourceManagerAtStart() {
        rm.setAway(true);
        run(100, () -> {
            if (waits == 50) {
                rm.setAway(false);
            }
        });

        assertThat(log.heartbeats())
                .hasSizeBetween(1, 2)
                .first()
                .extracting(Heartbeat::getFull)
                .isEqualTo(true);
    }

    /** Runs until the runner has waited {@code most} times for 100 ms each; {@code before} comes before every wait. */
    private ConnectorRunner.Ending run(int most, Runnable before) {
        return run(most, PollTrigger.NONE, before);
    }

    private ConnectorRunner.Ending run(int most, PollTrigger trigger, Runnable before) {
        ConnectorRunner runner = new ConnectorRunner(config, rm, log, listener, RunnerClock.of(() -> nanos), trigger);
        log.onPoll(() -> {
            waits++;
            nanos += wait.toNanos();
            before.run();
            if (waits >= most) {
                runner.stop();
            }
        });
        return runner.run();
    }
}
