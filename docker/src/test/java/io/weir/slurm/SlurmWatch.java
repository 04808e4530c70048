package io.weir.slurm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks at a Slurm over and over, by Slurm's commands alone, and notes each job that could have run at so many looks in a row.
 * A look at which Slurm does not answer breaks the row. A thread of its own looks until it is closed.
 */
final class SlurmWatch implements AutoCloseable {
    private static final String GONE = "slurm-is-away";
    private static final String MARK = "====";
    private static final String READ = "squeue --noheader --format='" + SlurmLook.QUEUE + "' && echo " + MARK
            + " && scontrol -o show nodes && echo " + MARK + " && scontrol -o show licenses";

    private final SlurmSite slurm;
    private final int longest;
    private final Map<Long, Integer> inARow = new HashMap<>();
    private final List<String> findings = new ArrayList<>();
    private final Thread thread = new Thread(this::watch, "slurm-watch");
    private volatile boolean open = true;
    private int looks;
    private int withoutLicence;
    private int mostInARow;

    /** Begins to look; a job that could run at more than {@code longest} looks in a row is a finding. */
    SlurmWatch(SlurmSite slurm, int longest) {
        this.slurm = slurm;
        this.longest = longest;
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        while (open) {
            String said = slurm.run(List.of("sh", "-c", "{ " + READ + "; } 2>/dev/null || echo " + GONE));
            String[] parts = said.split(MARK + "\n", -1);
            if (parts.length == 3 && !said.contains(GONE)) {
                note(SlurmLook.of(parts[0], parts[1], parts[2]), said);
            } else {
                away();
            }
            try {
                Thread.sleep(1000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private synchronized void away() {
        inARow.clear();
    }

    private synchronized void note(SlurmLook look, String said) {
        looks++;
        withoutLicence += look.waitsForLicences() ? 1 : 0;
        Set<Long> could = look.couldRun();
        inARow.keySet().retainAll(could);
        for (long job : could) {
            int times = inARow.merge(job, 1, Integer::sum);
            mostInARow = Math.max(mostInARow, times);
            if (times == longest + 1) {
                findings.add("job " + job + " waits though it could run, by look " + looks + ":\n" + said);
            }
        }
    }

    /** Returns what was found. */
    synchronized List<String> findings() {
        return List.copyOf(findings);
    }

    /** Returns at how many looks Slurm answered. */
    synchronized int looks() {
        return looks;
    }

    /** Returns at how many looks a job waited for a licence of which none was free. */
    synchronized int looksWithoutLicence() {
        return withoutLicence;
    }

    /** Returns at how many looks in a row a job could have run at most. */
    synchronized int mostInARow() {
        return mostInARow;
    }

    @Override
    public void close() {
        open = false;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
