package io.weir.notifier.runtime.handler;

import static io.weir.notifier.runtime.loop.LoopFixture.P0;
import static io.weir.notifier.runtime.loop.LoopFixture.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.notifier.exec.ExecActorProvider;
import io.weir.notifier.runtime.ActorConfig;
import io.weir.notifier.runtime.loop.LoopFixture;
import io.weir.notifier.runtime.loop.RecordLoop;
import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.NameValue;
import io.weir.schemas.TriggerFiring;
import io.weir.topics.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FiringHandlerTest {

    private static final Set<String> KNOWN = Set.of("exec", "mail");

    @TempDir
    private Path directory;

    private final LoopFixture kafka = new LoopFixture();
    private final ScriptedActor actor = new ScriptedActor();

    @AfterEach
    void close() {
        kafka.close();
    }

    @Test
    void shouldRunTheProgramAndReportWhatItSaid() throws Exception {
        Path program = program("echo temp=41; echo other=1; echo rack=$1; cat; echo oops >&2; exit 3");
        RecordLoop loop = kafka.assigned(handler("exec", Optional.of(exec(program))));
        add(firing("exec")
                .setTarget(program.toString())
                .setArguments(List.of("r 1; $(touch HIT)"))
                .setBody("<node/>")
                .setWanted(List.of("temp", "rack", "missing"))
                .build());

        run(loop);

        assertThat(kafka.results()).singleElement().satisfies(result -> {
            assertThat(result.getKind()).isEqualTo("firing");
            assertThat(result.getDeliveryId()).isEqualTo("tiny/7/0");
            assertThat(result.getTriggerId()).isEqualTo("t1");
            assertThat(result.getOutcome()).isEqualTo(DeliveryOutcome.FAILED);
            assertThat(result.getCode()).isEqualTo(3);
            assertThat(result.getOutput()).contains("temp=41\n", "<node/>");
            assertThat(result.getErrors()).isEqualTo("oops\n");
            assertThat(result.getVariables())
                    .extracting(NameValue::getName, NameValue::getValue)
                    .containsExactly(tuple("rack", "r 1; $(touch HIT)"), tuple("temp", "41"));
        });
    }

    @Test
    void shouldRunOnlyProgramsThatTheSettingsList() throws Exception {
        RecordLoop loop = kafka.assigned(handler("exec", Optional.of(exec(program("exit 0")))));
        int number = 0;
        for (String target : List.of("/bin/sh", "sh", directory + "/../" + directory.getFileName() + "/program", "")) {
            add(firing("exec")
                    .setFiringId("tiny/7/" + number++)
                    .setTarget(target)
                    .build());
        }
        add(firing("exec")
                .setFiringId("tiny/8/0")
                .setTarget(directory + "/program")
                .setRunAs("ann")
                .build());
        add(firing("exec")
                .setFiringId("tiny/8/1")
                .setTarget(directory + "/program")
                .setEnvironment(List.of(NameValue.newBuilder()
                        .setName("LD_PRELOAD")
                        .setValue("/x.so")
                        .build()))
                .build());
        add(firing("exec")
                .setFiringId("tiny/8/2")
                .setTarget(directory + "/program")
                .build());

        run(loop);

        assertThat(kafka.results())
                .extracting(DeliveryResult::getOutcome)
                .containsExactly(
                        DeliveryOutcome.REFUSED,
                        DeliveryOutcome.REFUSED,
                        DeliveryOutcome.REFUSED,
                        DeliveryOutcome.REFUSED,
                        DeliveryOutcome.REFUSED,
                        DeliveryOutcome.REFUSED,
                        DeliveryOutcome.DELIVERED);
    }

    @Test
    void shouldAnswerAFiringOnce() throws Exception {
        RecordLoop loop = kafka.assigned(handler("exec", Optional.of(actor)));
        add(firing("exec").build());
        add(firing("exec").build());

        run(loop);

        assertThat(actor.actions).hasSize(1);
        assertThat(kafka.results()).hasSize(1);
    }

    @Test
    void shouldNotBeginWhatHasExpiredOrIsOfATypeNobodyCarriesOut() throws Exception {
        RecordLoop loop = kafka.assigned(handler("exec", Optional.of(actor)));
        add(firing("exec").setExpires(kafka.clock.instant()).build());
        add(firing("mail").setFiringId("tiny/7/1").build());
        run(loop);
        LoopFixture disabled = new LoopFixture();
        RecordLoop without = disabled.assigned(handler("mail", Optional.empty()));
        disabled.add(
                P0, disabled.codec.encode(Topics.TRIGGER_FIRINGS, firing("mail").build()));
        disabled.add(
                P0, disabled.codec.encode(Topics.TRIGGER_FIRINGS, firing("exec").build()));
        run(without);

        assertThat(actor.actions).isEmpty();
        assertThat(kafka.results())
                .extracting(DeliveryResult::getDeliveryId, DeliveryResult::getOutcome)
                .containsExactly(tuple("tiny/7/0", DeliveryOutcome.EXPIRED));
        assertThat(disabled.results()).extracting(DeliveryResult::getOutcome).containsExactly(DeliveryOutcome.REFUSED);
        disabled.close();
    }

    @Test
    void shouldRefuseTypesThatDoNotExistAndReportWhatCannotBeRead() throws Exception {
        RecordLoop loop = kafka.assigned(handler("", Optional.empty()));
        add(firing("teleport").build());
        add(firing("exec").setFiringId("tiny/7/1").build());
        kafka.add(P0, new byte[] {9});

        run(loop);

        assertThat(kafka.results())
                .extracting(DeliveryResult::getDeliveryId, DeliveryResult::getOutcome)
                .containsExactly(tuple("tiny/7/0", DeliveryOutcome.REFUSED));
        assertThat(kafka.deadLetterFactory()).hasSize(1);
    }

    @Test
    void shouldReportWhatACrashInterruptedAndNotRepeatIt() throws Exception {
        actor.failures.add(new InterruptedException());
        RecordLoop loop = kafka.assigned(handler("exec", Optional.of(actor)));
        add(firing("exec").build());
        assertThatThrownBy(() -> run(loop)).isInstanceOf(InterruptedException.class);

        restart(firing("exec").build());
        run(loop);

        assertThat(actor.actions).hasSize(1);
        assertThat(actor.ended).containsExactly("tiny/7/0");
        assertThat(kafka.results()).extracting(DeliveryResult::getOutcome).containsExactly(DeliveryOutcome.UNCERTAIN);
    }

    @Test
    void shouldRepeatWhatMayBeRepeatedAndMarkIt() throws Exception {
        actor.repeatable = true;
        actor.failures.add(new InterruptedException());
        RecordLoop loop = kafka.assigned(handler("mail", Optional.of(actor)));
        add(firing("mail").build());
        assertThatThrownBy(() -> run(loop)).isInstanceOf(InterruptedException.class);

        restart(firing("mail").build());
        run(loop);

        assertThat(actor.actions).extracting(Action::possibleDuplicate).containsExactly(false, true);
        assertThat(kafka.results())
                .extracting(DeliveryResult::getOutcome, DeliveryResult::getPossibleDuplicate)
                .containsExactly(tuple(DeliveryOutcome.DELIVERED, true));
    }

    @Test
    void shouldTryAgainWhatHasHadNoEffectAndGiveUpInTheEnd() throws Exception {
        for (int i = 0; i < 3; i++) {
            actor.failures.add(new RetriableDeliveryException("away"));
        }
        RecordLoop loop = kafka.assigned(handler("exec", Optional.of(actor)));
        add(firing("exec").build());

        run(loop);
        kafka.pass(Duration.ofSeconds(30), loop);

        assertThat(actor.actions).hasSize(3);
        assertThat(kafka.results())
                .extracting(DeliveryResult::getOutcome, DeliveryResult::getAttempts, DeliveryResult::getMessage)
                .containsExactly(tuple(DeliveryOutcome.DEAD, 3, "away"));
    }

    @Test
    void shouldKeepWithinTheBoundsOfAnAnswer() throws Exception {
        Path program = program("head -c 100000 /dev/zero | tr '\\0' '\\001'; head -c 100000 /dev/urandom >&2");
        RecordLoop loop = kafka.assigned(handler("exec", Optional.of(exec(program))));
        add(firing("exec").setTarget(program.toString()).build());

        run(loop);

        assertThat(kafka.results()).singleElement().satisfies(result -> {
            assertThat(result.getOutput()).hasSizeLessThanOrEqualTo(4_096);
            assertThat(result.getErrors()).hasSizeLessThanOrEqualTo(4_096).doesNotContain("\u0000", "\u001b");
        });
    }

    /** Each firing is carried out by one lane, those of a trigger for an object by the same, and all lanes have some. */
    @Test
    void shouldCarryOutEachFiringInOneLane() {
        int lanes = new ExecActorProvider().lanes();
        assertThat(lanes).isGreaterThan(1);
        Set<Integer> used = new TreeSet<>();
        for (int i = 0; i < 200; i++) {
            String trigger = "NODECFG.DEFAULT.1@node:n" + i;
            List<FiringTypes> takers = IntStream.range(0, lanes)
                    .mapToObj(lane -> new FiringTypes(KNOWN, "exec", lane, lanes))
                    .filter(types -> types.includes("exec", trigger))
                    .toList();
            assertThat(takers).as(trigger).hasSize(1);
            assertThat(takers.get(0).includes("mail", trigger)).isFalse();
            used.add(takers.get(0).lane());
        }
        assertThat(used).hasSize(lanes);
    }

    @Test
    void shouldLeaveTheFiringsOfOtherLanesToTheirReaders() throws Exception {
        ScriptedActor actor = new ScriptedActor();
        int lanes = 4;
        int own = Math.floorMod("t1".hashCode(), lanes);
        RecordLoop loop = kafka.assigned(handler(new FiringTypes(KNOWN, "exec", own, lanes), Optional.of(actor)));
        add(firing("exec").setTriggerId("t2").build());
        add(firing("exec").setFiringId("tiny/7/1").build());

        run(loop);

        assertThat(actor.actions).extracting(Action::id).containsExactly("tiny/7/1");
        assertThat(kafka.results())
                .singleElement()
                .satisfies(result -> assertThat(result.getChannel()).isEqualTo("action.exec"));
    }

    private void restart(TriggerFiring again) {
        kafka.consumer.rebalance(List.of());
        kafka.consumer.rebalance(List.of(P0));
        kafka.consumer.addRecord(LoopFixture.record(P0, 0, kafka.codec.encode(Topics.TRIGGER_FIRINGS, again)));
    }

    private void add(TriggerFiring firing) {
        kafka.add(P0, kafka.codec.encode(Topics.TRIGGER_FIRINGS, firing));
    }

    private FiringHandler handler(String type, Optional<Actor> by) {
        return handler(new FiringTypes(KNOWN, type), by);
    }

    private FiringHandler handler(FiringTypes types, Optional<Actor> by) {
        return new FiringHandler(
                types,
                by,
                ActorConfig.RETRY,
                new FiringReader(kafka.codec),
                new DeadLetterFactory(LoopFixture.NAMES),
                new NotifierMetrics(new SimpleMeterRegistry()),
                kafka.clock);
    }

    private static TriggerFiring.Builder firing(String type) {
        return TriggerFiring.newBuilder()
                .setCluster("tiny")
                .setFiringId("tiny/7/0")
                .setTriggerId("t1")
                .setIteration(7)
                .setTime(java.time.Instant.parse("2026-03-01T10:00:00Z"))
                .setActionType(type)
                .setAction(type)
                .setObjectType("node")
                .setObjectId("n1");
    }

    private Actor exec(Path program) {
        ExecActorProvider provider = new ExecActorProvider();
        return provider.open(new AbstractConfig(
                provider.settings(), Map.of("programs", program.toString(), "directory", directory.toString()), false));
    }

    private Path program(String body) throws IOException {
        Path program = Files.writeString(directory.resolve("program"), "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return program;
    }

    /** Does as it is told and notes what it was asked. */
    private static final class ScriptedActor implements Actor {
        private final List<Action> actions = new ArrayList<>();
        private final Queue<Exception> failures = new ArrayDeque<>();
        private final List<String> ended = new ArrayList<>();
        private boolean repeatable;

        @Override
        public void endRemains(Action action) {
            ended.add(action.id());
        }

        @Override
        public ActionResult carryOut(Action action) throws RetriableDeliveryException, InterruptedException {
            actions.add(action);
            Exception failure = failures.poll();
            if (failure instanceof RetriableDeliveryException told) {
                throw told;
            }
            if (failure instanceof InterruptedException told) {
                throw told;
            }
            return ActionResult.of(ActionResult.Outcome.DONE, "done");
        }

        @Override
        public boolean repeatable() {
            return repeatable;
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }
}
