package io.weir.command.slurm;

import io.weir.command.slurm.Step.Action;
import io.weir.rm.slurm.client.JobComponent;
import java.util.ArrayList;
import java.util.List;

/** What scontrol does to jobs, as actions. */
final class Scontrol {
    private static final int AT_ONCE = 500;

    /** What Slurm says of jobs that only their users' crontabs change, and of those that have ended since they were listed. */
    private static final List<String> LEFT_ALONE =
            List.of("Cannot modify scrontab jobs", "Job has already finished", "Invalid job id specified");

    private final Slurm slurm;

    Scontrol(Slurm slurm) {
        this.slurm = slurm;
    }

    /** Returns what sets {@code fields} of a job. */
    Action update(String job, List<String> fields) {
        List<String> command = new ArrayList<>(List.of("scontrol", "update", "JobId=" + job));
        command.addAll(JobComponent.changeable(job, fields));
        return command(command);
    }

    /** Returns what has scontrol do something to all of the jobs. */
    List<Action> all(String verb, List<String> jobs) {
        return all(verb, jobs, List.of());
    }

    /** Returns what has scontrol do something to all of the jobs, as many at once as it takes. */
    List<Action> all(String verb, List<String> jobs, List<String> fields) {
        List<Action> actions = new ArrayList<>();
        // A comma within brackets is not told from one between jobs.
        List<String> single = jobs.stream().filter(job -> job.indexOf('[') < 0).toList();
        for (int from = 0; from < single.size(); from += AT_ONCE) {
            actions.add(scontrol(
                    verb, String.join(",", single.subList(from, Math.min(single.size(), from + AT_ONCE))), fields));
        }
        jobs.stream().filter(job -> job.indexOf('[') >= 0).forEach(tasks -> actions.add(scontrol(verb, tasks, fields)));
        return actions;
    }

    private Action scontrol(String verb, String jobs, List<String> fields) {
        List<String> words = new ArrayList<>(List.of("scontrol", verb));
        words.add(fields.isEmpty() ? jobs : "JobId=" + jobs);
        words.addAll(fields);
        return new Action(
                String.join(" ", words),
                () -> run(words, () -> {
                    if (jobs.indexOf(',') >= 0 && jobs.indexOf('[') < 0) {
                        for (String job : jobs.split(",", -1)) {
                            scontrol(verb, job, fields).deed().out();
                        }
                    }
                }));
    }

    /**
     * Runs a command; jobs of scrontab, of which Slurm has nobody change anything, are left as they are, and so are those that have
     * ended.
     */
    private void run(List<String> words, Runnable otherwise) {
        try {
            slurm.run(words);
        } catch (IllegalStateException e) {
            if (LEFT_ALONE.stream().noneMatch(String.valueOf(e.getMessage())::contains)) {
                throw e;
            }
            otherwise.run();
        }
    }

    /** Returns what runs a command of Slurm's. */
    Action command(List<String> words) {
        return new Action(String.join(" ", words), () -> run(words, () -> {}));
    }
}
