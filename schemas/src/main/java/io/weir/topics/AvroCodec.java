package io.weir.topics;

import io.confluent.kafka.schemaregistry.ParsedSchema;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.avro.AvroSchemaProvider;
import io.confluent.kafka.schemaregistry.avro.AvroSchemaUtils;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClientConfig;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClientFactory;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import io.confluent.kafka.serializers.AbstractKafkaSchemaSerDeConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records to bytes and back, in Confluent's wire format: a zero byte, the schema id in four bytes, the Avro payload. The
 * subject is {@code <topic>-value}; Confluent's own serializers read and write the same bytes.
 *
 * <p>Only the registry client is theirs: so bytes that can never be read ({@link PoisonRecordException}) are told from a
 * registry that is away ({@link RegistryUnavailableException}, retriable), and the payload depends on the record alone.
 * The registry is asked once per schema, or once a second for one that it does not know; after {@link #prepare} no encoding
 * asks it, nor does any decoding of what was encoded by the same schema, or by one that was there to {@link #learn}.
 * Thread-safe.
 */
public final class AvroCodec implements AutoCloseable {

    static {
        AvroTrust.install();
    }

    private static final Logger log = LoggerFactory.getLogger(AvroCodec.class);

    private static final int SCHEMAS_PER_SUBJECT = 1_000;

    /** Schemas of a subject that are learned, the newest: more than the releases whose records are still there. */
    private static final int VERSIONS_LEARNED = 20;

    private final TopicNames names;
    private final AbstractKafkaSchemaSerDeConfig config;
    private final SchemaRegistryClient registry;
    private final RegistryCalls calls;

    /** Ids by topic: of the one schema per topic that this build writes. */
    private final Map<Topic<?>, Integer> ids = new ConcurrentHashMap<>();

    private final Map<WrittenSchema, SpecificDatumReader<?>> readers = new ConcurrentHashMap<>();

    /** Topics whose schemas were asked for before there were records. */
    private final Set<Topic<?>> learned = ConcurrentHashMap.newKeySet();

    private final RegistryQuestions<WrittenSchema, SpecificDatumReader<?>> questions =
            new RegistryQuestions<>(this::reader);

    /**
     * Opens a codec; the registry is not asked yet.
     *
     * @param names how topics are called here
     * @param registryConfig properties of Confluent's client and serializers, {@code schema.registry.url} at least.
     *     {@code mock://scope} stands for a registry in this JVM. Schemas are registered on first use unless
     *     {@code auto.register.schemas} is false; {@code basic.auth.user.info} and {@code bearer.auth.token} need no source
     */
    public AvroCodec(TopicNames names, Map<String, ?> registryConfig) {
        this(names, config(registryConfig));
    }

    /** Opens a codec that asks {@code registry}, and closes it with itself; the properties are as above. */
    public AvroCodec(TopicNames names, Map<String, ?> registryConfig, SchemaRegistryClient registry) {
        this(names, config(registryConfig), registry);
    }

    private AvroCodec(TopicNames names, AbstractKafkaSchemaSerDeConfig config) {
        this(
                names,
                config,
                SchemaRegistryClientFactory.newClient(
                        config.getSchemaRegistryUrls(),
                        SCHEMAS_PER_SUBJECT,
                        List.of(new AvroSchemaProvider()),
                        config.originalsWithPrefix(""),
                        config.requestHeaders()));
    }

    private AvroCodec(TopicNames names, AbstractKafkaSchemaSerDeConfig config, SchemaRegistryClient registry) {
        this.names = names;
        this.config = config;
        this.registry = registry;
        this.calls = new RegistryCalls(config.getSchemaRegistryUrls(), log::warn);
    }

    private static AbstractKafkaSchemaSerDeConfig config(Map<String, ?> registryConfig) {
        Map<String, Object> properties = RegistryLogin.complete(registryConfig);
        // Of an id that the registry does not know there may be many records, each of which would wait for it to
        // say so.
        properties.putIfAbsent(SchemaRegistryClientConfig.MISSING_ID_CACHE_TTL_CONFIG, 1L);
        return new AbstractKafkaSchemaSerDeConfig(AbstractKafkaSchemaSerDeConfig.baseConfigDef(), properties, false);
    }

    /**
     * Registers the schemas of {@code topics}, or looks them up where registration is off, so that no later
     * {@link #encode} depends on the registry, and no {@link #decode} of what others of this build encode.
     *
     * @throws RegistryUnavailableException when the registry cannot be reached
     * @throws IllegalStateException when it refuses or does not have a schema
     */
    public void prepare(Iterable<? extends Topic<?>> topics) {
        topics.forEach(this::id);
    }

    /**
     * Asks once for the schemas under which records of {@code topics} may have been written so far, so that no later {@link
     * #decode} of these depends on the registry. A topic that has none yet gets the one of this build, which those who write it
     * will find there. What the registry does not tell is asked for when it is met.
     */
    public void learn(Iterable<? extends Topic<?>> topics) {
        for (Topic<?> topic : topics) {
            try {
                if (!learned.contains(topic)) {
                    learn(topic);
                    learned.add(topic);
                }
            } catch (RegistryUnavailableException e) {
                log.debug("The schemas of {} are asked for when they are met", names.full(topic), e);
                return;
            } catch (RestClientException | IllegalStateException e) {
                log.debug("There are no schemas of {} so far", names.full(topic), e);
            }
        }
    }

    private void learn(Topic<?> topic) throws RestClientException {
        String about = "Schemas of subject " + subject(topic) + ": ";
        List<Integer> versions;
        try {
            versions = calls.ask(about, () -> registry.getAllVersions(subject(topic)));
        } catch (RestClientException e) {
            if (!RegistryCalls.isUnknown(e)) {
                throw e;
            }
            id(topic);
            return;
        }
        for (int version : versions.subList(Math.max(0, versions.size() - VERSIONS_LEARNED), versions.size())) {
            int id = calls.ask(
                    about,
                    () -> registry.getSchemaMetadata(subject(topic), version).getId());
            try {
                reader(new WrittenSchema(topic, id));
            } catch (PoisonRecordException e) {
                log.debug("What is written by schema {} of {} cannot be used", id, names.full(topic), e);
            }
        }
    }

    /**
     * Registers what is known by now of the schemas of {@code copied}, whose records are copied onto {@code topic} as they are,
     * under the subjects that Confluent's {@code TopicRecordNameStrategy} gives them there: some clients, such as sinks of
     * Kafka Connect, ask by subject for the version of each schema they meet. Weir itself does not, so nothing depends on it;
     * does nothing where registration is off.
     */
    public void registerCopied(Topic<?> topic, Collection<Topic<?>> copied) {
        if (!config.autoRegisterSchema()) {
            return;
        }
        List<WrittenSchema> known = readers.keySet().stream()
                .filter(written -> copied.contains(written.topic()))
                .sorted(Comparator.comparing(WrittenSchema::schemaId))
                .toList();
        for (WrittenSchema written : known) {
            AvroSchema schema = new AvroSchema(reader(written).getSchema());
            String subject = names.full(topic) + "-" + schema.name();
            try {
                calls.ask(
                        "Schema of subject " + subject + ": ",
                        () -> registry.register(subject, schema, config.normalizeSchema()));
            } catch (RegistryUnavailableException e) {
                log.info("What is copied onto {} is not registered for it: {}", names.full(topic), e.getMessage());
                return;
            } catch (RestClientException e) {
                log.info("Schema {} is not registered under {}: {}", written.schemaId(), subject, e.getMessage());
            }
        }
    }

    /**
     * Encodes {@code record}.
     *
     * @throws RegistryUnavailableException when the registry was needed and cannot be reached
     * @throws IllegalStateException when it refuses or does not have the schema
     */
    public <T extends SpecificRecord> byte[] encode(Topic<T> topic, T record) {
        return withHeader(topic, AvroPayload.encode(record));
    }

    /**
     * Returns {@code payload}, which {@link AvroPayload#encode} made of a record of {@code topic}, with the header that makes it a
     * value of the topic.
     *
     * @throws RegistryUnavailableException when the registry was needed and cannot be reached
     * @throws IllegalStateException when it refuses or does not have the schema
     */
    public byte[] withHeader(Topic<?> topic, byte[] payload) {
        return AvroPayload.withHeader(id(topic), payload);
    }

    /**
     * Decodes {@code bytes} as a record of {@code topic}, whatever compatible schema they were written with.
     *
     * @throws PoisonRecordException when that will never be possible; an {@link UnknownSchemaException} when the registry does not
     *     know the schema, which may change
     * @throws RegistryUnavailableException when the registry was needed and gave no definite answer
     */
    public <T extends SpecificRecord> T decode(Topic<T> topic, byte[] bytes) {
        return AvroPayload.decode(topic.type(), bytes, reader(written(topic, bytes)));
    }

    /**
     * Decodes {@code bytes} as {@link #decode(Topic, byte[])} does, for those who must not wait: for the registry they wait
     * {@code patience} at the longest. It goes on being asked, and answers a later call.
     *
     * @throws PoisonRecordException when that will never be possible; an {@link UnknownSchemaException} when the registry does not
     *     know the schema, which may change
     * @throws RegistryUnavailableException when the registry was needed and has given no definite answer yet
     */
    public <T extends SpecificRecord> T decode(Topic<T> topic, byte[] bytes, Duration patience) {
        WrittenSchema written = written(topic, bytes);
        SpecificDatumReader<?> known = readers.get(written);
        return AvroPayload.decode(topic.type(), bytes, known != null ? known : questions.answer(written, patience));
    }

    /** Returns what to say where the registry has been asked for long and gives no usable answer; empty while it does. */
    public Optional<String> registryObstacle() {
        return calls.obstacle();
    }

    /** Returns this codec as a serde of {@code topic}; null stands for a tombstone. Closing it does nothing. */
    public <T extends SpecificRecord> Serde<T> serde(Topic<T> topic) {
        return Serdes.serdeFrom(
                (name, record) -> record == null ? null : encode(topic, record),
                (name, bytes) -> bytes == null ? null : decode(topic, bytes));
    }

    @Override
    public void close() {
        try {
            registry.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int id(Topic<?> topic) {
        Integer known = ids.get(topic);
        return known != null ? known : ids.computeIfAbsent(topic, this::askForId);
    }

    private int askForId(Topic<?> topic) {
        AvroSchema schema = new AvroSchema(withoutJavaProperties(topic));
        String subject = "Schema of subject " + subject(topic) + ": ";
        try {
            int id = calls.ask(
                    subject,
                    () -> given(
                            config.autoRegisterSchema()
                                    ? registry.register(subject(topic), schema, config.normalizeSchema())
                                    : registry.getId(subject(topic), schema, config.normalizeSchema())));
            readers.putIfAbsent(
                    new WrittenSchema(topic, id), new SpecificDatumReader<>(schema.rawSchema(), topic.schema()));
            return id;
        } catch (RestClientException e) {
            String remedy = RegistryCalls.isConflict(e)
                    ? ". The subject has a schema that this build's does not go with: if it is another program's, remove it"
                            + " or choose another topics.prefix; if it is of a newer build, run that one"
                    : ". Register this build's schema there first";
            throw new IllegalStateException(subject + calls.answer(e) + remedy, e);
        }
    }

    /** Refuses the id that the client makes of an answer which gives none, such as that of a proxy. */
    private static int given(int id) throws IOException {
        if (id < 1) {
            throw new IOException("the answer gives no id");
        }
        return id;
    }

    /**
     * Returns the schema that a record of {@code topic} was written by, as the registry has it.
     *
     * @throws PoisonRecordException when the bytes name none, or one of something else
     * @throws RegistryUnavailableException when the registry does not answer
     */
    public Schema schemaOf(Topic<?> topic, byte[] bytes) {
        return reader(written(topic, bytes)).getSchema();
    }

    private SpecificDatumReader<?> reader(WrittenSchema key) {
        SpecificDatumReader<?> known = readers.get(key);
        return known != null ? known : readers.computeIfAbsent(key, this::askForReader);
    }

    private SpecificDatumReader<?> askForReader(WrittenSchema written) {
        Schema expected = written.topic().schema();
        ParsedSchema writer = askForSchema(written);
        String actual = writer instanceof AvroSchema ? writer.name() : writer.schemaType();
        if (!expected.getFullName().equals(actual) || !(writer.rawSchema() instanceof Schema writerSchema)) {
            throw new PoisonRecordException("Schema " + written.schemaId() + " is of " + actual + ", but "
                    + names.full(written.topic()) + " holds " + expected.getFullName());
        }
        EndlessSchema.objection(writerSchema).ifPresent(objection -> {
            throw new PoisonRecordException("Schema " + written.schemaId() + " " + objection);
        });
        return new SpecificDatumReader<>(writerSchema, expected);
    }

    private ParsedSchema askForSchema(WrittenSchema written) {
        String what = "Schema id " + written.schemaId() + " on " + names.full(written.topic()) + ": ";
        try {
            return calls.ask(
                    what, () -> named(registry.getSchemaBySubjectAndId(subject(written.topic()), written.schemaId())));
        } catch (RestClientException e) {
            throw RegistryCalls.isUnknown(e)
                    ? new UnknownSchemaException(written.schemaId(), what + e.getMessage(), e)
                    : new PoisonRecordException(what + e.getMessage(), e);
        }
    }

    /** Refuses the schema that the client makes of an answer which gives none, such as that of a proxy. */
    private static ParsedSchema named(ParsedSchema schema) throws IOException {
        if (schema.rawSchema() == null) {
            throw new IOException("the answer gives no schema");
        }
        return schema;
    }

    private String subject(Topic<?> topic) {
        return names.full(topic) + "-value";
    }

    /** The schema as its file has it: how Java represents a string is nobody else's business. */
    static Schema withoutJavaProperties(Topic<?> topic) {
        Object empty = SpecificData.newInstance(topic.type(), topic.schema());
        return AvroSchemaUtils.getSchema(empty, false, false, true);
    }

    private static WrittenSchema written(Topic<?> topic, byte[] bytes) {
        return new WrittenSchema(topic, AvroPayload.schemaId(bytes));
    }

    private record WrittenSchema(Topic<?> topic, int schemaId) {
        @Override
        public String toString() {
            return "schema id " + schemaId + " on " + topic.name();
        }
    }
}
