package io.weir.rm.simulated;

import io.weir.rm.simulated.FailureScript.NodeEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the language of failure scripts, one sentence per line, {@code #} begins a comment:
 *
 * <pre>
 *   AT +3600 NODE n0003 DOWN FOR 600     # seconds after the first submission; without + on the trace's clock
 *   AT 7200 NODE n0004 DOWN
 *   AT 9000 NODE n0004 UP
 *   COMMAND 17 REFUSE "no licence"
 *   COMMAND 18 LOSE                      # takes effect, but the answer is lost
 *   COMMAND 19 FAIL 2                    # the resource manager is away for two attempts
 *   START JOB 12 REFUSE 2                # the first two starts
 *   POLL 5 FAIL 3                        # the 5th, 6th and 7th poll of the process
 * </pre>
 *
 * All lines that cannot be used are collected, each with its number and the reason. Used once.
 */
final class FailureScriptParser {
    private static final Pattern WORDS = Pattern.compile("\"([^\"]*)\"|(\\S+)");

    private final long firstSubmission;
    private final Predicate<String> isNode;
    private final List<NodeEvent> nodeEvents = new ArrayList<>();
    private final Map<Long, String> refusedCommands = new HashMap<>();
    private final Map<String, Integer> refusedStarts = new HashMap<>();
    private final Map<Long, Integer> lostAnswers = new HashMap<>();
    private final Map<Long, Integer> failingCommands = new HashMap<>();
    private final Map<Long, Integer> failingPolls = new HashMap<>();
    private final List<String> problems = new ArrayList<>();

    /**
     * Creates a parser.
     *
     * @param firstSubmission second of the first submission, from which {@code +} counts
     * @param isNode tells the names of nodes
     */
    FailureScriptParser(long firstSubmission, Predicate<String> isNode) {
        this.firstSubmission = firstSubmission;
        this.isNode = isNode;
    }

    /**
     * Reads a script.
     *
     * @throws IllegalArgumentException if a line cannot be used; the message lists them all
     */
    FailureScript parse(String script) {
        StringBuilder text = new StringBuilder();
        int number = 0;
        for (String line : script.split("\n", -1)) {
            number++;
            String sentence = line.replaceFirst("#.*", "").strip();
            if (sentence.isEmpty()) {
                continue;
            }
            text.append(sentence).append('\n');
            try {
                sentence(words(sentence));
            } catch (IllegalArgumentException e) {
                problems.add("line " + number + ": " + e.getMessage() + ": " + sentence);
            }
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
        return new FailureScript(
                nodeEvents,
                refusedCommands,
                refusedStarts,
                lostAnswers,
                failingCommands,
                failingPolls,
                text.toString());
    }

    private static List<String> words(String sentence) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORDS.matcher(sentence);
        while (matcher.find()) {
            words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
        return words;
    }

    private void sentence(List<String> words) {
        switch (words.get(0).toUpperCase(Locale.ROOT)) {
            case "AT" -> node(words);
            case "COMMAND" -> command(words);
            case "START" -> start(words);
            case "POLL" -> poll(words);
            default -> throw new IllegalArgumentException("a line begins with AT, COMMAND, START or POLL");
        }
    }

    private void node(List<String> words) {
        expect(words, 2, "NODE");
        String name = word(words, 3, "a node");
        if (!isNode.test(name)) {
            throw new IllegalArgumentException("there is no node " + name);
        }
        String at = words.get(1);
        long time = at.startsWith("+") ? firstSubmission + count(at.substring(1), 0) : count(at, 0);
        String change = word(words, 4, "UP or DOWN").toUpperCase(Locale.ROOT);
        switch (change) {
            case "UP" -> last(words, 5);
            case "DOWN" -> {
                if (words.size() > 5) {
                    expect(words, 5, "FOR");
                    long seconds = count(word(words, 6, "a number of seconds"), 1);
                    nodeEvents.add(new NodeEvent(time + seconds, name, true));
                    last(words, 7);
                }
            }
            default -> throw new IllegalArgumentException("UP or DOWN expected, not " + change);
        }
        nodeEvents.add(new NodeEvent(time, name, "UP".equals(change)));
    }

    private void command(List<String> words) {
        long number = count(word(words, 1, "a command number"), 1);
        String what = word(words, 2, "REFUSE, LOSE or FAIL").toUpperCase(Locale.ROOT);
        switch (what) {
            case "REFUSE" -> refusedCommands.put(number, words.size() > 3 ? words.get(3) : "refused by the script");
            case "LOSE" -> lostAnswers.put(number, 1);
            case "FAIL" -> failingCommands.put(number, times(words, 3));
            default -> throw new IllegalArgumentException("REFUSE, LOSE or FAIL expected, not " + what);
        }
        last(words, "LOSE".equals(what) ? 3 : 4);
    }

    private void start(List<String> words) {
        expect(words, 1, "JOB");
        String job = word(words, 2, "a job id");
        expect(words, 3, "REFUSE");
        refusedStarts.put(job, times(words, 4));
        last(words, 5);
    }

    private void poll(List<String> words) {
        long number = count(word(words, 1, "a poll number"), 1);
        expect(words, 2, "FAIL");
        failingPolls.put(number, times(words, 3));
        last(words, 4);
    }

    private static int times(List<String> words, int position) {
        return words.size() > position ? (int) count(words.get(position), 1) : 1;
    }

    private static long count(String word, long least) {
        long value;
        try {
            value = Long.parseLong(word);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + word + "' is not a whole number", e);
        }
        if (value < least || value > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("'" + word + "' is not between " + least + " and " + Integer.MAX_VALUE);
        }
        return value;
    }

    private static String word(List<String> words, int position, String meaning) {
        if (position >= words.size()) {
            throw new IllegalArgumentException(meaning + " is missing");
        }
        return words.get(position);
    }

    private static void expect(List<String> words, int position, String keyword) {
        if (!word(words, position, keyword).equalsIgnoreCase(keyword)) {
            throw new IllegalArgumentException(keyword + " expected, not " + words.get(position));
        }
    }

    private static void last(List<String> words, int size) {
        if (words.size() > size) {
            throw new IllegalArgumentException("nothing expected after " + words.get(size - 1));
        }
    }
}
