package io.weir.rm.nativerm.call;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Where a call goes: a program with arguments, a file, or a web address. Immutable. */
public sealed interface Endpoint {
    /** A program and its first arguments, started without a shell. */
    record Exec(List<String> command) implements Endpoint {
        public Exec {
            command = List.copyOf(command);
        }

        @Override
        public String toString() {
            return "exec://" + String.join(" ", command);
        }
    }

    /** A file to read. */
    record File(Path path) implements Endpoint {
        @Override
        public String toString() {
            return "file://" + path;
        }
    }

    /** A web server. */
    record Http(URI uri) implements Endpoint {
        /** Returns the address without what may be secret in it. */
        @Override
        public String toString() {
            return uri.getScheme() + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort())
                    + uri.getPath();
        }
    }

    /**
     * Reads {@code exec://program argument ...}, {@code file://path} or {@code http(s)://...}. Words of a command are
     * separated by blanks, quotes keep blanks; {@code $NAME} and <code>${NAME}</code> stand for variables and never
     * split a word.
     *
     * @param variables value of a variable; null when there is none
     * @throws IllegalArgumentException if it is no such URL; the message says why
     */
    static Endpoint parse(String url, UnaryOperator<@Nullable String> variables) {
        int mark = url.indexOf("://");
        String scheme = mark < 0 ? "" : url.substring(0, mark).toLowerCase(Locale.ROOT);
        String rest = mark < 0 ? "" : url.substring(mark + 3);
        return switch (scheme) {
            case "exec" -> {
                List<String> command = CommandLine.words(rest).stream()
                        .map(word -> CommandLine.expand(word, variables))
                        .toList();
                if (command.isEmpty() || !Path.of(command.get(0)).isAbsolute()) {
                    throw new IllegalArgumentException("'" + url + "' names no program by its absolute path");
                }
                yield new Exec(command);
            }
            case "file" -> {
                Path path = Path.of(CommandLine.expand(rest, variables));
                if (!path.isAbsolute()) {
                    throw new IllegalArgumentException("'" + url + "' names no file by its absolute path");
                }
                yield new File(path);
            }
            case "http", "https" -> new Http(uri(CommandLine.expand(url, variables)));
            default ->
                throw new IllegalArgumentException(
                        "'" + url + "' begins with none of exec:// file:// http:// https://");
        };
    }

    private static URI uri(String text) {
        try {
            URI uri = new URI(text);
            if (uri.getHost() == null) {
                throw new IllegalArgumentException("'" + text + "' names no host");
            }
            return uri;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("'" + text + "' is not a URL: " + e.getReason(), e);
        }
    }
}
