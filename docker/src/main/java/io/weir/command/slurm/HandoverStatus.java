package io.weir.command.slurm;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** How a cluster stands: whose it is, and whose its jobs are. */
final class HandoverStatus {
    private final Slurm slurm;
    private final SlurmConf conf;
    private final Marks marks;
    private final Holds holds;

    HandoverStatus(Slurm slurm, SlurmConf conf) {
        this.slurm = slurm;
        this.conf = conf;
        marks = Marks.beside(conf);
        holds = new Holds(slurm, conf, marks);
    }

    /** Returns how the cluster stands, one line each. */
    List<String> lines() {
        List<Slurm.Job> jobs = slurm.jobs();
        List<String> lines = new ArrayList<>();
        lines.add(standing());
        lines.add(count(jobs, "running", job -> !job.isPending()));
        lines.add(count(jobs, "held by their users", job -> job.isPending() && holds.isMarked(job)));
        lines.add(count(jobs, "held by an administrator", job -> job.isPending() && job.isHeldByAdministrator()));
        lines.add(count(
                jobs,
                conf.isWeirs() ? "waiting for Weir" : "held by their users, or for Weir",
                job -> job.isPending() && job.isHeldByUserOrWeir() && !holds.isMarked(job)));
        lines.add(count(
                jobs,
                "waiting for Slurm",
                job -> job.isPending() && !job.isHeldByUserOrWeir() && !job.isHeldByAdministrator()));
        return lines;
    }

    private String standing() {
        String whose = conf.isWeirs() ? "Weir's" : "Slurm's";
        String command = conf.isWeirs() ? "takeover" : "giveback";
        Optional<String> difference = conf.difference(slurm.controller());
        if (difference.isPresent()) {
            return "slurm.conf: " + whose + ", but the controller was not restarted with it: " + difference.get()
                    + ". Call weir slurm " + command + " again.";
        }
        String unfinished = "";
        if (marks.given().exists()) {
            unfinished = "giveback";
        } else if (marks.taken().exists()) {
            unfinished = "takeover";
        }
        return "slurm.conf and controller: the cluster is " + whose
                + (unfinished.isEmpty()
                        ? ""
                        : "; a " + unfinished + " was broken off, call weir slurm " + unfinished + " again");
    }

    private static String count(List<Slurm.Job> jobs, String what, Predicate<Slurm.Job> which) {
        return String.format(
                Locale.ROOT, "%6d jobs %s", jobs.stream().filter(which).count(), what);
    }
}
