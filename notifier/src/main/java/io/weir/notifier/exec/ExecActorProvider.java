package io.weir.notifier.exec;

import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.ActorProvider;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Actions of type {@code exec}: programs that the settings list, and no others. Stateless. */
public final class ExecActorProvider implements ActorProvider {

    static final String PROGRAMS = "programs";
    static final String DIRECTORY = "directory";
    static final String TIMEOUT_MS = "timeout.ms";

    private static final int LANES = 4;

    private static final ConfigDef SETTINGS = new ConfigDef()
            .define(
                    PROGRAMS,
                    Type.LIST,
                    List.of(),
                    ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                    Importance.HIGH,
                    "Programs that triggers may run, absolute paths; any other is refused.")
            .define(DIRECTORY, Type.STRING, "/", new ConfigDef.NonEmptyString(), Importance.LOW, "Where they are run.")
            .define(
                    TIMEOUT_MS,
                    Type.INT,
                    60_000,
                    ConfigDef.Range.between(1, 240_000),
                    Importance.MEDIUM,
                    "After this time a program is killed, with all it has started, unless its trigger says another;"
                            + " never later than after four minutes.");

    @Override
    public String actionType() {
        return "exec";
    }

    @Override
    public int lanes() {
        return LANES;
    }

    @Override
    public ConfigDef settings() {
        return new ConfigDef(SETTINGS);
    }

    @Override
    public Actor open(AbstractConfig settings) {
        return new ExecActor(
                ProgramList.parse(PROGRAMS, settings.getList(PROGRAMS)),
                new ProgramRunner(ExecProvider.directory(settings.getString(DIRECTORY))),
                Duration.ofMillis(settings.getInt(TIMEOUT_MS)));
    }
}
