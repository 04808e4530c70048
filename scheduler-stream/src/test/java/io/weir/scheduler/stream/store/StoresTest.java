package io.weir.scheduler.stream.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.core.state.EntityKind;
import io.weir.scheduler.state.ConnectorIntake;
import io.weir.scheduler.state.CredentialRecord;
import io.weir.scheduler.state.DelayedInput;
import io.weir.scheduler.state.ParkedFact;
import io.weir.scheduler.state.PartitionIntake;
import io.weir.scheduler.state.StoredInput;
import io.weir.scheduler.state.TopicPosition;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.junit.jupiter.api.Test;

/** Under which keys a task keeps what, and when. */
class StoresTest {
    private static final Quarantine ENTITY =
            new Quarantine("alpha", QuarantineKind.JOB, "a/b", "cause", "text", Instant.EPOCH, "build", false);

    private final TestStores kept = new TestStores();
    private final Stores stores = kept.stores;

    @Test
    void shouldKeepAnEntityUntilItIsGone() {
        stores.put("alpha", List.of(new Change(EntityKind.QUARANTINE, "a/b", ENTITY)));
        assertThat(kept.entities.get("alpha/QUARANTINE/a/b")).isNotNull();
        assertThat(load("alpha").entities()).containsExactly(new Change(EntityKind.QUARANTINE, "a/b", ENTITY));

        stores.put("alpha", List.of(new Change(EntityKind.QUARANTINE, "a/b", null)));

        assertThat(load("alpha").entities()).isEmpty();
    }

    /** What is counted of a credential changes with nearly every input: only the last version is made, with the commit. */
    @Test
    void shouldMakeTheRecordOfACredentialAtTheCommit() {
        stores.put("alpha", List.of(credential(1)));
        stores.put("alpha", List.of(credential(2)));
        assertThat(load("alpha").entities()).isEmpty();
        assertThat(kept.inner.all()).as("its schema is kept in time").hasNext();

        kept.entities.flushCache();

        assertThat(load("alpha").entities()).containsExactly(credential(2));
    }

    @Test
    void shouldForgetACredentialThatIsGoneBeforeTheCommit() {
        stores.put("alpha", List.of(credential(1)));
        kept.entities.flushCache();

        stores.put("alpha", List.of(credential(2)));
        stores.put("alpha", List.of(new Change(EntityKind.CREDENTIAL, "USER/ann", null)));
        kept.entities.flushCache();

        assertThat(load("alpha").entities()).isEmpty();
    }

    /** As when somebody writes to the topic that keeps the state. */
    @Test
    void shouldPassOverWhatIsNoPartOfAnyState() {
        stores.put("alpha", List.of(new Change(EntityKind.QUARANTINE, "x", ENTITY)));
        for (String junk : List.of("", "junk", "a/b")) {
            kept.entities.put(junk, new byte[] {1});
        }
        kept.inner.put("no such key", new byte[] {1});

        assertThat(load("alpha").entities()).containsExactly(new Change(EntityKind.QUARANTINE, "x", ENTITY));
    }

    @Test
    void shouldKeepClustersApart() {
        stores.put("alpha", List.of(new Change(EntityKind.QUARANTINE, "x", ENTITY)));
        stores.put(parked("beta", 1));

        assertThat(load("alpha").parked()).isEmpty();
        assertThat(load("beta").entities()).isEmpty();
        assertThat(load("beta").parked()).hasSize(1);
        assertThat(load("gamma").cluster()).isEqualTo("gamma");
    }

    /** By number, not by its text: the hundredth comes behind the ninth. */
    @Test
    void shouldReturnWhatWaitsInOrderOfArrival() {
        for (long number : List.of(100L, 9L, 10L)) {
            stores.put(parked("alpha", number));
            stores.put(delayed(number));
        }

        assertThat(load("alpha").parked()).extracting(ParkedFact::getNumber).containsExactly(9L, 10L, 100L);
        assertThat(load("alpha").delayed()).extracting(DelayedInput::getNumber).containsExactly(9L, 10L, 100L);
    }

