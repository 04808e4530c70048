package io.weir.scheduler.core.policy.reservation;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * SRCFG[name] or RSVPROFILE[name].
 *
 * @param period PERIOD
 * @param days DAYS as bits, Monday being bit 0; all seven when ALL
 * @param startSeconds STARTTIME into the period
 * @param endSeconds ENDTIME into the period; null for its end
 * @param depth DEPTH, instances kept ahead
 * @param taskCount TASKCOUNT; 0 for all listed nodes
 * @param resources RESOURCES as written, such as PROCS:2;MEM:512; empty for whole nodes
 * @param hosts HOSTLIST as written; empty for all nodes
 * @param features NODEFEATURES
 * @param partition PARTITION; null for all
 * @param tasksPerNode TPN
 * @param acl access control list: the *LIST attributes and TIMELIMIT as canonical ACL text
 * @param dedicated ACCESS DEDICATED
 * @param flags FLAGS in upper case
 * @param owner OWNER
 * @param priority PRIORITY
 * @param subtype SUBTYPE
 * @param accountable CHARGEACCOUNT, and who else pays for unused time, by the kinds that requests name: aaccount, auser
 * @param reallocation RSVREALLOCPOLICY; null for the site's
 * @param comment COMMENT
 */
public record StandingConfig(
        Period period,
        int days,
        long startSeconds,
        @Nullable Long endSeconds,
        int depth,
        int taskCount,
        String resources,
        String hosts,
        List<String> features,
        @Nullable String partition,
        ReservedTasksPerNode tasksPerNode,
        String acl,
        boolean dedicated,
        List<String> flags,
        @Nullable String owner,
        int priority,
        @Nullable String subtype,
        SortedMap<String, String> accountable,
        @Nullable ReallocationPolicy reallocation,
        @Nullable String comment) {
    /** All days of the week. */
    public static final int ALL_DAYS = 0x7f;

    /** What holds when nothing is given. */
    public static final StandingConfig DEFAULT = new StandingConfig(
            Period.DAY,
            ALL_DAYS,
            0,
            null,
            2,
            0,
            "",
            "",
            List.of(),
            null,
            ReservedTasksPerNode.ANY,
            "",
            true,
            List.of(),
            null,
            0,
            null,
            Collections.emptySortedMap(),
            null,
            null);

    public StandingConfig {
        features = List.copyOf(features);
        flags = List.copyOf(flags);
        accountable = Collections.unmodifiableSortedMap(new TreeMap<>(accountable));
    }

    /** Returns how many instances it has at any time. */
    public int instances() {
        return period() == Period.INFINITY ? 1 : Math.max(1, depth());
    }

    /** PERIOD. */
    public enum Period {
        /** From midnight to midnight, UTC. */
        DAY(86_400),
        /** From Sunday midnight on, UTC. */
        WEEK(7 * 86_400),
        /** For ever. */
        INFINITY(Long.MAX_VALUE);

        private final long seconds;

        Period(long seconds) {
            this.seconds = seconds;
        }

        /** Returns how long it is, in seconds; {@link Long#MAX_VALUE} for ever. */
        public long seconds() {
            return seconds;
        }
    }
}
