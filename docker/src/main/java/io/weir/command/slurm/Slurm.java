package io.weir.command.slurm;

import io.weir.rm.slurm.client.JobComponent;
import io.weir.rm.slurm.client.NodeChange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Slurm's own commands, as an operator uses them on the controller's host. */
class Slurm {
    private static final String SEPARATOR = "\u001f";
    private static final long LONGEST_SECONDS = 120;

    /** A job that was started is CONFIGURING while its nodes boot or the controller's prolog runs, and not RUNNING. */
    private static final String UNFINISHED = "PENDING,CONFIGURING,RUNNING,SUSPENDED";

    /** Bytes; squeue fills shorter fields up to it. */
    private static final int LONGEST_FIELD = 60_000;

    private final Path conf;

    Slurm(Path conf) {
        this.conf = conf;
    }

    /**
     * A job that has not ended, by what no user writes.
     *
     * @param id its number, {@code 12_3} for a task of an array, {@code 12_[4-7]} for several, {@code 12+0} for the first
     *     component of a heterogeneous job, whose number would stand for all of them
     * @param reason why it waits
     * @param submitted when it was submitted, epoch seconds
     * @param priority 0 while Slurm may not start it, or not start it again when it runs
     * @param nice what its user took off its priority
     */
    record Job(String id, String state, String reason, long submitted, long priority, long nice) {
        Job named(String name) {
            return new Job(name, state, reason, submitted, priority, nice);
        }

        boolean held() {
            return priority == 0;
        }

        boolean isPending() {
            return state.equals("PENDING");
        }

        boolean isHeldByUserOrWeir() {
            return reason.equals("JobHeldUser");
        }

        boolean isHeldByAdministrator() {
            return reason.equals("JobHeldAdmin");
        }
    }

    /** Returns what the controller says of itself. */
    Controller controller() {
        return new Controller(run(List.of("scontrol", "show", "config")));
    }

    /** Says whether a job has one priority for all its time, by its place in the order of submission. */
    boolean keepsPriorities() {
        return controller().value("PriorityType").equals("priority/basic");
    }

    /** Returns the jobs that have not ended; tasks of an array that have no record of their own are one job. */
    List<Job> jobs() {
        return jobs(RequestedHolds.NONE);
    }

    /** Returns them with the tasks that are in {@code apart} each for itself. */
    List<Job> jobs(RequestedHolds apart) {
        List<Job> jobs = new ArrayList<>();
        Map<Job, NavigableSet<Long>> arrays = new LinkedHashMap<>();
        String format = String.join(SEPARATOR, "%A", "%F", "%K", "%T", "%r", "%V", "%Q", "%y", "%i");
        for (String line : run(List.of(
                        "squeue", "--noheader", "--all", "--array", "--states=" + UNFINISHED, "--format=" + format))
                .split("\n", -1)) {
            String[] fields = line.split(SEPARATOR, -1);
            if (fields.length == 9) {
                boolean task = fields[2].matches("\\d{1,9}");
                Job job = new Job(
                        task ? fields[1] + "_" + fields[2] : JobComponent.isFirst(fields[8]) ? fields[8] : fields[0],
                        fields[3],
                        fields[4],
                        LocalDateTime.parse(fields[5]).toEpochSecond(ZoneOffset.UTC),
                        fields[6].matches("\\d{1,10}") ? Long.parseLong(fields[6]) : 0,
                        fields[7].matches("-?\\d{1,10}") ? Long.parseLong(fields[7]) : 0);
                if (task && job.isPending() && fields[0].equals(fields[1]) && !apart.contains(job.id())) {
                    arrays.computeIfAbsent(job.named(fields[1]), array -> new TreeSet<>())
                            .add(Long.parseLong(fields[2]));
                } else {
                    jobs.add(job);
                }
            }
        }
        arrays.forEach((array, tasks) -> jobs.add(array.named(array.id() + "_[" + ranges(tasks) + "]")));
        return jobs;
    }

    /** Returns numbers as Slurm writes them: 1-3,7. */
    private static String ranges(NavigableSet<Long> numbers) {
        StringBuilder text = new StringBuilder();
        long first = numbers.first();
        for (long number : numbers) {
            if (!numbers.contains(number + 1)) {
                text.append(text.isEmpty() ? "" : ",").append(first).append(number == first ? "" : "-" + number);
                @Nullable Long next = numbers.ceiling(number + 1);
                first = next == null ? number : next;
            }
        }
        return text.toString();
    }

    /** Returns a field of a job, or of one of several tasks; of a heterogeneous job the first component comes first. */
    private String told(String job, String field) {
        String one = job.replaceFirst("\\[(\\d+).*", "$1");
        String format = "--Format=" + field + ":" + LONGEST_FIELD;
        String lines = run(List.of("squeue", "--noheader", "--all", "--array", "--sort=i", "--jobs=" + one, format));
        if (JobComponent.isFirst(job)) {
            byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
            return new String(bytes, 0, Math.min(bytes.length, LONGEST_FIELD), StandardCharsets.UTF_8).strip();
        }
        return lines.strip();
    }

    /** Returns the comment of a job; it may be anything, and so is asked for alone. */
    String comment(String job) {
        String comment = told(job, "comment");
        return comment.equals("(null)") ? "" : comment;
    }

    /** Returns the administrator's comment of a job, where no user can write. */
    String adminComment(String job) {
        return told(job, "admin_comment");
    }

    /** Returns the time limit of a job as squeue writes it. */
    String limit(String job) {
        return told(job, "timelimit");
    }

    /** Changes which nodes a job asks for, where scontrol cannot: of the first component of a heterogeneous job alone. */
    void askForNodes(String job, NodeChange change) {
        try (TemporaryRest rest = TemporaryRest.start(conf)) {
            rest.update(job, change);
        }
    }

    /**
     * Runs a command.
     *
     * @throws IllegalStateException if it fails; the message has what it said
     */
    String run(List<String> command) {
        try {
            Path output = Files.createTempFile("weir-slurm", ".out");
            try {
                ProcessBuilder builder =
                        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
                builder.environment()
                        .putAll(Map.of(
                                "SLURM_CONF",
                                conf.toString(),
                                "TZ",
                                "UTC",
                                "LC_ALL",
                                "C",
                                "SLURM_TIME_FORMAT",
                                "standard"));
                Process process = builder.start();
                process.getOutputStream().close();
                boolean ended = process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS);
                // Names and comments of jobs are whatever bytes their users sent.
                String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
                if (!ended) {
                    process.destroyForcibly();
                    throw new IllegalStateException(String.join(" ", command) + " did not end within " + LONGEST_SECONDS
                            + " s: " + text.strip());
                }
                if (process.exitValue() != 0) {
                    throw new IllegalStateException(String.join(" ", command) + ": " + text.strip());
                }
                return text;
            } finally {
                Files.deleteIfExists(output);
            }
        } catch (IOException e) {
            throw new IllegalStateException(String.join(" ", command) + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(String.join(" ", command) + " was interrupted", e);
        }
    }
}
