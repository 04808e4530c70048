package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.CommandKind;
import io.weir.schemas.RmCommand;
import io.weir.topics.Topics;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class ClusterProcessorTest {
    @Test
    void shouldAnswerACompleteHeartbeatWithAnIterationAndItsOutputs() {
        try (StreamHarness harness = StreamHarness.rm()) {
            FakeConnector connector = new FakeConnector(harness);
            harness.deliver(connector.hello());
            harness.deliver(connector.node("n1", 4));
            harness.deliver(connector.job(1, 2));
            harness.deliver(connector.heartbeat());

            assertThat(harness.iterations()).hasSize(1);
            assertThat(harness.iterations().get(0).getNow()).isEqualTo(connector.rmTime());
            assertThat(harness.read(Topics.COMMANDS))
                    .extracting(RmCommand::getKind, RmCommand::getJobId)
                    .containsExactly(org.assertj.core.groups.Tuple.tuple(CommandKind.START_JOB, "j1"));
            assertThat(harness.commits()).isEqualTo(1);
            assertThat(harness.causes()).isEmpty();
            assertThat(harness.journaledInputs()).isEqualTo(4);
        }
    }

    /** Streams interleaves topics as it likes; each topic keeps its own order. */
    @Test
    void shouldDecideTheSameInEveryInterleavingAndOnlyWhenTheHeartbeatIsComplete() {
        int orders = 0;
        for (String order : merges("HB", "NN", "JJ")) {
            try (StreamHarness harness = StreamHarness.rm()) {
                FakeConnector connector = new FakeConnector(harness);
                List<ConsumerRecord<byte[], byte[]>> beats = new ArrayList<>(List.of(connector.hello()));
                List<ConsumerRecord<byte[], byte[]>> nodes =
                        new ArrayList<>(List.of(connector.node("n1", 4), connector.node("n2", 4)));
                List<ConsumerRecord<byte[], byte[]>> jobs =
                        new ArrayList<>(List.of(connector.running(1, 3, "n2"), connector.job(2, 4)));
                beats.add(connector.heartbeat());
                for (int i = 0; i < order.length(); i++) {
                    assertThat(harness.iterations()).as(order).isEmpty();
                    harness.deliver(
                            switch (order.charAt(i)) {
                                case 'N' -> nodes.remove(0);
                                case 'J' -> jobs.remove(0);
                                default -> beats.remove(0);
                            });
                }
                assertThat(harness.iterations()).as(order).hasSize(1);
                assertThat(harness.journaledInputs()).as(order).isEqualTo(6);
                assertThat(harness.causes()).as(order).isEmpty();
                assertThat(harness.read(Topics.COMMANDS)).as(order).hasSize(1);
                assertThat(harness.read(Topics.COMMANDS)
                                .get(0)
                                .getAllocation()
                                .get(0)
                                .getNodeId())
                        .as(order)
                        .isEqualTo("n1");
                orders++;
            }
        }
        assertThat(orders).isEqualTo(90);
    }

    private static List<String> merges(String... topics) {
        List<String> merged = new ArrayList<>();
        merge("", topics, merged);
        return merged;
    }

    private static void merge(String done, String[] topics, List<String> merged) {
        boolean end = true;
        for (int i = 0; i < topics.length; i++) {
            if (!topics[i].isEmpty()) {
                end = false;
                String[] rest = topics.clone();
                rest[i] = topics[i].substring(1);
                merge(done + topics[i].charAt(0), rest, merged);
            }
        }
        if (end) {
            merged.add(done);
        }
    }
}
