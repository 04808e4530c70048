package io.weir.rm.simulated;

import io.weir.rm.spi.RmException;
import io.weir.trace.RunSummary;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/**
 * Judges a run by its ledger: {@code LEDGER [CSV]}. Writes {@code job_id,submit,start,end,procs} to CSV and what is wrong
 * to standard error. Exit codes: 0 every job ended and nothing is wrong, 1 otherwise, 2 bad usage or input.
 */
public final class LedgerMain {
    private static final int WRONG = 1;
    private static final int BAD_USAGE = 2;
    private static final int MOST_SHOWN = 20;

    private LedgerMain() {}

    /** Reads the ledger, then ends the JVM. */
    public static void main(String[] args) {
        System.exit(run(List.of(args), System.out, System.err));
    }

    static int run(List<String> args, PrintStream out, PrintStream err) {
        if (args.isEmpty() || args.size() > 2) {
            err.println("usage: LEDGER [CSV]");
            return BAD_USAGE;
        }
        LedgerReport report;
        try {
            report = LedgerReport.read(Path.of(args.get(0)));
            if (args.size() == 2) {
                RunSummary.writeCsv(report.runs(), Path.of(args.get(1)));
            }
        } catch (RmException | IOException e) {
            err.println(e.getMessage());
            return BAD_USAGE;
        }
        report.problems().stream().limit(MOST_SHOWN).forEach(problem -> err.println("wrong: " + problem));
        report.unfinished().stream().limit(MOST_SHOWN).forEach(job -> err.println("not ended: " + job));
        out.println(report.runs().size() + " jobs ran, " + report.unfinished().size() + " not ended, "
                + report.neverStarted().size() + " ended without having run, "
                + report.problems().size() + " problems");
        return report.isComplete() ? 0 : WRONG;
    }
}
