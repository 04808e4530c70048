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
    static final String LONGEST_MS = "longest.ms";
    static final String RUN_AS = "run-as";
    static final String USERS = "users";
    static final String ENVIRONMENT = "environment";

    private static final int LANES = 4;
    private static final int DAY_MS = 86_400_000;

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
                    RUN_AS,
                    Type.STRING,
                    "",
                    Importance.MEDIUM,
                    "Command that runs a program as another user, such as `setpriv --reuid={user} --regid={user}"
                            + " --init-groups --` or `sudo -n -u {user} --`; the program and its arguments follow it. If"
                            + " empty, programs are run as the notifier's own user alone.")
            .define(
                    USERS,
                    Type.LIST,
                    List.of(),
                    ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                    Importance.MEDIUM,
                    "Users as whom it may run programs; any other is refused. `*` is anybody but root.")
            .define(
                    ENVIRONMENT,
                    Type.LIST,
                    List.of(EnvironmentNames.HARMLESS),
                    ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                    Importance.MEDIUM,
                    "Names of the variables that triggers may set for programs in `Env`, such as `RACK`, or `SITE_*` for"
                            + " all that begin so; an action with any other is refused. List what the programs read, and"
                            + " nothing that an interpreter or a library reads.")
            .define(
                    TIMEOUT_MS,
                    Type.INT,
                    300_000,
                    ConfigDef.Range.between(1, DAY_MS),
                    Importance.MEDIUM,
                    "After this time a program is killed, with all it has started, unless its trigger says another.")
            .define(
                    LONGEST_MS,
                    Type.INT,
                    DAY_MS,
                    ConfigDef.Range.between(1, DAY_MS),
                    Importance.MEDIUM,
                    "After this time it is killed, whatever its trigger says. The programs of other triggers in its lane"
                            + " wait for it.");

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
                Duration.ofMillis(settings.getInt(TIMEOUT_MS)),
                Duration.ofMillis(settings.getInt(LONGEST_MS)),
                OtherUsers.parse(RUN_AS, settings.getString(RUN_AS), USERS, settings.getList(USERS)),
                EnvironmentNames.parse(ENVIRONMENT, settings.getList(ENVIRONMENT)));
    }
}
