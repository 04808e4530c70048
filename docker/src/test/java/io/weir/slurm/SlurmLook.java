package io.weir.slurm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Slurm's own commands said at one moment of a cluster whose jobs take one processor each, and which of the jobs that
 * wait could run by that. Of Weir it knows nothing.
 *
 * @param waiting jobs that wait, in the order in which Slurm says they entered the queue
 * @param free processors that a job may have
 * @param licences licences that are free
 */
record SlurmLook(List<Waiting> waiting, int free, Map<String, Integer> licences) {
    /** The format of squeue that is read: job, state, when it entered the queue, licences. */
    static final String QUEUE = "%A|%T|%V|%W";

    private static final Set<String> USABLE = Set.of("IDLE", "MIXED", "ALLOCATED");

    /**
     * A job that waits.
     *
     * @param licence of which it needs one; empty for none
     */
    record Waiting(long job, String entered, String licence) {}

    /** Reads what {@code squeue}, {@code scontrol -o show nodes} and {@code scontrol -o show licenses} say. */
    static SlurmLook of(String queue, String nodes, String licences) {
        List<Waiting> waiting = new ArrayList<>();
        for (String line : queue.split("\n")) {
            String[] fields = line.strip().split("\\|", -1);
            if (fields.length == 4 && fields[1].equals("PENDING")) {
                String licence = fields[3].equals("(null)") ? "" : fields[3].replaceFirst(":.*", "");
                waiting.add(new Waiting(Long.parseLong(fields[0]), fields[2], licence));
            }
        }
        waiting.sort(Comparator.comparing(Waiting::entered).thenComparing(Waiting::job));
        int free = 0;
        for (String node : nodes.split("\n")) {
            if (USABLE.contains(field(node, "State"))) {
                free += Integer.parseInt(field(node, "CPUTot")) - Integer.parseInt(field(node, "CPUAlloc"));
            }
        }
        Map<String, Integer> left = new HashMap<>();
        for (String licence : licences.split("\n")) {
            if (licence.startsWith("LicenseName=")) {
                left.put(field(licence, "LicenseName"), Integer.parseInt(field(licence, "Free")));
            }
        }
        return new SlurmLook(List.copyOf(waiting), free, Map.copyOf(left));
    }

    /** Returns the jobs that could run now, all of them at once. */
    Set<Long> couldRun() {
        Set<Long> could = new TreeSet<>();
        Map<String, Integer> left = new HashMap<>(licences);
        for (Waiting job : waiting) {
            if (could.size() == free) {
                break;
            }
            if (job.licence().isEmpty() || left.merge(job.licence(), -1, Integer::sum) >= 0) {
                could.add(job.job());
            }
        }
        return could;
    }

    /** Says whether a job waits for a licence of which none is free. */
    boolean waitsForLicences() {
        return waiting.stream().anyMatch(job -> licences.getOrDefault(job.licence(), 1) == 0);
    }

    private static String field(String line, String name) {
        Matcher matcher = Pattern.compile("(?:^| )" + name + "=(\\S*)").matcher(line);
        return matcher.find() ? matcher.group(1) : "";
    }
}
