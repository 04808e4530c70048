package io.weir.loop.judge;

import io.weir.rm.simulated.LedgerReport;
import io.weir.schemas.CommandKind;
import io.weir.schemas.RmCommand;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Judges by the resource manager's own record that a failed node of a job was replaced once: each replacement is for a
 * node that the job had, and for the time that the job had it there is no other. What was put out is read from the reason of
 * its command.
 */
public final class ReplacementJudge {
    private static final String INVARIANT = "replacement";
    private static final Pattern REPLACES =
            Pattern.compile("node \\S+ replaces (\\S+), requested by .*", Pattern.DOTALL);

    private final Charges charges;

    /** Nodes that are to be replaced, by id of the command. */
    private final Map<String, String> lost = new HashMap<>();

    /** Creates a judge that adds to {@code charges}. */
    public ReplacementJudge(Charges charges) {
        this.charges = charges;
    }

    /** Takes note of a command that was put out. */
    void command(RmCommand command) {
        String reason = command.getReason();
        if (command.getKind() == CommandKind.ADD_NODES && reason != null) {
            Matcher matcher = REPLACES.matcher(reason);
            if (matcher.matches()) {
                lost.put(command.getCommandId(), matcher.group(1));
            }
        }
    }

    /** Judges what a resource manager did; returns how many replacements it made. */
    public int judge(LedgerReport report) {
        Set<List<Object>> replaced = new HashSet<>();
        int replacements = 0;
        for (LedgerReport.Growth growth : report.growths()) {
            String node = lost.get(growth.commandId());
            if (node == null) {
                continue;
            }
            replacements++;
            @Nullable Integer since = growth.held().get(node);
            String what = "line " + growth.line() + ": node " + node + " of job " + growth.jobId();
            if (since == null) {
                charges.add(INVARIANT, what + " is replaced, which the job does not have");
            } else if (!replaced.add(List.of(growth.jobId(), node, since))) {
                charges.add(INVARIANT, what + " is replaced a second time");
            }
        }
        return replacements;
    }
}
