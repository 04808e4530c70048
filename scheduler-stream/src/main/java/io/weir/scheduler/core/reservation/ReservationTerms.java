package io.weir.scheduler.core.reservation;

import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.policy.reservation.ReservedTasksPerNode;
import io.weir.scheduler.core.reservation.acl.AccessControlList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a reservation that is no job's was asked for with, time and nodes apart. Immutable; changed through {@link #edit}.
 *
 * @param label name given by its maker; null for none
 * @param owner credential that owns it, such as {@code USER:ann}; null for none
 * @param group group of reservations it belongs to; null for none
 * @param subtype category its nodes have while it is active; null for the usual one
 * @param acl who may use it
 * @param hostExpression nodes it was asked for with; null for any
 * @param taskCount tasks; 0 takes the nodes the host expression names
 * @param task resources of one task; null for a whole node
 * @param tasksPerNode how many tasks lie on each node
 * @param features features its nodes must have, sorted
 * @param partition partition it lies in; null for any
 * @param flags flags in upper case, sorted
 * @param priority priority among reservations
 * @param profile profile it was made from; null for none
 * @param standing standing reservation it is an instance of; null for none
 * @param comment description; null for none
 * @param variables variables by name
 * @param accountable credentials that answer for unused time, by kind
 * @param messages what was said of it, in the order in which it was
 */
public record ReservationTerms(
        @Nullable String label,
        @Nullable String owner,
        @Nullable String group,
        @Nullable String subtype,
        AccessControlList acl,
        @Nullable String hostExpression,
        int taskCount,
        @Nullable TaskResources task,
        ReservedTasksPerNode tasksPerNode,
        List<String> features,
        @Nullable String partition,
        List<String> flags,
        int priority,
        @Nullable String profile,
        @Nullable String standing,
        @Nullable String comment,
        SortedMap<String, String> variables,
        SortedMap<String, String> accountable,
        List<String> messages) {
    public ReservationTerms {
        features = features.stream().distinct().sorted().toList();
        flags = flags.stream().distinct().sorted().toList();
        variables = Collections.unmodifiableSortedMap(new TreeMap<>(variables));
        accountable = Collections.unmodifiableSortedMap(new TreeMap<>(accountable));
        messages = List.copyOf(messages);
    }

    /** Returns whether it has {@code flag}. */
    public boolean has(ReservationFlag flag) {
        return flags.contains(flag.name());
    }

    /** Returns an editable copy. */
    public TermsEdit edit() {
        return new TermsEdit(this);
    }
}
