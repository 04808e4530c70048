package io.weir.scheduler.stream.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** A store of which some values are made only when they are committed. */
@NullUnmarked
class DeferringStoreTest {
    private static final QueryResult<String> ANSWER = QueryResult.forResult("answer");

    private final TestStores kept = new TestStores();
    private final DeferringStore store = kept.intake;
    private final List<String> calls = new ArrayList<>();

    @Test
    void shouldMakeAValueOnceAndOnlyAtTheCommit() {
        List<String> made = new ArrayList<>();
        store.putAtCommit("k", () -> {
            made.add("first");
            return new byte[] {1};
        });
        store.putAtCommit("k", () -> {
            made.add("second");
            return new byte[] {2};
        });
        assertThat(store.get("k")).isNull();

        store.flushCache();
        store.flushCache();

        assertThat(made).containsExactly("second");
        assertThat(store.get("k")).containsExactly(2);
    }

    @Test
    void shouldKeepWhatWasPutOrDeletedLater() {
        store.putAtCommit("k", () -> new byte[] {1});
        store.put("k", new byte[] {2});
        store.putAtCommit("gone", () -> new byte[] {3});
        store.delete("gone");

        store.flushCache();

        assertThat(store.get("k")).containsExactly(2);
        assertThat(store.get("gone")).isNull();
    }

    @Test
    void shouldForgetWhatWasToBeMadeWhenTheTransactionIsAborted() {
        store.putAtCommit("k", () -> new byte[] {1});

        store.clearCache();
        store.flushCache();

        assertThat(store.get("k")).isNull();
    }

    @Test
    void shouldForgetWhatWasToBeMadeWhenItIsClosed() {
        store.putAtCommit("k", () -> {
            throw new AssertionError("made for a store that is closed");
        });

        store.close();

        assertThat(store.isOpen()).isFalse();
        store.flushCache();
    }

    @Test
    void shouldHandOnWhatItDoesNotKeepItself() {
        store.put("k", new byte[] {1});
        store.putIfAbsent("k", new byte[] {2});
        assertThat(store.get("k")).containsExactly(1);
        store.delete("k");
        assertThat(store.get("k")).isNull();

        assertThat(store.name()).isEqualTo("intake");
        assertThat(store.persistent()).isFalse();
        assertThat(store.isOpen()).isTrue();
        assertThat(store.getPosition()).isEqualTo(kept.inner.getPosition());
        assertThat(store.setFlushListener((CacheFlushListener<String, byte[]>) change -> {}, true))
                .isFalse();
    }

    /** What is made goes to the store beneath before that writes out its own cache. */
    @Test
    void shouldFlushAndClearTheCacheOfTheStoreBeneath() {
        DeferringStore cached = new DeferringStore(recording());
        cached.putAtCommit("k", () -> new byte[] {1});

        cached.flushCache();
        cached.clearCache();

        assertThat(calls).containsExactly("put", "flushCache", "clearCache");
    }

    @Test
    void shouldLeavePositionsAndQueriesToTheStoreBeneath() {
        DeferringStore over = new DeferringStore(recording());

        over.init(null, over);
        over.commit(Map.of());
        assertThat(over.committedOffset(new TopicPartition("changelog", 0))).isEqualTo(7);
        assertThat(over.managesOffsets()).isTrue();
        assertThat(over.persistent()).isTrue();
        assertThat(over.query(null, null, null)).isSameAs(ANSWER);

        assertThat(calls).containsExactly("init", "commit", "committedOffset", "managesOffsets", "persistent", "query");
    }

    @Test
    void shouldForgetWhatWasToBeMadeWhenItIsInitialisedAgain() {
        DeferringStore over = new DeferringStore(recording());
        over.putAtCommit("k", () -> new byte[] {1});

        over.init(null, over);
        over.flushCache();

        assertThat(calls).containsExactly("init", "flushCache");
    }

    /** Returns a store with a cache that notes what it is asked. */
    @SuppressWarnings("unchecked")
    private KeyValueStore<String, byte[]> recording() {
        return (KeyValueStore<String, byte[]>) Proxy.newProxyInstance(
                DeferringStoreTest.class.getClassLoader(),
                new Class<?>[] {KeyValueStore.class, CachedStateStore.class},
                (proxy, method, arguments) -> {
                    calls.add(method.getName());
                    return switch (method.getName()) {
                        case "committedOffset" -> 7L;
                        case "managesOffsets", "persistent" -> true;
                        case "query" -> ANSWER;
                        default -> null;
                    };
                });
    }

    @Test
    void shouldBuildAStoreOverThatOfAnotherBuilderWithItsSettings() {
        DeferringStoreBuilder builder = builder();
        assertThat(builder.name()).isEqualTo("intake");
        assertThat(builder.loggingEnabled()).isTrue();

        assertThat(builder.withLoggingEnabled(Map.of("retention.ms", "7"))).isSameAs(builder);
        assertThat(builder.logConfig()).containsEntry("retention.ms", "7");
        assertThat(builder.withCachingEnabled()).isSameAs(builder);
        assertThat(builder.withCachingDisabled()).isSameAs(builder);
        assertThat(builder.withLoggingDisabled()).isSameAs(builder);
        assertThat(builder.loggingEnabled()).isFalse();
        assertThat(builder.build().name()).isEqualTo("intake");
    }

    /** What is put is in the caches until a commit: an entity reaches the changelog once however often it changes. */
    @Test
    void shouldHaveTheStoresOfATaskLoggedWithoutALimitOnTimestamps() {
        List<StoreBuilder<?>> builders = Stores.builders();

        assertThat(builders).extracting(StoreBuilder::name).containsExactly("entities", "intake");
        assertThat(builders).allSatisfy(builder -> {
            assertThat(builder.loggingEnabled()).isTrue();
            assertThat(builder.logConfig())
                    .containsEntry("message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE))
                    .containsKey("max.message.bytes");
        });
    }

    private static DeferringStoreBuilder builder() {
        StoreBuilder<KeyValueStore<String, byte[]>> inner = org.apache.kafka.streams.state.Stores.keyValueStoreBuilder(
                org.apache.kafka.streams.state.Stores.inMemoryKeyValueStore("intake"),
                Serdes.String(),
                Serdes.ByteArray());
        return new DeferringStoreBuilder(inner);
    }
}
