package io.weir.spine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.DeadLetter;
import io.weir.standalone.TraceRun;
import io.weir.standalone.access.Account;
import io.weir.standalone.registry.EmbeddedRegistry;
import io.weir.standalone.registry.RegistryUsers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What has to hold on any broker: a trace through Kafka starts every job when the offline simulator does, whatever is
 * stopped, away or sent in between, and the topics can be derived again from the journal. Subclasses bring the broker.
 */
abstract class SpineSuite {
    private static final Path TRACE = Path.of("src/test/resources/traces/small.swf");
    private static final int PROCESSORS = 64;
    private static final AtomicInteger RUNS = new AtomicInteger();

    @TempDir
    Path directory;

    /** Broker and registry that stay up during the whole class. */
    abstract SpineBroker broker();

    @Test
    void shouldStartEveryJobWhenTheSimulatorDoes() throws Exception {
        try (Spine spine = spine(broker(), onSingleProcessors(0, 240, ""))) {
            spine.finish();

            assertAsExpected(spine);
        }
    }

    @Test
    void shouldFollowThePublishedPolicyOnBigNodes() throws Exception {
        String policy = Files.readString(Path.of("src/test/resources/policies/conservative.cfg"));
        TraceRun run = new TraceRun(TRACE, 4, PROCESSORS / 4, 40, 120, policy);
        try (Spine spine = spine(broker(), run)) {
            spine.finish();

            assertAsExpected(spine);
        }
    }

    /** Users, groups and queues of the trace are called the same in both, and nodes can be given whole. */
    @Test
    void shouldKnowJobsByTheirCredentialsAndGiveNodesWhole() throws Exception {
        String policy = Files.readString(Path.of("src/test/resources/policies/credentials.cfg"));
        TraceRun run = new TraceRun(TRACE, 8, PROCESSORS / 8, 0, 100, policy);
        try (Spine spine = spine(broker(), run)) {
            spine.finish();

            assertAsExpected(spine);
        }
    }

    @Test
    void shouldGoOnAfterEachServiceWasStopped() throws Exception {
        try (Spine spine = spine(broker(), onSingleProcessors(0, 150, ""))) {
            spine.startConnector();
            spine.startScheduler();
            spine.awaitEnded(20);
            spine.stopScheduler();
            spine.startScheduler();
            spine.awaitEnded(60);
            spine.stopConnector();
            spine.startConnector();
            spine.awaitEnded(90);
            spine.stopConnector();
            spine.stopScheduler();
            spine.finish();

            assertAsExpected(spine);
        }
    }

    /** As when they expired while the scheduler was away. */
    @Test
    void shouldGoOnFromItsStateWhenTheBrokerHasForgottenItsPositions() throws Exception {
        try (Spine spine = spine(broker(), onSingleProcessors(0, 60, ""))) {
            spine.startConnector();
            spine.startScheduler();
            spine.awaitEnded(20);
            spine.stopScheduler();
            spine.forgetPositions();
            spine.finish();

            assertAsExpected(spine);
        }
    }

    /** Kafka Streams aborts the transaction, restores the stores and initialises the same processor again. */
    @Test
    void shouldGoOnAfterItsTaskWasCorrupted() throws Exception {
        try (Spine spine = spine(broker(), onSingleProcessors(0, 100, ""))) {
            CorruptedScheduler scheduler = new CorruptedScheduler(40);
            spine.startScheduler(scheduler);
            spine.finish();

            assertThat(scheduler.corruptions()).isGreaterThanOrEqualTo(2);
            assertAsExpected(spine);
        }
    }

    @Test
    void shouldPutPoisonAsideAndScheduleOn() throws Exception {
        // Reports of strangers are taken, so that the numbers in them are what is wrong.
        Map<String, String> strangers = Map.of("intake.foreign.reports", "true");
        try (Spine spine = spine(broker(), onSingleProcessors(0, 100, ""), strangers);
                Poison poison = new Poison(broker().as(Account.ADMIN), spine.names())) {
            List<Poison.Place> before = poison.spread();
            spine.startScheduler();
            spine.startConnector();
            spine.awaitEnded(30);
            List<Poison.Place> during = poison.spread();
            spine.finish();

            List<DeadLetter> letters = poison.awaitDeadLetters(before.size() + during.size());
            assertThat(letters)
                    .extracting(letter -> new Poison.Place(letter.getTopic(), letter.getOffset()))
                    .containsAll(before)
                    .containsAll(during);
            assertThat(letters)
                    .extracting(DeadLetter::getCause)
                    .contains("UNDECODABLE", "BAD_KEY", "BAD_TIMESTAMP", "MISROUTED", "UNKNOWN_NODE");
            assertThat(letters).allSatisfy(letter -> {
                assertThat(letter.getCause()).isNotBlank();
                assertThat(letter.getMessage()).isNotBlank();
                assertThat(letter.getValue()).isNotNull();
            });
            assertAsExpected(spine);
        }
    }

    @Test
    void shouldWaitForARegistryThatIsAway() throws Exception {
        Map<String, Object> client = broker().as(Account.REGISTRY).kafka();
        RegistryUsers anybody = (user, password) -> Optional.of(RegistryUsers.Right.REGISTER);
        EmbeddedRegistry registry = EmbeddedRegistry.start(client, anybody, 0);
        int port = registry.port();
        try (Spine spine = spine(broker().withRegistry(registry.url()), onSingleProcessors(0, 100, ""))) {
            spine.startScheduler();
            spine.startConnector();
            spine.awaitEnded(20);
            registry.close();
            // A scheduler that starts now needs schemas it does not have.
            spine.stopScheduler();
            Thread starting = new Thread(spine::startScheduler, "starting-scheduler");
            starting.start();
            registry = EmbeddedRegistry.start(client, anybody, port);
            starting.join();
            spine.finish();

            assertAsExpected(spine);
        } finally {
            registry.close();
        }
    }

    private static void assertAsExpected(Spine spine) throws IOException {
        assertThat(spine.report().problems()).isEmpty();
        assertThat(spine.report().unfinished()).isEmpty();
        assertThat(spine.runs()).containsExactlyElementsOf(spine.expected());
        spine.close();
        assertThat(spine.auditProblems()).isEmpty();
    }

    private Spine spine(SpineBroker broker, TraceRun run) {
        return spine(broker, run, Map.of());
    }

    private Spine spine(SpineBroker broker, TraceRun run, Map<String, String> settings) {
        return new Spine("it" + RUNS.incrementAndGet(), broker, directory, run, settings);
    }

    private static TraceRun onSingleProcessors(int from, int count, String policy) {
        return new TraceRun(TRACE, PROCESSORS, 1, from, count, policy);
    }
}
