package io.weir.rm.slurm.client;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version of Slurm's REST interface, {@code v0.0.N}. 38 came with Slurm 22.05. From 39 on a job is changed by the names
 * of Slurm's own job description, and numbers may be objects that say whether they are set.
 *
 * @param number the N
 */
public record RestVersion(int number) implements Comparable<RestVersion> {
    public static final RestVersion OLDEST = new RestVersion(38);
    public static final RestVersion NEWEST = new RestVersion(43);

    private static final Pattern NAME = Pattern.compile("v0\\.0\\.(\\d{1,4})");
    private static final Pattern PATH = Pattern.compile("/slurm/(v0\\.0\\.\\d{1,4})/");

    /** Returns the version of that name, if this client speaks it. */
    public static Optional<RestVersion> parse(String name) {
        Matcher matcher = NAME.matcher(name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        RestVersion version = new RestVersion(Integer.parseInt(matcher.group(1)));
        return version.isSpoken() ? Optional.of(version) : Optional.empty();
    }

    /** Returns the newest version that occurs among the paths of an interface description and is spoken here. */
    static Optional<RestVersion> newestIn(Iterable<String> paths) {
        Optional<RestVersion> newest = Optional.empty();
        for (String path : paths) {
            Matcher matcher = PATH.matcher(path);
            if (matcher.lookingAt()) {
                Optional<RestVersion> version = parse(matcher.group(1));
                if (version.isPresent() && (newest.isEmpty() || version.get().compareTo(newest.get()) > 0)) {
                    newest = version;
                }
            }
        }
        return newest;
    }

    private boolean isSpoken() {
        return compareTo(OLDEST) >= 0 && compareTo(NEWEST) <= 0;
    }

    /** Says whether a job is changed by the names of Slurm's job description, the administrator's comment among them. */
    public boolean usesJobDescription() {
        return number >= 39;
    }

    /** Says whether a moment is told as an object that says whether it is set. */
    boolean wrapsMoments() {
        return number >= 40;
    }

    /** Says whether jobs may be asked for by the time of their last change: 39 fails when there was none. */
    boolean tellsUnchangedJobs() {
        return number != 39;
    }

    @Override
    public int compareTo(RestVersion other) {
        return Integer.compare(number, other.number);
    }

    @Override
    public String toString() {
        return "v0.0." + number;
    }
}
