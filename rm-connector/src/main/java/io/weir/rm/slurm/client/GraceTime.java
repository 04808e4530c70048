package io.weir.rm.slurm.client;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads GraceTime, as scontrol and sacctmgr show it. */
public final class GraceTime {
    private static final Pattern SECONDS = Pattern.compile("\\sGraceTime=(\\d{1,9})(?=\\s|$)");
    private static final Pattern TIME = Pattern.compile("(?:(\\d{1,5})-)?(\\d{1,5}):(\\d\\d):(\\d\\d)");

    private GraceTime() {}

    /** Reads the line of a partition, which has seconds. */
    static Optional<Duration> ofPartition(String line) {
        Matcher seconds = SECONDS.matcher(line);
        return seconds.find() ? Optional.of(Duration.ofSeconds(Long.parseLong(seconds.group(1)))) : Optional.empty();
    }

    /** Reads the time of a QOS, {@code 1-02:03:04} or without days; one that has none says nothing or NONE. */
    public static Optional<Duration> ofQos(String text) {
        String told = text.strip();
        Matcher time = TIME.matcher(told);
        if (!time.matches()) {
            return told.isEmpty() || told.equals("NONE") ? Optional.of(Duration.ZERO) : Optional.empty();
        }
        long days = time.group(1) == null ? 0 : Long.parseLong(time.group(1));
        return Optional.of(Duration.ofDays(days)
                .plusHours(Long.parseLong(time.group(2)))
                .plusMinutes(Long.parseLong(time.group(3)))
                .plusSeconds(Long.parseLong(time.group(4))));
    }
}
