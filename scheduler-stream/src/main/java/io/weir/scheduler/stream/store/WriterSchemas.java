package io.weir.scheduler.stream.store;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.message.SchemaStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schemas that records of a task were ever stored with, in a store of the same task: a state says itself how to read
 * it, to whichever build finds it, without a registry and without a list of releases. A schema is written in the
 * transaction of the first record that needs it, in Avro's canonical form, which is what its fingerprint stands for, and
 * is never removed: records of it may lie unchanged for years. One thread.
 */
final class WriterSchemas implements SchemaStore {
    private static final Logger log = LoggerFactory.getLogger(WriterSchemas.class);

    /** What their keys begin with; no cluster's do with a slash. */
    private static final String PREFIX = "/schema/";

    private final DeferringStore store;
    private final Set<Schema> kept = Collections.newSetFromMap(new IdentityHashMap<>());

    WriterSchemas(DeferringStore store) {
        this.store = store;
    }

    /** Says whether a schema, no record, lies under {@code key}. */
    static boolean isKey(String key) {
        return key.startsWith(PREFIX);
    }

    /** Sees to it that records of {@code schema} can be read later. */
    void keep(Schema schema) {
        if (kept.add(schema)) {
            store.putIfAbsent(
                    key(SchemaNormalization.parsingFingerprint64(schema)),
                    SchemaNormalization.toParsingForm(schema).getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Returns a schema that is not this build's; asked once per type and fingerprint. */
    @Override
    public @Nullable Schema findByFingerprint(long fingerprint) {
        return find(fingerprint, store::get);
    }

    /** Returns the schema of {@code fingerprint} from {@code kept}, which has what the store has; null when it is not there. */
    static @Nullable Schema find(long fingerprint, Function<String, byte @Nullable []> kept) {
        byte[] form = kept.apply(key(fingerprint));
        if (form == null) {
            return null;
        }
        Schema schema = new Schema.Parser().parse(new String(form, StandardCharsets.UTF_8));
        log.info("State of another build, read by its schema: record={} key={}", schema.getName(), key(fingerprint));
        return schema;
    }

    private static String key(long fingerprint) {
        return PREFIX + String.format(Locale.ROOT, "%016x", fingerprint);
    }
}
