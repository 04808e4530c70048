package io.weir.command.nonstop;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What {@code smd} prints of the three runs that everybody compares theirs with: times and names vary, words do not. */
public final class PrintedRuns {
    private static final Pattern WAITED = Pattern.compile("waited for (\\d+) sec cnt");

    private PrintedRuns() {}

    /** Nothing failed. */
    public static List<String> nothingFailed(String job) {
        return List.of(
                "is_failed: job " + job + " searching for FAILED hosts",
                "is_failed: job " + job + " has no FAILED nodes");
    }

    private static List<String> oneFailed(String job, String node) {
        return List.of(
                "is_failed: job " + job + " searching for FAILED hosts",
                "is_failed: job " + job + " has 1 FAILED nodes",
                "is_failed: job " + job + " FAILED node " + node + " cpu_count 1",
                "_handle_fault: job " + job + " handle failed_hosts");
    }

    /** A node failed and another took its place. */
    public static List<String> replaced(String job, String node, String replacement) {
        List<String> lines = new ArrayList<>(oneFailed(job, node));
        lines.add("_try_replace: job " + job + " trying to replace 1 nodes");
        lines.add("_try_replace: job " + job + " node " + node + " replaced by " + replacement);
        lines.add("_generate_node_file: job " + job + " all nodes replaced");
        return lines;
    }

    /** A node failed, none took its place within a minute, and it was given up for 30 minutes more. */
    public static List<String> waitedAndDropped(String job, String node, String file) {
        List<String> lines = new ArrayList<>(oneFailed(job, node));
        for (int attempt = 0; attempt < 3; attempt++) {
            lines.add("_try_replace: job " + job + " trying to replace 1 nodes");
            lines.add("_try_replace: smd_replace_node() error job_id " + job + ": Failed to replace the node");
            if (attempt == 0) {
                lines.addAll(extended(job, 1));
            }
            lines.add("_try_replace: job " + job + " waited for " + 20 * attempt + " sec cnt " + attempt
                    + " trying every 20 sec...");
        }
        lines.add("_try_replace: job " + job + " failed to replace down or failing nodes:");
        lines.add("    " + node);
        lines.add("_drop_nodes: job " + job + " node " + node + " dropped all right");
        lines.add("_generate_node_file: job " + job + " all nodes replaced");
        lines.add("source the " + file + " hostfile to get the new job environment");
        lines.addAll(extended(job, 30));
        return lines;
    }

    private static List<String> extended(String job, int minutes) {
        return List.of(
                "_time_limit_extend: job " + job + " extending job time limit by " + minutes + " minutes",
                "_increase_job_runtime: job " + job + " run time limit extended by " + minutes + "min successfully");
    }

    /** Returns the lines with the seconds that were waited as those of a clock that loses none. */
    public static List<String> rounded(List<String> lines) {
        return lines.stream()
                .map(line -> WAITED.matcher(line).replaceAll(waited -> {
                    long seconds = Long.parseLong(waited.group(1));
                    return "waited for " + seconds / 20 * 20 + " sec cnt";
                }))
                .toList();
    }
}
