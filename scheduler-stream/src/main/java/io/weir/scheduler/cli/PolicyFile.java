package io.weir.scheduler.cli;

import static java.util.stream.Collectors.joining;

import io.weir.scheduler.core.policy.language.ControlCharacter;
import io.weir.scheduler.core.policy.language.LineVerdict;
import io.weir.scheduler.core.policy.language.Origin;
import io.weir.scheduler.core.policy.language.PolicyLine;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.core.policy.language.PolicySettings;
import io.weir.scheduler.core.policy.nonstop.NonstopReader;
import io.weir.scheduler.core.policy.nonstop.NonstopText;
import io.weir.schemas.bound.Limit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A site's configuration file, read whole: {@code INCLUDE <file>} lines are replaced by what they name, relative to the
 * including file, to a depth of eight, without cycles, and no more of them than a configuration may hold. The result is the text that becomes a policy version; markers in
 * it say which file and line each part comes from. The message of every failure names the place. Where the failure service is
 * asked for, {@code nonstop.conf} beside the file is read in behind it.
 */
public final class PolicyFile {
    private static final int DEEPEST = 8;

    /** Files that are read in, one that is included twice as two: without a limit few lines would make endless text. */
    private static final int MOST_FILES = 1_000;

    /** Bytes of a file; the scheduler takes no more characters than that of all of them together. */
    private static final int MOST_BYTES = 4 * Limit.POLICY_LENGTH;

    private static final String LINE_END = "\r\n|\r|\n";

    /** What the files say, and markers of where it is from. */
    private final StringBuilder text = new StringBuilder();

    /** What the files say. */
    private final StringBuilder unmarked = new StringBuilder();

    private int files;

    /** Whether no line so far says anything, not even in a comment. */
    private boolean blank = true;

    /** The files being read, from the first to the one that is included last. */
    private final List<Opened> chain = new ArrayList<>();

    /** Where what is wrong with INCLUDE lines is gathered; null to fail with the first. */
    private final @Nullable List<PolicyProblem> problems;

    private PolicyFile(@Nullable List<PolicyProblem> problems) {
        this.problems = problems;
    }

    /** Returns the text of {@code file} with its includes inlined. */
    public static String read(Path file) throws IOException {
        PolicyFile reading = new PolicyFile(null);
        reading.start(file);
        return reading.fitting();
    }

    /** Reads {@code file} as far as it can be read: an INCLUDE that cannot be followed is a problem of its line. */
    public static Checked check(Path file) throws IOException {
        List<PolicyProblem> problems = new ArrayList<>();
        PolicyFile reading = new PolicyFile(problems);
        reading.start(file);
        return new Checked(TrialReading.of(reading.text.toString()), problems);
    }

    /**
     * Returns the text of {@code file} to be published; fails with the line that the scheduler would fail on, and where there is
     * no line: what is empty was hardly meant to take the place of a site's configuration.
     */
    public static String publishable(Path file) throws IOException {
        PolicyFile reading = new PolicyFile(null);
        reading.start(file);
        if (reading.blank) {
            throw new IOException(file + " is empty, and nothing would be left of the configuration in force; where the"
                    + " built-in defaults are wanted, write a comment into it");
        }
        String text = reading.text.toString();
        List<PolicyProblem> failing = TrialReading.of(text).failing();
        if (!failing.isEmpty()) {
            PolicyProblem first = failing.get(0);
            throw new IOException(first.origin() + ": " + first.parameter() + ": " + first.message());
        }
        return reading.fitting();
    }

    /**
     * A configuration as far as it could be read.
     */
    public static final class Checked {
        private final TrialReading reading;

        /** What is wrong with INCLUDE lines, in the order of the text. */
        private final List<PolicyProblem> includes;

        Checked(TrialReading reading, List<PolicyProblem> includes) {
            this.reading = reading;
            this.includes = List.copyOf(includes);
        }

        /** Returns what became of each line, in the order of the text. */
        public List<LineVerdict> verdicts() {
            return reading.verdicts().stream().map(this::withInclude).toList();
        }

        /** Returns what was found, in the order of the text. */
        public List<PolicyProblem> problems() {
            return verdicts().stream().flatMap(line -> line.problems().stream()).toList();
        }

        private LineVerdict withInclude(LineVerdict line) {
            List<PolicyProblem> own = includes.stream()
                    .filter(problem -> problem.origin().equals(line.origin()))
                    .toList();
            return own.isEmpty()
                    ? line
                    : new LineVerdict(line.origin(), line.source(), LineVerdict.Verdict.BAD_VALUE, own);
        }
    }

    /** A file that is being read, and the line of it that was reached. */
    private static final class Opened {
        private final Path file;
        private final String called;
        private int line;

        Opened(Path file, String called) {
            this.file = file;
            this.called = called;
        }

        @Override
        public String toString() {
            return called + ":" + line;
        }
    }

