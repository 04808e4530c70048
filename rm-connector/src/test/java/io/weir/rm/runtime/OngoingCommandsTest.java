package io.weir.rm.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.spi.Commands;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandResult;
import io.weir.schemas.JobState;
import io.weir.schemas.RmCommand;
import io.weir.topics.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Commands that take their time, while the connector is killed, loses the log, and the resource manager goes away or loses
 * answers. A failure names its seed.
 */
class OngoingCommandsTest {
    private static final int LIVES = 60;
    private static final int WAITS = 2_000;
    private static final int LAST_WAIT_WITH_TROUBLE = 1_500;
    private static final int JOBS = 5;
    private static final RunnerConfig CONFIG = new RunnerConfig(
            "c1", "rm", Duration.ofSeconds(2), new Backoff(Duration.ofMillis(200), Duration.ofMillis(800)));

    private final InMemoryLog log = new InMemoryLog();
    private final FakeResourceManager rm = new FakeResourceManager();
    private final List<RmCommand> commands = new ArrayList<>();
    private ConnectorRunner runner;
    private long nanos;
    private int waits;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, LIVES);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldCarryOutEachOnceAndThoseAboutOneJobInOrder(long seed) {
        Random random = new Random(seed);
        for (int job = 1; job <= JOBS; job++) {
            rm.job(Integer.toString(job), JobState.IDLE);
        }
        log.onPoll(() -> live(random));
        while (waits < WAITS) {
            try {
                runner = new ConnectorRunner(CONFIG, rm, log, RunnerListener.NONE, new ManualClock(random));
                runner.run();
            } catch (InMemoryLog.Killed e) {
                // Another process follows.
            }
        }

        List<Long> numbers = commands.stream().map(RmCommand::getNumber).toList();
        assertThat(rm.effects()).containsExactlyInAnyOrderElementsOf(numbers);
        assertThat(log.facts(Topics.RESULTS))
                .extracting(CommandResult::getNumber)
                .containsExactlyInAnyOrderElementsOf(numbers);
        for (int job = 1; job <= JOBS; job++) {
            String id = Integer.toString(job);
            assertThat(rm.effects().stream()
                            .filter(number ->
                                    commands.get((int) (number - 1)).getJobId().equals(id)))
                    .isSorted();
        }
        assertThat(log.heartbeats().get(log.heartbeats().size() - 1).getLastCommand())
                .isEqualTo(commands.size());
    }

    /** Moves a little with every question, and lives through pauses. */
    private final class ManualClock implements RunnerClock {
        private final Random random;

        ManualClock(Random random) {
            this.random = random;
        }

        @Override
        public long nanos() {
            nanos += 1_000_000;
            return nanos;
        }

        @Override
        public void pause(Duration pause, CountDownLatch stopping) {
            for (long left = pause.toMillis(); left > 0; left -= 100) {
                live(random);
            }
        }
    }

    /** Passes a tenth of a second, in which this and that may happen. */
    private void live(Random random) {
        waits++;
        nanos += Duration.ofMillis(100).toNanos();
        if (waits >= WAITS) {
            runner.stop();
        }
        if (waits >= LAST_WAIT_WITH_TROUBLE) {
            rm.setAway(false);
            rm.setLosesAnswers(false);
            for (int job = 1; job <= JOBS; job++) {
                rm.arrive(Integer.toString(job));
            }
            return;
        }
        String job = Integer.toString(1 + random.nextInt(JOBS));
        switch (random.nextInt(40)) {
            case 0, 1, 2, 3, 4 -> order(random, job);
            case 5, 6, 7 -> rm.takeTime(job);
            case 8, 9, 10, 11 -> rm.arrive(job);
            case 12 -> rm.setAway(true);
            case 13, 14, 15 -> rm.setAway(false);
            case 16 -> rm.setLosesAnswers(true);
            case 17, 18 -> rm.setLosesAnswers(false);
            case 19 -> log.killAfter(random.nextInt(6));
            case 20 -> log.awayAfter(random.nextInt(6));
            default -> {}
        }
    }

    private void order(Random random, String job) {
        CommandKind[] kinds = {CommandKind.START_JOB, CommandKind.CANCEL_JOB, CommandKind.REQUEUE_JOB};
        RmCommand command = Commands.command(commands.size() + 1, kinds[random.nextInt(kinds.length)], job);
        commands.add(command);
        log.order(command);
    }
}
