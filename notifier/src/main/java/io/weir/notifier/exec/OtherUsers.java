package io.weir.notifier.exec;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;

/**
 * As whom else than the notifier's own user programs may be run, and with what: nothing that a topic says can add to it.
 * Immutable.
 *
 * @param command words of the command before a program, in which {@value #PLACE} stands for the user; empty for none
 * @param users those who may be named; {@value #ANY} is anybody but root
 */
record OtherUsers(List<String> command, Set<String> users) {

    static final OtherUsers NONE = new OtherUsers(List.of(), Set.of());

    private static final String PLACE = "{user}";
    private static final String ANY = "*";
    private static final String ROOT = "root";
    private static final int MOST_WORDS = 16;
    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_-]{0,31}");
    private static final List<String> DIRECTORIES =
            List.of("/usr/local/sbin/", "/usr/local/bin/", "/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/");

    /** A user as whom a program is not run; the message says why and what to do. */
    static final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;

        Refusal(String message) {
            super(message, null, false, false);
        }
    }

    OtherUsers {
        command = List.copyOf(command);
        users = Set.copyOf(users);
    }

    /** Reads the command and the list that the settings {@code commandKey} and {@code usersKey} state. */
    static OtherUsers parse(String commandKey, String command, String usersKey, List<String> users) {
        List<String> words =
                command.isBlank() ? List.of() : List.of(command.strip().split(" +", -1));
        if (!words.isEmpty()
                && (words.size() > MOST_WORDS
                        || words.get(0).contains(PLACE)
                        || words.stream().noneMatch(word -> word.contains(PLACE)))) {
            throw new ConfigException(
                    commandKey,
                    command,
                    "must be a command of up to " + MOST_WORDS + " words with " + PLACE
                            + " behind the first, such as: setpriv --reuid={user} --regid={user} --init-groups --");
        }
        for (String user : users) {
            if (!user.equals(ANY) && !NAME.matcher(user).matches()) {
                throw new ConfigException(usersKey, user, "is no name of a user; use " + NAME + ", or " + ANY);
            }
        }
        if (words.isEmpty() && !users.isEmpty()) {
            throw new ConfigException(commandKey, command, "is needed: " + usersKey + " lists users");
        }
        List<String> resolved = new ArrayList<>(words);
        if (!words.isEmpty()) {
            resolved.set(0, place(commandKey, words.get(0)));
        }
        return new OtherUsers(resolved, Set.copyOf(users));
    }

    /** Found once and for all: the environment of a program, which triggers add to, is not to choose what runs it. */
    private static String place(String commandKey, String word) {
        for (String directory : word.startsWith("/") ? List.of("") : DIRECTORIES) {
            Path path = Path.of(directory + word);
            if (Files.isRegularFile(path) && Files.isExecutable(path)) {
                return path.toString();
            }
        }
        throw new ConfigException(
                commandKey, word, "is no program here; state an absolute path, or one in " + DIRECTORIES);
    }

    /** Returns the words that run a program as {@code user} when they stand before it. */
    List<String> before(String user) throws Refusal {
        if (!NAME.matcher(user).matches()) {
            throw new Refusal("a program cannot be run as '" + user + "', which is no name of a user");
        }
        if (command.isEmpty()) {
            throw new Refusal("programs are not run as " + user + "; state action.exec.run-as and action.exec.users");
        }
        boolean listed = users.contains(user) || (users.contains(ANY) && !user.equals(ROOT));
        if (!listed) {
            throw new Refusal("action.exec.users does not list " + user);
        }
        List<String> words = new ArrayList<>();
        command.forEach(word -> words.add(word.replace(PLACE, user)));
        return List.copyOf(words);
    }
}