    private void start(Path file) throws IOException {
        Path whole = file.toAbsolutePath().normalize();
        String called = String.valueOf(whole.getFileName());
        inline(new Opened(whole, called), lines(whole, called));
        Path nonstop = whole.resolveSibling(NonstopText.FILE);
        if (!holds(NonstopText.FILE)
                && Files.isReadable(nonstop)
                && NonstopReader.enabled(PolicySettings.read(text.toString()))) {
            inline(new Opened(nonstop, NonstopText.FILE), lines(nonstop, NonstopText.FILE));
        }
        int characters = fitting().length();
        if (characters > Limit.POLICY_LENGTH) {
            throw new IOException(called + " has " + characters + " characters with what it includes; a configuration"
                    + " has at most " + Limit.POLICY_LENGTH);
        }
    }

    /**
     * Returns the text with the markers for which there is room: all of them, or none where the files leave too little. Those of the
     * failure service are told from others by theirs.
     */
    private String fitting() {
        boolean marked = text.length() <= Limit.POLICY_LENGTH || holds(NonstopText.FILE);
        return marked ? text.toString() : unmarked.substring(0, Math.max(0, unmarked.length() - 1));
    }

    private boolean holds(String called) {
        return text.indexOf(PolicyLine.marker(called, 1) + "\n") >= 0;
    }

    private void mark(String called, int line) {
        text.append(PolicyLine.marker(called, line)).append('\n');
    }

    private void inline(Opened file, List<String> lines) throws IOException {
        chain.add(file);
        mark(file.called, 1);
        for (String line : lines) {
            file.line++;
            blank &= line.isBlank();
            String[] words = line.strip().split("\\s+", 2);
            boolean include =
                    words.length == 2 && words[0].toUpperCase(Locale.ROOT).equals("INCLUDE");
            if (!include || !follow(file, unquoted(words[1]))) {
                text.append(line).append('\n');
                unmarked.append(line).append('\n');
            }
        }
        chain.remove(chain.size() - 1);
    }

    /** Inlines what an INCLUDE line names; returns false when it cannot, and failing at once is not wanted. */
    private boolean follow(Opened from, String included) throws IOException {
        Path next;
        List<String> lines;
        try {
            next = sibling(from.file, included);
            lines = included(next, included);
        } catch (IOException e) {
            String message = String.valueOf(e.getMessage());
            if (problems == null) {
                throw new IOException(from + ": INCLUDE " + included + ": " + message, e);
            }
            problems.add(new PolicyProblem(
                    PolicyProblem.Kind.BAD_VALUE, new Origin(from.called, from.line), "INCLUDE " + included, message));
            return false;
        }
        inline(new Opened(next, included), lines);
        mark(from.called, from.line + 1);
        return true;
    }

    private static Path sibling(Path file, String included) throws IOException {
        try {
            return file.resolveSibling(included).normalize();
        } catch (InvalidPathException e) {
            throw new IOException("is no path: " + e.getReason(), e);
        }
    }

    private List<String> included(Path next, String called) throws IOException {
        if (!Files.isReadable(next)) {
            throw new IOException("there is no readable file " + next);
        } else if (!Files.isRegularFile(next)) {
            throw new IOException(next + " is no ordinary file");
        } else if (++files > MOST_FILES || text.length() > Limit.POLICY_LENGTH) {
            throw new IOException("the files included so far are " + (files - 1) + " with " + text.length()
                    + " characters; a configuration has at most " + MOST_FILES + " and " + Limit.POLICY_LENGTH);
        }
        for (Opened open : chain) {
            if (Files.isSameFile(open.file, next)) {
                throw new IOException(
                        "the files include one another, " + chain(called) + "; remove one of these INCLUDEs");
            }
        }
        if (chain.size() > DEEPEST) {
            throw new IOException(
                    "is more than " + DEEPEST + " files deep, " + chain(called) + "; include it further up");
        }
        return lines(next, called);
    }

    private String chain(String last) {
        return Stream.concat(chain.stream().map(Opened::toString), Stream.of(last))
                .collect(joining(" -> "));
    }

    /** Returns the lines of {@code file} without the mark that editors put before UTF-8 text. */
    private List<String> lines(Path file, String called) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        } catch (IOException e) {
            throw Unreadable.because(file, e);
        }
        if (bytes.length > MOST_BYTES) {
            throw new IOException(called + " has more than " + MOST_BYTES + " bytes; a configuration has at most "
                    + Limit.POLICY_LENGTH + " characters");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CoderResult result = decoder.decode(in, out, true);
        String text = out.flip().toString();
        if (result.isError()) {
            throw new IOException(called + ":" + text.split(LINE_END, -1).length + " is not UTF-8 (byte 0x"
                    + Integer.toHexString(in.get() & 0xff) + "); convert the file, for example with iconv -t UTF-8");
        }
        Optional<ControlCharacter> control = ControlCharacter.in(text);
        if (problems == null && control.isPresent()) {
            throw new IOException(
                    called + ":" + control.get().line() + " " + control.get().message());
        }
        return List.of((text.startsWith("\uFEFF") ? text.substring(1) : text).split(LINE_END));
    }

    private static String unquoted(String name) {
        String bare = name.replaceFirst("\\s#.*$", "").strip();
        boolean quoted = bare.length() > 1
                && (bare.charAt(0) == '"' || bare.charAt(0) == '\'')
                && bare.charAt(bare.length() - 1) == bare.charAt(0);
        return quoted ? bare.substring(1, bare.length() - 1) : bare;
    }
}
