package io.weir.scheduler.stream.store;

import java.util.Map;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;

/** Builds a {@link DeferringStore} over the store of another builder, whose settings are its own. */
final class DeferringStoreBuilder implements StoreBuilder<DeferringStore> {
    private final StoreBuilder<KeyValueStore<String, byte[]>> inner;

    DeferringStoreBuilder(StoreBuilder<KeyValueStore<String, byte[]>> inner) {
        this.inner = inner;
    }

    @Override
    public DeferringStore build() {
        return new DeferringStore(inner.build());
    }

    @Override
    public StoreBuilder<DeferringStore> withCachingEnabled() {
        inner.withCachingEnabled();
        return this;
    }

    @Override
    public StoreBuilder<DeferringStore> withCachingDisabled() {
        inner.withCachingDisabled();
        return this;
    }

    @Override
    public StoreBuilder<DeferringStore> withLoggingEnabled(Map<String, String> config) {
        inner.withLoggingEnabled(config);
        return this;
    }

    @Override
    public StoreBuilder<DeferringStore> withLoggingDisabled() {
        inner.withLoggingDisabled();
        return this;
    }

    @Override
    public Map<String, String> logConfig() {
        return inner.logConfig();
    }

    @Override
    public boolean loggingEnabled() {
        return inner.loggingEnabled();
    }

    @Override
    public String name() {
        return inner.name();
    }
}
