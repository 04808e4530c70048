package io.weir.notifier.exec;

import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.NotifierProvider;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/** Channels of type {@code exec}: every delivery is a run of one program. Stateless. */
public final class ExecProvider implements NotifierProvider {

    static final String PROGRAM = "program";
    static final String ARGUMENTS = "arguments";
    static final String DIRECTORY = "directory";
    static final String TIMEOUT_MS = "timeout.ms";
    static final String OUTPUT_BYTES = "output.bytes";

    private static final Set<String> VARIABLES = Set.of(
            "ID",
            "CLUSTER",
            "TIME",
            "SEVERITY",
            "EVENT",
            "EVENTTYPE",
            "OTYPE",
            "OID",
            "SUBJECT",
            "MESSAGE",
            "RECIPIENTS",
            "POSSIBLE_DUPLICATE");

    private static final ConfigDef SETTINGS = new ConfigDef()
            .define(
                    PROGRAM,
                    Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    new ConfigDef.NonEmptyString(),
                    Importance.HIGH,
                    "Absolute path of the program to run. It is run without a shell, and the content of a delivery"
                            + " cannot select another program.")
            .define(
                    ARGUMENTS,
                    Type.LIST,
                    List.of("$EVENTTYPE: $MESSAGE"),
                    ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                    Importance.MEDIUM,
                    "Its arguments, with variables such as `$EVENT` and `${OID}`. The value of a variable always stays"
                            + " within its argument.")
            .define(
                    DIRECTORY,
                    Type.STRING,
                    "/",
                    new ConfigDef.NonEmptyString(),
                    Importance.LOW,
                    "Working directory of" + " the program.")
            .define(
                    TIMEOUT_MS,
                    Type.INT,
                    30_000,
                    ConfigDef.Range.between(1, 120_000),
                    Importance.MEDIUM,
                    "After this time the program is killed, with all processes it has started.")
            .define(
                    OUTPUT_BYTES,
                    Type.INT,
                    4_096,
                    ConfigDef.Range.between(0, 65_536),
                    Importance.LOW,
                    "How many bytes of its output are kept.");

    @Override
    public String type() {
        return "exec";
    }

    @Override
    public ConfigDef settings() {
        return new ConfigDef(SETTINGS);
    }

    @Override
    public Notifier open(String channel, AbstractConfig settings) {
        Path program = ProgramList.parse(PROGRAM, List.of(settings.getString(PROGRAM)))
                .programs()
                .get(0);
        List<ArgumentTemplate> arguments =
                settings.getList(ARGUMENTS).stream().map(ArgumentTemplate::new).toList();
        arguments.forEach(template -> {
            if (!template.unknown(VARIABLES).isEmpty()) {
                throw new ConfigException(
                        ARGUMENTS, template.text(), "has unknown variables " + template.unknown(VARIABLES));
            }
        });
        return new ExecNotifier(
                channel,
                program,
                arguments,
                Duration.ofMillis(settings.getInt(TIMEOUT_MS)),
                settings.getInt(OUTPUT_BYTES),
                new ProgramRunner(directory(settings.getString(DIRECTORY))));
    }

    static Path directory(String text) {
        try {
            Path directory = Path.of(text).toAbsolutePath();
            if (!Files.isDirectory(directory)) {
                throw new ConfigException(DIRECTORY, text, "is not a directory; make it");
            }
            return directory;
        } catch (InvalidPathException e) {
            throw new ConfigException(DIRECTORY, text, "is not a path: " + e.getReason());
        }
    }
}
