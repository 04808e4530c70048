package io.weir.notifier.exec;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;

/**
 * The users as whom programs may be run, besides the notifier's own, and the program that does it. Nothing that a topic says
 * can add to them. Immutable.
 *
 * @param users their names
 * @param command program and arguments before the program that is to be run, {@code {user}} for the name; empty for none
 */
record OtherUsers(List<String> users, List<String> command) {
    private static final String NAME = "{user}";
    private static final Pattern USER = Pattern.compile("[a-z_][a-z0-9_-]{0,31}");

    OtherUsers {
        users = List.copyOf(users);
        command = List.copyOf(command);
    }

    /** Reads the names that the setting {@code usersKey} lists, and the command of the setting {@code commandKey}. */
    static OtherUsers parse(String usersKey, List<String> users, String commandKey, String command) {
        for (String user : users) {
            if (!USER.matcher(user).matches()) {
                throw new ConfigException(usersKey, user, "is no name of a user");
            }
        }
        List<String> words =
                command.isBlank() ? List.of() : List.of(command.strip().split("\\s+"));
        if (!users.isEmpty() && words.stream().noneMatch(word -> word.contains(NAME))) {
            throw new ConfigException(
                    commandKey,
                    command,
                    "must be the absolute path of a program and arguments with " + NAME + " in one");
        }
        if (!words.isEmpty()) {
            ProgramList.parse(commandKey, words.subList(0, 1));
        }
        return new OtherUsers(users, words);
    }

    /** Returns why nothing is run as {@code user}; empty when it may be. */
    Optional<String> obstacle(String user) {
        return users.contains(user) && USER.matcher(user).matches()
                ? ProgramList.obstacle(Path.of(command.get(0)))
                : Optional.of("programs are not run as " + user + "; action.exec.users does not list this user");
    }

    /** Returns {@code call} as {@code user}, of whom there is no {@link #obstacle}. */
    ProgramCall as(String user, ProgramCall call) {
        List<String> words = new ArrayList<>();
        command.subList(1, command.size()).forEach(word -> words.add(word.replace(NAME, user)));
        words.add(call.program().toString());
        words.addAll(call.arguments());
        return new ProgramCall(
                Path.of(command.get(0)), words, call.environment(), call.input(), call.timeout(), call.outputBytes());
    }
}
