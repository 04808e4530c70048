package io.weir.command.slurm;

import io.weir.command.slurm.Step.Action;
import java.util.OptionalLong;

/**
 * A file that tells of a change between Slurm and Weir until all jobs older than it have been seen to: the controller begins or
 * ceases to hold jobs for Weir when it is restarted, and by the time of that it is told whose a hold is. Until the restart
 * is known to have come about the mark is open.
 */
final class ChangeMark {
    private static final String OPEN = "not before ";

    private final SiteFile file;

    ChangeMark(SiteFile file) {
        this.file = file;
    }

    SiteFile file() {
        return file;
    }

    boolean exists() {
        return file.exists();
    }

    boolean isOpen() {
        return file.content().startsWith(OPEN);
    }

    /** Opens it: the restart comes after this moment. */
    void openNow() {
        open(System.currentTimeMillis() / 1000);
    }

    /** Returns what opens it. */
    Action opening() {
        return new Action("write " + file, this::openNow);
    }

    /** Returns what removes it. */
    Action removal() {
        return new Action("rm " + file, file::delete);
    }

    /** Opens it: the restart comes after {@code now}, epoch seconds. */
    void open(long now) {
        file.write(OPEN + now + "\n");
    }

    /** Closes it after a restart; what only reads its settings anew tells an earlier {@code start} than it was opened at. */
    void close(long start) {
        file.write(Math.max(start, opened()) + "\n");
    }

    private long opened() {
        String text = file.content();
        return text.startsWith(OPEN) ? number(text.substring(OPEN.length())).orElse(0) : 0;
    }

    /** Returns the time of the restart, epoch seconds; empty while it is open, or there is none. */
    OptionalLong time() {
        return number(file.content());
    }

    private static OptionalLong number(String text) {
        String digits = text.strip();
        return digits.matches("\\d{1,12}") ? OptionalLong.of(Long.parseLong(digits)) : OptionalLong.empty();
    }
}
