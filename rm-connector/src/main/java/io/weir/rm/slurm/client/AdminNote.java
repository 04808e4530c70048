package io.weir.rm.slurm.client;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Weir's memory on the job itself, in the administrator's comment, where no user can write: the last command of each kind,
 * with the number of restarts the job had at that moment, and what job_submit.lua has to tell. What others wrote there is kept. It
 * has no blanks, so that it can be a word of a command; that of older builds has. Immutable.
 *
 * <pre>free text of others [weir,start=c/12/0@0,hold=c/15/2@0]</pre>
 *
 * @param others what is not Weir's
 * @param marks Weir's words
 */
public record AdminNote(String others, Map<String, String> marks) {
    /** The last start that was begun. */
    public static final String START = "start";
    /** The last start that was undone, for Slurm did not begin the job in time. */
    public static final String UNDONE = "undone";
    /** The last requeue. */
    public static final String REQUEUE = "requeue";
    /** The hold that is in effect. */
    public static final String HOLD = "hold";
    /** The last release. */
    public static final String RELEASE = "release";

    /** That a job which somebody requeued held is marked as its user's hold. */
    public static final String REQUEUED_HELD = "reqheld";

    /** That Slurm holds the job because its dependency can never be fulfilled. */
    public static final String DEAD_DEPENDENCY = "nodep";

    /** That an administrator of Slurm holds the job, which job_submit.lua is told in no other way. */
    public static final String ADMIN_HOLD = "adminhold";

    /** Written by job_submit.lua: the begin time that it gave the job itself, epoch seconds. */
    public static final String BEGIN = "begin";

    /** The last preemption, and since when the job has its grace time, epoch seconds. */
    private static final String GRACE = "grace";

    /** What the user asked for, while a start's own words stand in the job. */
    private static final String ASKED = "asked";
    /** The same, after it was put back: Slurm does not tell the most nodes of a job that was requeued. */
    private static final String RESTORED = "restored";

    /** Written by job_submit.lua, of a job with --no-kill. */
    private static final String NO_KILL = "nokill";

    /** Written by job_submit.lua: how many cores or threads of each node the job leaves to the system. */
    private static final String SPARED_CORES = "corespec";

    private static final String SPARED_THREADS = "threadspec";

    /** Written by job_submit.lua: for how many seconds the job waits for nodes of one switch. */
    private static final String ONE_SWITCH = "oneswitch";

    private static final Pattern BLOCK = Pattern.compile(" ?\\[weir([^\\]]*)\\]");

    /**
     * A command that was begun.
     *
     * @param commandId its id
     * @param restarts restarts of the job at that moment
     */
    public record Mark(String commandId, int restarts) {}

    /** Reads an administrator's comment, whoever wrote it. */
    public static AdminNote parse(String comment) {
        Matcher block = BLOCK.matcher(comment);
        if (!block.find()) {
            return new AdminNote(comment, Map.of());
        }
        Map<String, String> marks = new LinkedHashMap<>();
        for (String word : block.group(1).split("[ ,]", -1)) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                marks.put(word.substring(0, equals), word.substring(equals + 1));
            }
        }
        String others = comment.substring(0, block.start()) + comment.substring(block.end());
        return new AdminNote(others, marks);
    }

    /** Returns the mark of that kind, if there is a readable one. */
    public Optional<Mark> mark(String kind) {
        @Nullable String value = marks.get(kind);
        int at = value == null ? -1 : value.lastIndexOf('@');
        if (value == null || at < 0 || !value.substring(at + 1).matches("\\d{1,9}")) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Mark(
                    URLDecoder.decode(value.substring(0, at), StandardCharsets.UTF_8),
                    Integer.parseInt(value.substring(at + 1))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Says whether the last command of that kind is this one. */
    public boolean names(String kind, String commandId) {
        return mark(kind).filter(mark -> mark.commandId().equals(commandId)).isPresent();
    }

    /** Returns the note of a job that has that mark, of no command, since so many restarts. */
    public AdminNote with(String kind, int restarts) {
        return with(kind, "", restarts);
    }

    public AdminNote with(String kind, String commandId, int restarts) {
        return without(kind).withWord(kind, encoded(commandId) + "@" + restarts);
    }

    /** Returns the note of a job whose grace time begins {@code since} then by that command. */
    public AdminNote withGrace(String commandId, Instant since) {
        return without(GRACE).withWord(GRACE, encoded(commandId) + "@" + since.getEpochSecond());
    }

    /** Returns since when the job has its grace time by that command; empty when it has none. */
    public Optional<Instant> graceSince(String commandId) {
        String begun = encoded(commandId) + "@";
        String value = marks.getOrDefault(GRACE, "");
        return value.startsWith(begun) && value.substring(begun.length()).matches("\\d{1,11}")
                ? Optional.of(Instant.ofEpochSecond(Long.parseLong(value.substring(begun.length()))))
                : Optional.empty();
    }

    /** A slash is the usual separator of ids and stays readable. */
    private static String encoded(String commandId) {
        return URLEncoder.encode(commandId, StandardCharsets.UTF_8).replace("%2F", "/");
    }

    public AdminNote without(String kind) {
        Map<String, String> changed = new LinkedHashMap<>(marks);
        changed.remove(kind);
        return new AdminNote(others, changed);
    }

    /** Returns what the user asked for when a start wrote over it; empty while the job itself tells it. */
    public Optional<Wishes> asked() {
        return wishes(ASKED);
    }

    /** Says whether the job was submitted with --no-kill. */
    public boolean noKill() {
        return marks.containsKey(NO_KILL);
    }

    /** Returns how many processors of each node, whose cores have so many {@code threads}, the job leaves to the system. */
    public int spared(int threads) {
        int cores = (number(SPARED_THREADS, 5) + threads - 1) / threads;
        return Math.max(number(SPARED_CORES, 5), cores) * threads;
    }

    /** Returns for how many seconds the job waits for nodes of one switch rather than take others; 0 for not at all. */
    public int oneSwitchSeconds() {
        return number(ONE_SWITCH, 9);
    }

    private int number(String kind, int digits) {
        String value = marks.getOrDefault(kind, "");
        return value.matches("\\d{1," + digits + "}") ? Integer.parseInt(value) : 0;
    }

    /** Says whether a begin time is not the user's. */
    public boolean gave(Instant begin) {
        return Long.toString(begin.getEpochSecond()).equals(marks.get(BEGIN));
    }

    /** Returns what was put back last. */
    public Optional<Wishes> restored() {
        return wishes(RESTORED);
    }

    private Optional<Wishes> wishes(String kind) {
        return Optional.ofNullable(marks.get(kind)).map(Wishes::decode);
    }

    /** Returns the note of a job into which a start writes its own words. */
    public AdminNote keeping(Wishes wishes) {
        return without(RESTORED).withWord(ASKED, wishes.encoded());
    }

    /** Returns the note of a job that asks for these again. */
    public AdminNote havingRestored(Wishes wishes) {
        return without(ASKED).withWord(RESTORED, wishes.encoded());
    }

    private AdminNote withWord(String kind, String word) {
        Map<String, String> changed = new LinkedHashMap<>(marks);
        changed.put(kind, word);
        return new AdminNote(others, changed);
    }

    /** Returns the whole comment. */
    public String text() {
        if (marks.isEmpty()) {
            return others;
        }
        StringBuilder text = new StringBuilder(others).append(others.isEmpty() ? "[weir" : " [weir");
        marks.forEach((kind, value) -> text.append(',').append(kind).append('=').append(value));
        return text.append(']').toString();
    }
}
