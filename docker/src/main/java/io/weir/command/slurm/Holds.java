package io.weir.command.slurm;

import io.weir.command.slurm.Step.Action;
import java.util.ArrayList;
import java.util.List;

/**
 * Whose the holds of waiting jobs are: a user's is a word in front of the job's comment while the cluster is Weir's, and what
 * waits for Weir is held as by its user and without the word.
 */
final class Holds {
    /** In front of a job's comment, where job_submit.lua writes it too. */
    static final String HELD_BY_USER = "[held by user]";

    private final Slurm slurm;
    private final SlurmConf conf;
    private final ChangeMark taken;
    private final ChangeMark given;
    private final Scontrol scontrol;

    Holds(Slurm slurm, SlurmConf conf, Marks marks) {
        this.slurm = slurm;
        this.conf = conf;
        taken = marks.taken();
        given = marks.given();
        scontrol = new Scontrol(slurm);
    }

    /** Returns what marks the jobs that their users hold, before a takeover. */
    List<Action> markingAll() {
        List<Action> actions = new ArrayList<>();
        if (!taken.exists() && !isHolding()) {
            actions.add(taken.opening());
        }
        if (taken.exists() || !actions.isEmpty()) {
            actions.addAll(marking(Long.MAX_VALUE));
        }
        return actions;
    }

    /** Says whether the controller holds jobs for Weir before a takeover, or because it was not given back. */
    private boolean isHolding() {
        Controller controller = slurm.controller();
        return given.isOpen() ? conf.isHeldTo(controller) : conf.isHeldByHand(controller);
    }

    /** Returns what marks the jobs that their users held before that time, epoch seconds. */
    private List<Action> marking(long before) {
        long since = givenAt();
        List<Action> actions = new ArrayList<>();
        for (Slurm.Job job : slurm.jobs()) {
            if (job.isPending()
                    && job.isHeldByUserOrWeir()
                    && job.submitted() < before
                    && job.submitted() > since
                    && !isMarked(job)) {
                String comment = HELD_BY_USER + " " + slurm.comment(job.id());
                actions.add(scontrol.update(job.id(), List.of("Comment=" + comment.strip())));
            }
        }
        return actions;
    }

    /** Returns what is left to be marked of a takeover, and then forgets about it. */
    List<Action> finishingMarks() {
        if (!taken.exists()) {
            return List.of();
        }
        Controller controller = slurm.controller();
        long since = taken.time().orElseGet(() -> conf.isHeldTo(controller) ? controller.started() : Long.MAX_VALUE);
        List<Action> actions = marking(since);
        actions.add(taken.removal());
        return actions;
    }

    /** Returns since when jobs are no longer held for Weir, epoch seconds; 0 if no giveback is under way. */
    long givenAt() {
        if (!given.exists()) {
            return 0;
        }
        return given.time().orElseGet(() -> {
            Controller controller = slurm.controller();
            return conf.isHeldTo(controller) ? Long.MAX_VALUE : controller.started();
        });
    }

    /** Says whether its user holds the job, while the cluster is Weir's. */
    boolean isMarked(Slurm.Job job) {
        return job.isHeldByUserOrWeir() && slurm.comment(job.id()).startsWith(HELD_BY_USER);
    }

    /** Returns what takes the word away from in front of a job's comment. */
    Action unmarking(Slurm.Job job) {
        String comment =
                slurm.comment(job.id()).substring(HELD_BY_USER.length()).strip();
        return scontrol.update(job.id(), List.of("Comment=" + comment));
    }

    /** Says whether an open takeover has the controller hold jobs for Weir; one that does not answer does not. */
    boolean isTaken() {
        try {
            return conf.isHeldTo(slurm.controller());
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** Says whether a job waits for Weir, and was not submitted after the end of that. */
    static boolean isForWeir(Slurm.Job job, long until) {
        boolean held = job.isHeldByUserOrWeir() || job.reason().startsWith("job requeued");
        return held && job.submitted() <= until;
    }
}
