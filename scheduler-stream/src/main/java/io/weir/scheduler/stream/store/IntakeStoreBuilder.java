package io.weir.scheduler.stream.store;

import java.util.Map;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;

/** Builds an {@link IntakeStore} over the store of another builder, whose settings are its own. */
final class IntakeStoreBuilder implements StoreBuilder<IntakeStore> {
    private final StoreBuilder<KeyValueStore<String, byte[]>> inner;

    IntakeStoreBuilder(StoreBuilder<KeyValueStore<String, byte[]>> inner) {
        this.inner = inner;
    }

    @Override
    public IntakeStore build() {
        return new IntakeStore(inner.build());
    }

    @Override
    public StoreBuilder<IntakeStore> withCachingEnabled() {
        inner.withCachingEnabled();
        return this;
    }

    @Override
    public StoreBuilder<IntakeStore> withCachingDisabled() {
        inner.withCachingDisabled();
        return this;
    }

    @Override
    public StoreBuilder<IntakeStore> withLoggingEnabled(Map<String, String> config) {
        inner.withLoggingEnabled(config);
        return this;
    }

    @Override
    public StoreBuilder<IntakeStore> withLoggingDisabled() {
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
