package io.weir.scheduler.core.reservation;

import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.policy.reservation.ReservedTasksPerNode;
import io.weir.scheduler.core.reservation.acl.AccessControlList;
import io.weir.scheduler.core.reservation.acl.AclEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Puts the terms of a reservation together; used by one thread and thrown away after {@link #done}. */
public final class TermsEdit {
    /** Messages that a reservation keeps. */
    static final int MOST_MESSAGES = 16;

    /** Characters of an entry of the access list besides its value. */
    private static final int ACL_ENTRY_EXTRA = 12;

    private @Nullable String label;
    private @Nullable String owner;
    private @Nullable String group;
    private @Nullable String subtype;
    private AccessControlList acl = AccessControlList.EMPTY;
    private @Nullable String hostExpression;
    private int taskCount;
    private @Nullable TaskResources task;
    private ReservedTasksPerNode tasksPerNode = ReservedTasksPerNode.ANY;
    private List<String> features = new ArrayList<>();
    private @Nullable String partition;
    private List<String> flags = new ArrayList<>();
    private int priority;
    private @Nullable String profile;
    private @Nullable String standing;
    private @Nullable String comment;
    private final SortedMap<String, String> variables = new TreeMap<>();
    private final SortedMap<String, String> accountable = new TreeMap<>();
    private final List<String> messages = new ArrayList<>();

    /** Starts with nothing. */
    public TermsEdit() {}

    TermsEdit(ReservationTerms terms) {
        label = terms.label();
        owner = terms.owner();
        group = terms.group();
        subtype = terms.subtype();
        acl = terms.acl();
        hostExpression = terms.hostExpression();
        taskCount = terms.taskCount();
        task = terms.task();
        tasksPerNode = terms.tasksPerNode();
        features.addAll(terms.features());
        partition = terms.partition();
        flags.addAll(terms.flags());
        priority = terms.priority();
        profile = terms.profile();
        standing = terms.standing();
        comment = terms.comment();
        variables.putAll(terms.variables());
        accountable.putAll(terms.accountable());
        messages.addAll(terms.messages());
    }

    /** Returns how many characters its lists have. */
    public long characters() {
        long characters = 0;
        for (AclEntry entry : acl.entries()) {
            characters += entry.value().length() + ACL_ENTRY_EXTRA;
        }
        for (String feature : features) {
            characters += feature.length();
        }
        for (Map.Entry<String, String> pair : variables.entrySet()) {
            characters += pair.getKey().length() + pair.getValue().length();
        }
        for (Map.Entry<String, String> pair : accountable.entrySet()) {
            characters += pair.getKey().length() + pair.getValue().length();
        }
        return characters;
    }

    /** Sets the name given by its maker. */
    public TermsEdit label(@Nullable String value) {
        label = value;
        return this;
    }

    /** Sets the credential that owns it. */
    public TermsEdit owner(@Nullable String value) {
        owner = value;
        return this;
    }

    /** Sets the group of reservations. */
    public TermsEdit group(@Nullable String value) {
        group = value;
        return this;
    }

    /** Sets the category of its nodes. */
    public TermsEdit subtype(@Nullable String value) {
        subtype = value;
        return this;
    }

    /** Returns the access control list as it stands. */
    public AccessControlList acl() {
        return acl;
    }

    /** Sets the access control list. */
    public TermsEdit acl(AccessControlList value) {
        acl = value;
        return this;
    }

    /** Sets the host expression; null for any node. */
    public TermsEdit hosts(@Nullable String value) {
        hostExpression = value;
        return this;
    }

    /** Sets the number of tasks; 0 takes the nodes the host expression names. */
    public TermsEdit tasks(int value) {
        taskCount = value;
        return this;
    }

    /** Sets the resources of one task; null for a whole node. */
    public TermsEdit task(@Nullable TaskResources value) {
        task = value;
        return this;
    }

    /** Sets how many tasks lie on each node. */
    public TermsEdit tasksPerNode(ReservedTasksPerNode value) {
        tasksPerNode = value;
        return this;
    }

    /** Sets the features its nodes must have. */
    public TermsEdit features(List<String> value) {
        features = new ArrayList<>(value);
        return this;
    }

    /** Sets the partition; null for any. */
    public TermsEdit partition(@Nullable String value) {
        partition = value;
        return this;
    }

    /** Returns the flags as they stand. */
    public List<String> flags() {
        return flags;
    }

    /** Sets the flags. */
    public TermsEdit flags(List<String> value) {
        flags = new ArrayList<>(value);
        return this;
    }

    /** Sets the priority among reservations. */
    public TermsEdit priority(int value) {
        priority = value;
        return this;
    }

    /** Sets the profile it is made from. */
    public TermsEdit profile(@Nullable String value) {
        profile = value;
        return this;
    }

    /** Sets the standing reservation it is an instance of. */
    public TermsEdit standing(@Nullable String value) {
        standing = value;
        return this;
    }

    /** Sets the description. */
    public TermsEdit comment(@Nullable String value) {
        comment = value;
        return this;
    }

    /** Returns the variables, open to change. */
    public SortedMap<String, String> variables() {
        return variables;
    }

    /** Returns the credentials that answer for unused time, open to change. */
    public SortedMap<String, String> accountable() {
        return accountable;
    }

    /** Returns what was said of it, the oldest first. */
    public List<String> messages() {
        return Collections.unmodifiableList(messages);
    }

    /** Adds what is said of it; said again, it is the last that was. Of more than {@value #MOST_MESSAGES} the oldest goes. */
    public TermsEdit message(String text) {
        messages.remove(text);
        messages.add(text);
        if (messages.size() > MOST_MESSAGES) {
            messages.remove(0);
        }
        return this;
    }

    /** Takes back what was said of it; null takes everything back. */
    public TermsEdit withoutMessage(@Nullable String text) {
        messages.removeIf(each -> text == null || text.equals(each));
        return this;
    }

    /** Returns the terms. */
    public ReservationTerms done() {
        return new ReservationTerms(
                label,
                owner,
                group,
                subtype,
                acl,
                hostExpression,
                taskCount,
                task,
                tasksPerNode,
                features,
                partition,
                flags,
                priority,
                profile,
                standing,
                comment,
                variables,
                accountable,
                messages);
    }
}
