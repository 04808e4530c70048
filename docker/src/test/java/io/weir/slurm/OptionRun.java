package io.weir.slurm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One submission to a Slurm, and what came of it: what scontrol says of the job afterwards, and what the job saw.
 *
 * @param id the job; empty when there is none
 * @param said what the command printed
 * @param seen fields of the job, or of each component with its number before them, and variables in its environment
 */
record OptionRun(String id, String said, SortedMap<String, String> seen) {
    /** What is said of a job that waits until nodes have its features; it is not waited for. */
    static final String DOUBT = "the job waits until";

    private static final int PATIENCE_SECONDS = 40;
    private static final Pattern JOB =
            Pattern.compile("(?:^Submitted batch job |allocation )(\\d+)(?:\\s|$)", Pattern.MULTILINE);

    private static final Pattern COMPONENT = Pattern.compile(" HetJobOffset=(\\d+) ");

    private static final String ENDS = "(COMPLETED|FAILED|CANCELLED|TIMEOUT|DEADLINE|NODE_FAIL)";

    private static final List<String> FIELDS = List.of(
            "JobState",
            "ExitCode",
            "NumNodes",
            "NumCPUs",
            "NumTasks",
            "CPUs/Task",
            "TRES",
            "TimeLimit",
            "Partition",
            "Features",
            "ExcNodeList",
            "OverSubscribe",
            "Licenses",
            "Requeue",
            "Restarts",
            "MinMemoryNode",
            "MinMemoryCPU",
            "MinCPUsNode",
            "TresPerNode",
            "TresPerJob",
            "TresPerTask");

    private static final List<String> VARIABLES = List.of(
            "SLURM_NNODES",
            "SLURM_JOB_NUM_NODES",
            "SLURM_NTASKS",
            "SLURM_NPROCS",
            "SLURM_NTASKS_PER_NODE",
            "SLURM_TASKS_PER_NODE",
            "SLURM_CPUS_PER_TASK",
            "SLURM_CPUS_ON_NODE",
            "SLURM_JOB_CPUS_PER_NODE",
            "SLURM_JOB_PARTITION",
            "SLURM_JOB_NAME",
            "SLURM_JOB_QOS",
            "SLURM_MEM_PER_NODE",
            "SLURM_MEM_PER_CPU",
            "SLURM_GPUS",
            "SLURM_OVERCOMMIT",
            "CUDA_VISIBLE_DEVICES",
            "AFFINITY");

    /** Runs a command line as a normal user and waits for the end of its job. */
    static OptionRun of(Path directory, String command, String options) {
        Path log = directory.resolve("options");
        // Tasks of two components may have the same number.
        String script = "{ env; echo AFFINITY=$(taskset -pc $$ | sed 's/.*: //'); } >" + log
                + "/$SLURM_JOB_ID.$SLURM_PROCID.$SLURM_JOB_PARTITION";
        List<String> line = new ArrayList<>(
                List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", command, "-D", "/tmp"));
        line.addAll(Arrays.asList(options.split(" ", -1)));
        switch (command) {
            case "sbatch" -> line.addAll(List.of("-o", "/dev/null", "--wrap", script));
            case "srun", "salloc" -> line.addAll(List.of("sh", "-c", script));
            default -> throw new IllegalArgumentException(command);
        }
        String before = newest(log);
        String said = run(directory, line);
        Matcher job = JOB.matcher(said);
        String id = job.find() ? job.group(1) : newest(log).equals(before) ? "" : newest(log);
        if (said.contains(DOUBT)) {
            run(directory, List.of("scancel", id));
        }
        return new OptionRun(id, said.strip(), id.isEmpty() ? new TreeMap<>() : seen(directory, log, id));
    }

    /** srun tells no number: its job is the last that wrote anything. */
    private static String newest(Path log) {
        return named(log, "").stream()
                .map(name -> name.substring(0, name.indexOf('.')))
                .max((a, b) -> Integer.compare(Integer.parseInt(a), Integer.parseInt(b)))
                .orElse("");
    }

    private static List<String> named(Path log, String prefix) {
        try (var files = Files.list(log)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(prefix))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SortedMap<String, String> seen(Path directory, Path log, String id) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        String shown;
        do {
            shown = run(directory, List.of("scontrol", "-o", "show", "job", id));
        } while (!shown.lines().allMatch(job -> job.matches(".*JobState=" + ENDS + ".*"))
                && System.nanoTime() - deadline < 0
                && pause());
        SortedMap<String, String> seen = new TreeMap<>();
        shown.lines().forEach(job -> addFields(job, seen));
        List<String> outputs = named(log, id + ".");
        if (!outputs.isEmpty()) {
            try {
                for (String variable : Files.readAllLines(log.resolve(outputs.get(0)))) {
                    int equals = variable.indexOf('=');
                    if (equals > 0
                            && VARIABLES.contains(variable.substring(0, equals).replaceFirst("_HET_GROUP_\\d+$", ""))) {
                        seen.put(variable.substring(0, equals), variable.substring(equals + 1));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return seen;
    }

    private static void addFields(String job, SortedMap<String, String> seen) {
        Matcher component = COMPONENT.matcher(job);
        String number = component.find() ? component.group(1) + "/" : "";
        for (String word : job.split(" ", -1)) {
            int equals = word.indexOf('=');
            if (equals > 0 && FIELDS.contains(word.substring(0, equals))) {
                seen.putIfAbsent(number + word.substring(0, equals), word.substring(equals + 1));
            }
        }
    }

    /** Says whether the job came to its end while it was waited for. */
    boolean hasEnded() {
        List<String> states = seen.entrySet().stream()
                .filter(field -> field.getKey().endsWith("JobState"))
                .map(Map.Entry::getValue)
                .toList();
        return !states.isEmpty() && states.stream().allMatch(state -> state.matches(ENDS));
    }

    private static boolean pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(200);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static String run(Path directory, List<String> line) {
        try {
            Path output = Files.createTempFile("weir-option", ".out");
            ProcessBuilder builder =
                    new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment()
                    .putAll(Map.of("SLURM_CONF", directory.resolve("slurm.conf").toString(), "TZ", "UTC"));
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroy();
                process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
            String text = Files.readString(output, StandardCharsets.UTF_8);
            Files.delete(output);
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
