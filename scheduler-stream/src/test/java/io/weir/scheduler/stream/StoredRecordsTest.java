package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.scheduler.stream.store.UnreadableStateException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

/** What is read of other builds' state is in {@link RestartTest}; here: what is kept for that, and what is refused. */
class StoredRecordsTest {
    @Test
    void shouldKeepTheSchemaOfEveryTypeBesideTheRecords() {
        try (StreamHarness harness = filled()) {
            Map<String, byte[]> intake = new TreeMap<>(harness.committed().intake());
            intake.keySet().removeIf(key -> !key.startsWith("/schema/"));

            assertThat(intake.values())
                    .extracting(form -> new String(form, StandardCharsets.UTF_8))
                    .anyMatch(form -> form.startsWith("{\"name\":\"io.weir.schemas.NodeStatus\""))
                    .anyMatch(form -> form.startsWith("{\"name\":\"io.weir.scheduler.state.JournalStatus\""))
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void shouldSayThatAnotherBuildWroteWhatHasNoSchema() {
        assertRefused((entities, intake) -> {
                    OtherBuild.later(entities, intake);
                    intake.keySet().removeIf(key -> key.startsWith("/schema/"));
                })
                .hasMessageContaining("'alpha/CREDENTIAL/ALL'")
                .hasMessageContaining("as CredentialRecord")
                .hasMessageContaining("fingerprint")
                .hasMessageContaining(
                        "another build wrote it. Run that build, or begin anew beside it, under another topics.prefix");
    }

    @Test
    void shouldSayWhatDoesNotBecomeARecordOfThisBuild() {
        assertRefused(OtherBuild::incompatible)
                .hasMessageContaining("missing required field")
                .hasMessageContaining("another build wrote it");
    }

    @Test
    void shouldSayWhereBytesAreCut() {
        assertRefused((entities, intake) -> entities.computeIfPresent(
                        "alpha/NODE/n1", (key, bytes) -> Arrays.copyOf(bytes, bytes.length / 2)))
                .hasMessageContaining("'alpha/NODE/n1'")
                .hasMessageContaining("cannot read as NodeStatus");
    }

    @Test
    void shouldSayWhatAnotherProgramHasOverwritten() {
        for (String foreign : List.of("", "hello")) {
            assertRefused((entities, intake) -> entities.put("alpha/NODE/n1", foreign.getBytes(StandardCharsets.UTF_8)))
                    .hasMessageStartingWith("The stores hold under 'alpha/NODE/n1' what no build writes")
                    .hasMessageContaining("Put the former value back")
                    .hasMessageNotContaining("Run that build");
        }
    }

    @Test
    void shouldRefuseAKindOfEntityThatOnlyALaterBuildKnows() {
        assertRefused((entities, intake) -> entities.put("alpha/SOMETHING/new", entities.get("alpha/NODE/n1")))
                .hasMessageContaining("'alpha/SOMETHING/new'")
                .hasMessageContaining("another build wrote it");
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
            BiConsumer<Map<String, byte[]>, Map<String, byte[]>> build) {
        try (StreamHarness harness = filled()) {
            harness.rewriteStores(build);
            return assertThatThrownBy(harness::start).isInstanceOf(UnreadableStateException.class);
        }
    }

    private static StreamHarness filled() {
        StreamHarness harness = StreamHarness.rm();
        FakeConnector connector = new FakeConnector(harness);
        harness.deliver(connector.hello());
        harness.deliver(connector.node("n1", 4));
        harness.deliver(connector.job(1, 2));
        harness.deliver(connector.heartbeat());
        return harness;
    }
}
