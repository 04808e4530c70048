package io.weir.command.nonstop;

import io.weir.command.terminal.BadInputException;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The environment of a job's next step, as lines for a shell.
 *
 * @param nodes nodes in the order of the allocation
 * @param cpusPerNode processors on them, as {@code 2(x2),1}
 * @param slurm whether the names of Slurm suffice
 */
record JobEnvironment(List<String> nodes, String cpusPerNode, boolean slurm) {
    /** What a shell takes as it stands. */
    private static final Pattern NODE = Pattern.compile("[A-Za-z0-9._:@+-]{1,256}");

    private static final Pattern COUNTS = Pattern.compile("[0-9x(),]*");

    /** Refuses what a shell would read as anything but text: the lines are run by the job. */
    JobEnvironment {
        nodes = List.copyOf(nodes);
        for (String node : nodes) {
            if (!NODE.matcher(node).matches()) {
                throw new BadInputException("The node name '" + node + "' cannot be written for a shell");
            }
        }
        if (!COUNTS.matcher(cpusPerNode).matches()) {
            throw new BadInputException("The processors '" + cpusPerNode + "' cannot be written for a shell");
        }
    }

    /** Returns the lines, each of which a shell can read. */
    List<String> lines() {
        String list = String.join(",", nodes);
        String cpus = cpusPerNode.replace("(", "\\(").replace(")", "\\)");
        List<String> lines = new ArrayList<>(List.of(
                "export SLURM_NODELIST=" + list,
                "export SLURM_JOB_NODELIST=" + list,
                "export SLURM_NNODES=" + nodes.size(),
                "export SLURM_JOB_NUM_NODES=" + nodes.size(),
                "export SLURM_JOB_CPUS_PER_NODE=" + cpus,
                "unset SLURM_TASKS_PER_NODE"));
        if (!slurm) {
            lines.add("export WEIR_JOB_NODELIST=" + list);
            lines.add("export WEIR_JOB_NUM_NODES=" + nodes.size());
            lines.add("export WEIR_JOB_CPUS_PER_NODE=" + cpus);
        }
        return lines;
    }

    /** Returns the file of a job in {@code directory}. */
    static Path file(Path directory, String jobId) {
        return directory.resolve("smd_job_" + jobId.replaceAll("[^A-Za-z0-9._-]", "_") + "_nodes.sh");
    }

    /** Writes the lines so that a reader sees the file before or after, never in between. Everybody may read it. */
    void write(Path file) throws IOException {
        Path whole = file.toAbsolutePath();
        Path fresh = Files.createTempFile(whole.getParent(), "smd_job_", ".tmp");
        try {
            Files.write(fresh, lines());
            Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-r--r--"));
            try {
                Files.move(fresh, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } catch (AtomicMoveNotSupportedException e) {
                throw new IOException(whole + " cannot be replaced in one step", e);
            }
        } finally {
            Files.deleteIfExists(fresh);
        }
    }
}
