package io.weir.notifier.exec;

import io.weir.notifier.spi.ChargePeer;
import io.weir.notifier.spi.ChargePeerProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Peers of type {@code exec}: every charge is a run of one program. Stateless. */
public final class ChargeProgramProvider implements ChargePeerProvider {

    static final String PROGRAM = "program";
    static final String ARGUMENTS = "arguments";
    static final String DIRECTORY = "directory";
    static final String TIMEOUT_MS = "timeout.ms";

    private static final ConfigDef SETTINGS = new ConfigDef()
            .define(
                    PROGRAM,
                    Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    new ConfigDef.NonEmptyString(),
                    Importance.HIGH,
                    "Absolute path of the program to run for each charge, without a shell. It finds the line of the"
                            + " charge on its standard input. Exit code 0: it is taken; 75: it is to come again; any"
                            + " other: it is refused for good.")
            .define(
                    ARGUMENTS,
                    Type.LIST,
                    List.of(),
                    ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                    Importance.LOW,
                    "Its arguments, as they stand.")
            .define(DIRECTORY, Type.STRING, "/", new ConfigDef.NonEmptyString(), Importance.LOW, "Where it is run.")
            .define(
                    TIMEOUT_MS,
                    Type.INT,
                    30_000,
                    ConfigDef.Range.between(1, 120_000),
                    Importance.MEDIUM,
                    "After this time it is killed, with all that it has started, and the charge comes again.");

    @Override
    public String type() {
        return "exec";
    }

    @Override
    public ConfigDef settings() {
        return new ConfigDef(SETTINGS);
    }

    @Override
    public ChargePeer open(String peer, AbstractConfig settings) {
        Path program = ProgramList.parse(PROGRAM, List.of(settings.getString(PROGRAM)))
                .programs()
                .get(0);
        return new ChargeProgram(
                peer,
                program,
                settings.getList(ARGUMENTS),
                Duration.ofMillis(settings.getInt(TIMEOUT_MS)),
                new ProgramRunner(ExecProvider.directory(settings.getString(DIRECTORY))));
    }
}
