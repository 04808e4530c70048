package io.weir.standalone.registry;

import io.confluent.kafka.schemaregistry.CompatibilityLevel;
import io.confluent.kafka.schemaregistry.ParsedSchema;
import io.confluent.kafka.schemaregistry.ParsedSchemaHolder;
import io.confluent.kafka.schemaregistry.SimpleParsedSchemaHolder;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.client.rest.entities.SchemaReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The registry's operations. Readers look into the catalogue first and read the log on when something is not there;
 * writers decide on the newest state. Parsing and compatibility are Confluent's own classes. Safe for several threads.
 */
final class SchemaRegistrar {
    private final SchemaCatalogue catalogue;
    private final RegistryLog entries;

    SchemaRegistrar(SchemaCatalogue catalogue, RegistryLog entries) {
        this.catalogue = catalogue;
        this.entries = entries;
    }

    /** Registers a schema, or finds it registered already. */
    RegisteredSchema register(String subject, String text, List<SchemaReference> references, boolean normalize) {
        AvroSchema schema = parse(text, references, normalize);
        String canonical = schema.canonicalString();
        entries.update(() -> {
            if (catalogue.find(subject, canonical, references).isPresent()) {
                return Optional.empty();
            }
            List<String> problems = problems(schema, catalogue.level(subject), catalogue.versions(subject));
            if (!problems.isEmpty()) {
                throw RegistryException.incompatible(subject, problems);
            }
            return Optional.of(RegistryEntry.schema(catalogue.next(subject, canonical, references)));
        });
        return catalogue
                .find(subject, canonical, references)
                .orElseThrow(() -> RegistryException.storeFailed("the schema was written but not read back"));
    }

    /** Finds a schema that was registered under {@code subject}. */
    RegisteredSchema lookUp(String subject, String text, List<SchemaReference> references, boolean normalize) {
        String canonical = parse(text, references, normalize).canonicalString();
        Optional<RegisteredSchema> found = catalogue.find(subject, canonical, references);
        if (found.isEmpty()) {
            entries.catchUp();
            found = catalogue.find(subject, canonical, references);
        }
        if (found.isEmpty() && !catalogue.contains(subject)) {
            throw RegistryException.subjectNotFound(subject);
        }
        return found.orElseThrow(() -> RegistryException.schemaNotFound("in subject '" + subject + "'"));
    }

    RegisteredSchema byId(int id) {
        Optional<RegisteredSchema> found = catalogue.byId(id);
        if (found.isEmpty()) {
            entries.catchUp();
            found = catalogue.byId(id);
        }
        return found.orElseThrow(() -> RegistryException.schemaNotFound(Integer.toString(id)));
    }

    List<RegisteredSchema> uses(int id) {
        entries.catchUp();
        byId(id);
        return catalogue.uses(id);
    }

    int maxId() {
        return catalogue.maxId();
    }

    List<String> subjects() {
        entries.catchUp();
        return catalogue.subjects();
    }

    List<RegisteredSchema> versions(String subject) {
        entries.catchUp();
        List<RegisteredSchema> versions = catalogue.versions(subject);
        if (versions.isEmpty()) {
            throw RegistryException.subjectNotFound(subject);
        }
        return versions;
    }

    /** Returns a version of {@code subject} by number, or the newest for {@code latest} and -1. */
    RegisteredSchema version(String subject, String version) {
        int number = number(version);
        List<RegisteredSchema> versions = versions(subject);
        if (number < 0) {
            return versions.get(versions.size() - 1);
        }
        return versions.stream()
                .filter(schema -> schema.version() == number)
                .findFirst()
                .orElseThrow(() -> RegistryException.versionNotFound(version));
    }

    /** Says what makes a schema incompatible with {@code version} of {@code subject} (null: with as many as the level asks). */
    List<String> incompatibilities(
            String subject,
            @Nullable String version,
            String text,
            List<SchemaReference> references,
            boolean normalize) {
        AvroSchema schema = parse(text, references, normalize);
        entries.catchUp();
        List<RegisteredSchema> against =
                version == null ? catalogue.versions(subject) : List.of(version(subject, version));
        return problems(schema, catalogue.level(subject), against);
    }

    CompatibilityLevel level(@Nullable String subject, boolean defaultToGlobal) {
        entries.catchUp();
        if (subject == null || defaultToGlobal) {
            return catalogue.level(subject);
        }
        return catalogue.ownLevel(subject).orElseThrow(() -> RegistryException.noSubjectLevel(subject));
    }

    void setLevel(@Nullable String subject, String name) {
        CompatibilityLevel level = CompatibilityLevel.forName(name);
        if (level == null) {
            throw RegistryException.invalidLevel(name);
        }
        entries.update(() -> Optional.of(RegistryEntry.level(subject, level)));
    }

    private static int number(String version) {
        if (version.equals("latest") || version.equals("-1")) {
            return -1;
        }
        try {
            int number = Integer.parseInt(version);
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, like a number out of range.
        }
        throw RegistryException.invalidVersion(version);
    }

    private List<String> problems(AvroSchema schema, CompatibilityLevel level, List<RegisteredSchema> earlier) {
        List<ParsedSchemaHolder> history = new ArrayList<>();
        for (RegisteredSchema version : earlier) {
            ParsedSchema parsed = parse(version.text(), version.references(), false);
            history.add(new SimpleParsedSchemaHolder(parsed));
        }
        return schema.isCompatible(level, history);
    }

    private AvroSchema parse(String text, List<SchemaReference> references, boolean normalize) {
        Map<String, String> resolved = new LinkedHashMap<>();
        resolve(references, resolved);
        try {
            AvroSchema schema = new AvroSchema(text, references, resolved, null);
            schema.validate(false);
            return normalize ? schema.normalize() : schema;
        } catch (RuntimeException e) {
            throw RegistryException.invalidSchema(e.getMessage() + ": " + abbreviated(text));
        }
    }

    private void resolve(List<SchemaReference> references, Map<String, String> resolved) {
        for (SchemaReference reference : references) {
            RegisteredSchema target = version(reference.getSubject(), Integer.toString(reference.getVersion()));
            resolve(target.references(), resolved);
            resolved.putIfAbsent(reference.getName(), target.text());
        }
    }

    private static String abbreviated(String text) {
        return text.length() <= 200 ? text : text.substring(0, 200) + "…";
    }
}
