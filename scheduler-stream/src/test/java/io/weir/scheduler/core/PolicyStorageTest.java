package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.core.state.EntityKind;
import io.weir.scheduler.recorded.JoinedState;
import io.weir.scheduler.state.DomainStatus;
import io.weir.scheduler.state.PolicyStatus;
import io.weir.schemas.PolicyVersion;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The text of a policy is long: it is stored when it changes, not with whatever else changes. */
class PolicyStorageTest {
    static {
        AvroTrust.install();
    }

    private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
    private static final String TEXT = "BACKFILLDEPTH 7\n";

    private final ClusterScheduler core = new ClusterScheduler("alpha");

    @Test
    void shouldStoreThePolicyWhenItComesAndWhenItIsInForce() {
        List<Change> published = publish();
        assertThat(policies(published)).extracting(PolicyStatus::getNextText).containsExactly(TEXT);

        assertThat(policies(iterate(0))).singleElement().satisfies(stored -> {
            assertThat(stored.getText()).startsWith(TEXT);
            assertThat(stored.getNextText()).isNull();
        });
        assertThat(policies(iterate(60))).isEmpty();
    }

    @Test
    void shouldStoreTheRestWithoutThePolicy() {
        publish();

        assertThat(iterate(0))
                .filteredOn(change -> change.kind() == EntityKind.DOMAIN)
                .extracting(change -> ((DomainStatus) change.value()).getPolicyText())
                .containsExactly("");
    }

    @Test
    void shouldBeRestoredInAnyOrder() {
        publish();
        iterate(0);
        List<Change> state = core.snapshot();
        List<Change> backwards = new ArrayList<>(state);
        Collections.reverse(backwards);

        assertThat(restored(state).snapshot()).isEqualTo(state);
        assertThat(restored(backwards).snapshot()).isEqualTo(state);
    }

    @Test
    void shouldTakeOverAPolicyThatWasStoredWithTheRest() {
        publish();
        iterate(0);
        List<Change> state = core.snapshot();

        assertThat(restored(JoinedState.of(state)).snapshot()).isEqualTo(state);
    }

    @Test
    void shouldTakeOverAWaitingPolicyThatWasStoredWithTheRest() {
        publish();
        List<Change> state = core.snapshot();

        ClusterScheduler restored = restored(JoinedState.of(state));

        assertThat(restored.snapshot()).isEqualTo(state);
        assertThat(policies(restored.iterate(NOW).changes()))
                .singleElement()
                .satisfies(stored -> assertThat(stored.getText()).startsWith(TEXT));
    }

    private List<Change> publish() {
        return core.apply(Fact.foreign(PolicyVersion.newBuilder()
                .setCluster("alpha")
                .setVersion("v1")
                .setText(TEXT)
                .setPrincipal("root")
                .setSource("test")
                .setTime(NOW)
                .build()));
    }

    private List<Change> iterate(long seconds) {
        return core.iterate(NOW.plusSeconds(seconds)).changes();
    }

    private static ClusterScheduler restored(List<Change> state) {
        ClusterScheduler restored = new ClusterScheduler("alpha");
        state.forEach(restored::replay);
        return restored;
    }

    private static List<PolicyStatus> policies(List<Change> changes) {
        return changes.stream()
                .filter(change -> change.kind() == EntityKind.POLICY)
                .map(change -> (PolicyStatus) change.value())
                .toList();
    }
}
