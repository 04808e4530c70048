package io.weir.command.slurm;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** For which waiting jobs nodes are set aside, as Slurm's backfill scheduler and the flag NoReserve of QOSs say. */
final class ReservationOrder {
    private static final Pattern TESTED = Pattern.compile("(?:^|,)bf_max_job_test=(\\d{1,7})(?:,|$)");
    private static final long TESTED_BY_DEFAULT = 500;

    /** Each reservation that moves is a record on a topic. */
    private static final long MOST_PLANNED = 20;

    private static final String NO_RESERVE = "NoReserve";

    private ReservationOrder() {}

    /**
     * Returns lines of a policy.
     *
     * @param qos name and flags of each QOS, as sacctmgr shows them
     */
    static List<String> lines(Controller config, List<String[]> qos) {
        long tested = tested(config);
        String depth = "RESERVATIONDEPTH " + Math.min(tested, MOST_PLANNED);
        String why = "# Slurm's backfill plans " + tested
                + " jobs every half minute (bf_max_job_test); Weir plans so many whenever something happens.";
        SortedSet<String> without = withoutReservation(qos);
        return without.isEmpty()
                ? List.of(why, depth)
                : List.of(
                        why,
                        depth,
                        "# Nodes are not set aside for jobs of a QOS that says " + NO_RESERVE + ".",
                        "RESERVATIONDEPTH[" + NO_RESERVE + "] 0",
                        "RESERVATIONQOSLIST[" + NO_RESERVE + "] " + String.join(",", without));
    }

    private static SortedSet<String> withoutReservation(List<String[]> qos) {
        SortedSet<String> names = new TreeSet<>();
        for (String[] row : qos) {
            if (row.length == 2 && List.of(row[1].split(",", -1)).contains(NO_RESERVE)) {
                names.add(row[0]);
            }
        }
        return names;
    }

    private static long tested(Controller config) {
        Matcher tested = TESTED.matcher(config.value("SchedulerParameters"));
        return tested.find() ? Long.parseLong(tested.group(1)) : TESTED_BY_DEFAULT;
    }
}