    @Test
    void shouldForgetOnlyWhatWaitsNoLonger() {
        stores.put(parked("alpha", 1));
        stores.put(parked("alpha", 2));
        stores.put(delayed(1));
        stores.put(delayed(2));

        stores.deleteParked("alpha", 1);
        stores.deleteDelayed("alpha", 2);

        assertThat(load("alpha").parked()).extracting(ParkedFact::getNumber).containsExactly(2L);
        assertThat(load("alpha").delayed()).extracting(DelayedInput::getNumber).containsExactly(1L);
    }

    @Test
    void shouldKeepAConnectorAtOnceAndItsLastStateAtTheCommit() {
        stores.put(connector(1));
        assertThat(load("alpha").connectors()).containsExactly(connector(1));

        stores.connectorAtCommit("alpha", "sim", () -> connector(2));
        stores.connectorAtCommit("alpha", "sim", () -> connector(3));

        assertThat(load("alpha").connectors()).containsExactly(connector(1));
        kept.intake.flushCache();
        assertThat(load("alpha").connectors()).containsExactly(connector(3));
    }

    @Test
    void shouldKeepThePartitionAtTheCommit() {
        PartitionIntake moved = new PartitionIntake(5, List.of(new TopicPosition("rm.jobs", 8L)));
        stores.partitionAtCommit(() -> moved);
        assertThat(stores.load(List.of(), 5).partition()).isEqualTo(new PartitionIntake(5, List.of()));

        kept.intake.flushCache();

        assertThat(stores.load(List.of(), 5).partition()).isEqualTo(moved);
    }

    @Test
    void shouldTellHowFarATaskHasComeByItsChangelog() {
        assertThat(StoredPositions.changelog("weir")).isEqualTo("weir-intake-changelog");
        assertThat(StoredPositions.of(Map.of())).isEmpty();
        stores.partitionAtCommit(() ->
                new PartitionIntake(0, List.of(new TopicPosition("rm.jobs", 8L), new TopicPosition("rm.nodes", 3L))));

        assertThat(StoredPositions.of(changelog())).isEqualTo(Map.of("rm.jobs", 8L, "rm.nodes", 3L));
    }

    @Test
    void shouldSayThatItCannotReadThePositionsOfAnotherBuild() {
        stores.partitionAtCommit(() -> new PartitionIntake(0, List.of()));
        Map<String, byte[]> changelog = changelog();
        changelog.put(Stores.PARTITION, new byte[] {(byte) 0xC3, 1, 9, 9, 9, 9, 9, 9, 9, 9});

        assertThatThrownBy(() -> StoredPositions.of(changelog))
                .isInstanceOf(UnreadableStateException.class)
                .hasMessageStartingWith("The stored positions cannot be read: ");
    }

    @Test
    void shouldRefuseAKeyThatOnlyALaterBuildKnows() {
        kept.intake.put("alpha/something", new byte[] {1});

        assertThatThrownBy(() -> load("alpha"))
                .isInstanceOf(UnreadableStateException.class)
                .hasMessageStartingWith("The stores hold the key 'alpha/something', which this build does not know");
    }

    private Map<String, byte[]> changelog() {
        kept.intake.flushCache();
        Map<String, byte[]> changelog = new TreeMap<>();
        try (KeyValueIterator<String, byte[]> all = kept.intake.all()) {
            all.forEachRemaining(entry -> changelog.put(entry.key, entry.value));
        }
        return changelog;
    }

    private StoredState.OfCluster load(String cluster) {
        return stores.load(List.of(cluster), 0).of(cluster);
    }

    private static ConnectorIntake connector(long epoch) {
        return ConnectorIntake.newBuilder()
                .setCluster("alpha")
                .setConnector("sim")
                .setEpoch(epoch)
                .setLastHeartbeat(0)
                .build();
    }

    private static Change credential(long started) {
        CredentialRecord record = new CredentialRecord(
                "alpha", "USER", "ann", 0L, started, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
        return new Change(EntityKind.CREDENTIAL, "USER/ann", record);
    }

    private static ParkedFact parked(String cluster, long number) {
        return new ParkedFact(cluster, number, "sim", 1L, 1L, false, input());
    }

    private static DelayedInput delayed(long number) {
        return new DelayedInput("alpha", number, -1L, input());
    }

    private static StoredInput input() {
        return new StoredInput("rm.jobs", 0, 1L, 1L, null, null, List.of());
    }
}
