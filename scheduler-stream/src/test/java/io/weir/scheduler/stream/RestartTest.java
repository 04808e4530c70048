package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.stream.StreamHarness.Committed;
import io.weir.schemas.Iteration;
import io.weir.schemas.RmCommand;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing in memory matters: whatever happens between two calls, the outputs are byte for byte the same. */
class RestartTest {
    private enum Disturbance {
        NEW_PROCESS {
            @Override
            void strike(StreamHarness harness) {
                harness.start();
            }
        },
        INIT_AGAIN {
            @Override
            void strike(StreamHarness harness) {
                harness.initAgain();
            }
        },
        /** The one before this: fields that have a default now were not there. */
        UPGRADE {
            @Override
            void strike(StreamHarness harness) {
                harness.rewriteStores(OtherBuild::earlier);
                harness.start();
            }
        },
        /** The one after this: each record has a field that nobody knows yet. */
        DOWNGRADE {
            @Override
            void strike(StreamHarness harness) {
                harness.rewriteStores(OtherBuild::later);
                harness.start();
            }
        };

        abstract void strike(StreamHarness harness);
    }

    @ParameterizedTest
    @EnumSource(Disturbance.class)
    void shouldPutOutTheSameWhenDisturbedAfterEveryRecord(Disturbance disturbance) {
        List<String> undisturbed = run(harness -> {});

        assertThat(run(disturbance::strike)).isEqualTo(undisturbed);
        assertThat(undisturbed).hasSizeGreaterThan(50);
    }

    /** An aborted transaction: stores and topics are thrown back, the same object is initialised again. */
    @Test
    void shouldPutOutTheSameWhenTransactionsAreAborted() {
        List<String> undisturbed = run(harness -> {});
        for (long seed = 1; seed <= 5; seed++) {
            assertThat(runWithAborts(seed)).as("seed " + seed).isEqualTo(undisturbed);
        }
    }

    /** Positions that went back, as after a lost group, change nothing. */
    @Test
    void shouldPassOverWhatItTookInBefore() {
        try (StreamHarness harness = StreamHarness.rm()) {
            List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
            for (Step step : script(harness)) {
                ConsumerRecord<byte[], byte[]> record = step.write();
                all.add(record);
                harness.deliver(record);
            }
            List<String> before = outputs(harness);
            harness.start();
            all.forEach(harness::deliver);

            assertThat(outputs(harness)).isEqualTo(before);
        }
    }

    @Test
    void shouldChainTheIterations() {
        try (StreamHarness harness = StreamHarness.rm()) {
            script(harness).forEach(step -> step.run());
            List<Iteration> iterations = harness.iterations();
            assertThat(iterations).hasSizeGreaterThan(5);
            assertThat(iterations.get(0).getPrevious()).isEmpty();
            for (int i = 1; i < iterations.size(); i++) {
                assertThat(iterations.get(i).getPrevious())
                        .isEqualTo(io.weir.scheduler.journal.Sha256.hex(io.weir.scheduler.journal.Sha256.of(
                                io.weir.topics.AvroPayload.encode(iterations.get(i - 1)))));
                assertThat(iterations.get(i).getNumber()).isEqualTo(i + 1);
            }
        }
    }

    @Test
    void shouldNumberOutputsPerTopic() {
        try (StreamHarness harness = StreamHarness.rm()) {
            script(harness).forEach(step -> step.run());
            for (Topic<?> topic : List.of(Topics.COMMANDS, Topics.JOBS, Topics.NODES, Topics.DECISIONS)) {
                long number = 0;
                for (ConsumerRecord<byte[], byte[]> record : harness.log.records(StreamHarness.NAMES.full(topic))) {
                    assertThat(FactHeaders.OUTPUT.get(record.headers())).hasValue(++number);
                }
                long last = number;
                assertThat(number).isPositive();
                Iteration end = harness.iterations().get(harness.iterations().size() - 1);
                assertThat(end.getOutputs()).anySatisfy(count -> {
                    assertThat(count.getTopic()).isEqualTo(topic.name());
                    assertThat(count.getCount()).isEqualTo(last);
                });
            }
        }
    }

    private interface Between {
        void happen(StreamHarness harness);
    }

    private static List<String> run(Between between) {
        try (StreamHarness harness = StreamHarness.rm()) {
            for (Step step : script(harness)) {
                step.run();
                between.happen(harness);
            }
            return outputs(harness);
        }
    }

    private static List<String> runWithAborts(long seed) {
        Random random = new Random(seed);
        try (StreamHarness harness = StreamHarness.rm()) {
            Committed committed = harness.committed();
            List<ConsumerRecord<byte[], byte[]>> sinceCommit = new ArrayList<>();
            for (Step step : script(harness)) {
                ConsumerRecord<byte[], byte[]> record = step.write();
                sinceCommit.add(record);
                harness.deliver(record);
                int chance = random.nextInt(4);
                if (chance == 0) {
                    committed = harness.committed();
                    sinceCommit.clear();
                } else if (chance == 1 && !step.reads()) {
                    harness.abortTo(committed);
                    harness.initAgain();
                    sinceCommit.forEach(harness::deliver);
                }
            }
            return outputs(harness);
        }
    }

    /**
     * A step of the script.
     *
     * @param writer writes the record to deliver
     * @param reads whether it depends on outputs
     */
    private record Step(
            StreamHarness harness, java.util.function.Supplier<ConsumerRecord<byte[], byte[]>> writer, boolean reads) {
        ConsumerRecord<byte[], byte[]> write() {
            return writer.get();
        }

        void run() {
            harness.deliver(write());
        }
    }

    private static List<Step> script(StreamHarness harness) {
        FakeConnector connector = new FakeConnector(harness);
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(harness, connector::hello, false));
        steps.add(new Step(harness, () -> connector.node("n1", 4), false));
        steps.add(new Step(harness, () -> connector.running(1, 2, "n2"), false));
        steps.add(new Step(harness, () -> connector.node("n2", 4), false));
        steps.add(new Step(harness, () -> connector.job(2, 4), false));
        steps.add(new Step(harness, () -> connector.job(3, 8), false));
        steps.add(new Step(harness, connector::heartbeat, false));
        for (int poll = 0; poll < 6; poll++) {
            int number = poll;
            steps.add(new Step(
                    harness,
                    () -> {
                        connector.at(connector.rmTime().plusSeconds(60));
                        return connector.job(4 + number, 1 + number % 3);
                    },
                    false));
            steps.add(new Step(
                    harness,
                    () -> {
                        List<RmCommand> commands = harness.read(Topics.COMMANDS);
                        return connector.done(commands.get(commands.size() - 1));
                    },
                    true));
            steps.add(new Step(harness, () -> connector.ended(1 + number, 2), false));
            steps.add(new Step(harness, connector::heartbeat, false));
        }
        return steps;
    }

    private static List<String> outputs(StreamHarness harness) {
        List<String> outputs = new ArrayList<>();
        for (Topic<?> topic : SchedulerTopology.outputs()) {
            for (ConsumerRecord<byte[], byte[]> record : harness.log.records(StreamHarness.NAMES.full(topic))) {
                // Schema ids are the registry's business: it is a new one in every run.
                byte[] payload = io.weir.scheduler.journal.AvroBinary.payload(record.value());
                outputs.add(topic.name() + " " + record.timestamp() + " " + hex(record.key()) + " " + hex(payload) + " "
                        + record.headers());
            }
        }
        return outputs;
    }

    private static String hex(byte[] bytes) {
        return bytes == null ? "null" : HexFormat.of().formatHex(bytes);
    }
}
