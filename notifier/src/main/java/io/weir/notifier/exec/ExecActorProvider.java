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
    static final String USERS = "users";
    static final String USER_COMMAND = "user.command";

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
                    300_000,
                    ConfigDef.Range.between(1, (int) ExecActor.LONGEST.toMillis()),
                    Importance.MEDIUM,
                    "After this time a program is killed, with all it has started, unless its trigger says another;"
                            + " never later than after an hour.")
            .define(
                    USERS,
                    Type.LIST,
                    List.of(),
                    ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                    Importance.MEDIUM,
                    "Users as whom triggers may have programs run, by the flags user and user+NAME; as any other none is.")
            .define(
                    USER_COMMAND,
                    Type.STRING,
                    "",
                    Importance.MEDIUM,
                    "What runs a program as one of these users: an absolute path and arguments, with {user} for the"
                            + " name, such as `/usr/bin/setpriv --reuid={user} --regid={user} --init-groups`.");

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
                OtherUsers.parse(USERS, settings.getList(USERS), USER_COMMAND, settings.getString(USER_COMMAND)),
                new ProgramRunner(ExecProvider.directory(settings.getString(DIRECTORY))),
                Duration.ofMillis(settings.getInt(TIMEOUT_MS)));
    }
}
