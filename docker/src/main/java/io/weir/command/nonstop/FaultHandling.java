package io.weir.command.nonstop;

import io.weir.nonstop.client.ChangedAllocation;
import io.weir.nonstop.client.FailureService;
import io.weir.nonstop.client.FailureServiceException;
import io.weir.nonstop.client.JobFailures;
import io.weir.nonstop.client.JobFailures.LostNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Carries directives out for one job and says what it does, line by line, in words that scripts rely on. REPLACE comes
 * first, with waiting; then DROP for what remains, then EXIT_JOB.
 */
final class FaultHandling {
    /** Seconds between two attempts to replace nodes. */
    static final int RETRY_SECONDS = 20;

    private final FailureService service;
    private final String job;
    private final String kind;
    private final Waiting waiting;
    private final Path directory;
    private final boolean slurm;
    private final PrintWriter out;
    private final PrintWriter err;

    /**
     * Prepares to handle the nodes of a job that are {@code kind}.
     *
     * @param kind FAILED or FAILING
     * @param directory where the environment file goes
     * @param slurm whether the names of Slurm suffice in it
     */
    FaultHandling(
            FailureService service,
            String job,
            String kind,
            Waiting waiting,
            Path directory,
            boolean slurm,
            PrintWriter out,
            PrintWriter err) {
        this.service = service;
        this.job = job;
        this.kind = kind;
        this.waiting = waiting;
        this.directory = directory;
        this.slurm = slurm;
        this.out = out;
        this.err = err;
    }

    /** Does what the directives say; returns the exit code. */
    int handle(Directives directives) throws FailureServiceException, InterruptedException, IOException {
        say("is_failed: job " + job + " searching for " + kind + " hosts");
        List<LostNode> remaining = lost(service.failures(job));
        if (remaining.isEmpty()) {
            say("is_failed: job " + job + " has no " + kind + " nodes");
            return SmdExit.FINE;
        }
        say("is_failed: job " + job + " has " + remaining.size() + " " + kind + " nodes");
        for (LostNode node : remaining) {
            say("is_failed: job " + job + " " + kind + " node " + node.name() + " cpu_count " + node.cpus());
        }
        if (!directives.act()) {
            return SmdExit.UNHANDLED;
        }
        say("_handle_fault: job " + job + " handle " + (kind.equals("FAILED") ? "failed_hosts" : "failing_hosts"));
        if (directives.replace()) {
            int replaced = replace(remaining, directives.delay());
            if (replaced > 0) {
                environment(remaining.isEmpty() && !directives.drop());
                if (directives.extend() > 0) {
                    extend((long) directives.extend() * replaced);
                }
            }
            if (remaining.isEmpty()) {
                return SmdExit.FINE;
            }
            say("_try_replace: job " + job + " failed to replace down or failing nodes:");
            remaining.forEach(node -> say("    " + node.name()));
        }
        if (directives.drop()) {
            int dropped = drop(remaining);
            if (dropped > 0) {
                environment(true);
                say("source the " + JobEnvironment.file(directory, job) + " hostfile to get the new job environment");
                if (directives.dropExtend() > 0) {
                    extend((long) directives.dropExtend() * dropped);
                }
            }
            if (remaining.isEmpty()) {
                return SmdExit.FINE;
            }
        }
        if (directives.exitJob()) {
            List<LostNode> still = lost(service.failures(job));
            if (still.isEmpty()) {
                say("is_failed: job " + job + " has no " + kind + " nodes");
                return SmdExit.FINE;
            }
            say("_exit_job: job " + job + " is cancelled");
            service.cancel(job);
        }
        return SmdExit.UNRECOVERED;
    }

    private List<LostNode> lost(JobFailures failures) {
        return new ArrayList<>(failures.lost().stream()
                .filter(node -> node.state().equals(kind))
                .toList());
    }

    /** Tries to replace the nodes, and takes those out of the list that need it no more; returns how many were. */
    private int replace(List<LostNode> remaining, int delayMinutes)
            throws FailureServiceException, InterruptedException, IOException {
        long began = waiting.seconds();
        int replaced = 0;
        for (int count = 0; ; count++) {
            Attempt attempt = attempt(remaining);
            replaced += attempt.replaced();
            if (remaining.isEmpty() || delayMinutes == 0 || !attempt.hope()) {
                return replaced;
            }
            if (count == 0) {
                extend(delayMinutes);
            }
            long waited = waiting.seconds() - began;
            say("_try_replace: job " + job + " waited for " + waited + " sec cnt " + count + " trying every "
                    + RETRY_SECONDS + " sec...");
            waiting.sleep(Math.max(0, Math.min(RETRY_SECONDS, delayMinutes * 60L - waited)));
            if (waiting.seconds() - began >= delayMinutes * 60L) {
                return replaced;
            }
        }
    }

