package io.weir.command.slurm;

import io.weir.command.slurm.Step.Action;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Restarts slurmctld where it does not run by slurm.conf, and waits until it does. */
final class ControllerRestart {
    /** So long a controller has to answer when the command that restarts it has ended. */
    private static final Duration LONGEST_RESTART = Duration.ofSeconds(60);

    private static final long LOOK_EVERY_MILLIS = 500;

    private final Slurm slurm;
    private final SlurmConf conf;
    private final Marks marks;
    private final List<String> command;

    /** Restarts it with {@code command}, words between blanks. */
    ControllerRestart(Slurm slurm, SlurmConf conf, Marks marks, String command) {
        this.slurm = slurm;
        this.conf = conf;
        this.marks = marks;
        this.command = Arrays.asList(command.split(" ", -1));
    }

    /** Says whether the controller does not run by slurm.conf, or does not run after a restart that failed. */
    boolean isDue() {
        Controller controller;
        try {
            controller = slurm.controller();
        } catch (IllegalStateException e) {
            if (marks.taken().isOpen() || marks.given().isOpen()) {
                return true;
            }
            throw e;
        }
        return conf.difference(controller).isPresent();
    }

    /** Returns what restarts the controller and has the mark, where there is one, tell when that was. */
    Action restarting(ChangeMark mark) {
        Action restart = new Scontrol(slurm).command(command);
        return new Action(restart.words(), () -> {
            if (mark.isOpen()) {
                mark.openNow();
            }
            restart.deed().out();
            awaitController();
            if (mark.isOpen()) {
                mark.close(slurm.controller().started());
            }
        });
    }

    private void awaitController() {
        long deadline = System.nanoTime() + LONGEST_RESTART.toNanos();
        Optional<String> trouble = trouble();
        while (trouble.isPresent()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(String.join(" ", command) + " did not restart the controller with "
                        + conf.file() + ": " + trouble.get());
            }
            pause();
            trouble = trouble();
        }
    }

    private Optional<String> trouble() {
        try {
            return conf.difference(slurm.controller());
        } catch (IllegalStateException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the controller restarted", e);
        }
    }

    /** Returns what has {@code mark} tell when the controller was started. */
    Action closing(ChangeMark mark) {
        return new Action(
                "write " + mark.file() + " (when it was)",
                () -> mark.close(slurm.controller().started()));
    }
}