    /**
     * What came of an attempt.
     *
     * @param replaced how many nodes it replaced
     * @param hope whether another attempt may find what this one did not
     */
    private record Attempt(int replaced, boolean hope) {}

    private Attempt attempt(List<LostNode> remaining) throws FailureServiceException, IOException {
        say("_try_replace: job " + job + " trying to replace " + remaining.size() + " nodes");
        int replaced = 0;
        boolean hope = false;
        for (LostNode node : List.copyOf(remaining)) {
            try {
                ChangedAllocation change = service.replace(job, node.name());
                say("_try_replace: job " + job + " node " + node.name() + " replaced by " + change.replacement()
                        + (change.kept().isEmpty() ? "" : ", but is the job's still: " + change.kept()));
                remaining.remove(node);
                replaced++;
            } catch (FailureServiceException e) {
                if (isOver(e)) {
                    over("_try_replace", node, e, remaining);
                    continue;
                }
                if (SmdExit.of(e) != SmdExit.REFUSED
                        || e.code().equals("EJOBID")
                        || e.code().equals("EJOBNOTRUN")) {
                    throw e;
                }
                say("_try_replace: smd_replace_node() error job_id " + job + ": " + words(e));
                hope |= !e.code().equals("EMAXSPARECOUNT");
            }
        }
        return new Attempt(replaced, hope);
    }

    /** Returns whether a refusal says that nothing is the matter with a node any more, or that it is not the job's. */
    private static boolean isOver(FailureServiceException refusal) {
        return refusal.code().equals("ENODENOTFAIL") || refusal.code().equals("ENODENOTINJOB");
    }

    /** A node came back, or was given up by somebody else. */
    private void over(String stage, LostNode node, FailureServiceException refusal, List<LostNode> remaining)
            throws FailureServiceException, IOException {
        say(stage + ": job " + job + " node " + node.name() + " is no longer " + kind);
        remaining.remove(node);
        if (refusal.code().equals("ENODENOTINJOB")) {
            environment(false);
        }
    }

    private static String words(FailureServiceException e) {
        return switch (e.code()) {
            case "ENODEREPLACEFAIL" -> "Failed to replace the node";
            case "EREPLACELATER" -> "Failed to replace the node, a replacement is expected at " + e.value();
            case "EMAXSPARECOUNT" -> "Failed to replace the node, the job took its " + e.value() + " spare nodes";
            default -> e.code() + ": " + e.getMessage();
        };
    }

    /** Gives the nodes up, and takes those out of the list that were; returns how many. */
    private int drop(List<LostNode> remaining) throws FailureServiceException, IOException {
        int dropped = 0;
        for (LostNode node : List.copyOf(remaining)) {
            try {
                service.drop(job, node.name());
                say("_drop_nodes: job " + job + " node " + node.name() + " dropped all right");
                remaining.remove(node);
                dropped++;
            } catch (FailureServiceException e) {
                if (isOver(e)) {
                    over("_drop_nodes", node, e, remaining);
                    continue;
                }
                if (SmdExit.of(e) != SmdExit.REFUSED) {
                    throw e;
                }
                say("_drop_nodes: smd_drop_node() error job_id " + job + ": " + e.code());
            }
        }
        return dropped;
    }

    private void environment(boolean all) throws FailureServiceException, IOException {
        JobFailures now = service.failures(job);
        new JobEnvironment(now.nodes(), now.cpusPerNode(), slurm).write(JobEnvironment.file(directory, job));
        if (all) {
            say("_generate_node_file: job " + job + " all nodes replaced");
        }
    }

    /** Extends the time limit; a refusal is a warning. */
    private void extend(long minutes) throws FailureServiceException {
        say("_time_limit_extend: job " + job + " extending job time limit by " + minutes + " minutes");
        try {
            service.extend(job, minutes);
            say("_increase_job_runtime: job " + job + " run time limit extended by " + minutes + "min successfully");
        } catch (FailureServiceException e) {
            if (SmdExit.of(e) != SmdExit.REFUSED) {
                throw e;
            }
            err.println("_increase_job_runtime: job " + job + " time limit not extended: " + e.code());
        }
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
