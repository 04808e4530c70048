package io.weir.scheduler.core.priority;

import io.weir.scheduler.core.policy.job.PriorityWeight;

/** The terms that make up the components of a job's priority. */
public enum PriorityTerm {
    USER(PriorityComponent.CRED, "User", PriorityWeight.USERWEIGHT),
    GROUP(PriorityComponent.CRED, "Group", PriorityWeight.GROUPWEIGHT),
    ACCOUNT(PriorityComponent.CRED, "Account", PriorityWeight.ACCOUNTWEIGHT),
    QOS(PriorityComponent.CRED, "QOS", PriorityWeight.QOSWEIGHT),
    CLASS(PriorityComponent.CRED, "Class", PriorityWeight.CLASSWEIGHT),
    FS_USER(PriorityComponent.FS, "User", PriorityWeight.FSUSERWEIGHT),
    FS_GROUP(PriorityComponent.FS, "Group", PriorityWeight.FSGROUPWEIGHT),
    FS_ACCOUNT(PriorityComponent.FS, "Account", PriorityWeight.FSACCOUNTWEIGHT),
    FS_QOS(PriorityComponent.FS, "QOS", PriorityWeight.FSQOSWEIGHT),
    FS_CLASS(PriorityComponent.FS, "Class", PriorityWeight.FSCLASSWEIGHT),
    NODES(PriorityComponent.RES, "Node", PriorityWeight.NODEWEIGHT),
    PROCS(PriorityComponent.RES, "Proc", PriorityWeight.PROCWEIGHT),
    MEMORY(PriorityComponent.RES, "Mem", PriorityWeight.MEMWEIGHT),
    SWAP(PriorityComponent.RES, "Swap", PriorityWeight.SWAPWEIGHT),
    DISK(PriorityComponent.RES, "Disk", PriorityWeight.DISKWEIGHT),
    PROC_SECONDS(PriorityComponent.RES, "PS", PriorityWeight.PSWEIGHT),
    PROC_EQUIVALENTS(PriorityComponent.RES, "PE", PriorityWeight.PEWEIGHT),
    WALLTIME(PriorityComponent.RES, "WCLimit", PriorityWeight.WALLTIMEWEIGHT),
    QUEUE_TIME(PriorityComponent.SERV, "QTime", PriorityWeight.QUEUETIMEWEIGHT),
    XFACTOR(PriorityComponent.SERV, "XFctr", PriorityWeight.XFACTORWEIGHT),
    BYPASS(PriorityComponent.SERV, "Bypass", PriorityWeight.BYPASSWEIGHT),
    USER_PRIORITY(PriorityComponent.SERV, "UPrio", PriorityWeight.USERPRIOWEIGHT),
    TARGET_QUEUE_TIME(PriorityComponent.TARGET, "QTime", PriorityWeight.TARGETQUEUETIMEWEIGHT),
    TARGET_XFACTOR(PriorityComponent.TARGET, "XFctr", PriorityWeight.TARGETXFACTORWEIGHT),
    /** Dedicated processor seconds so far; weighted by its component alone. */
    CONSUMED(PriorityComponent.USAGE, "Consumed", PriorityWeight.USAGEWEIGHT);

    private final PriorityComponent component;
    private final String label;
    private final PriorityWeight weight;

    PriorityTerm(PriorityComponent component, String label, PriorityWeight weight) {
        this.component = component;
        this.label = label;
        this.weight = weight;
    }

    /** Returns the component it is part of. */
    public PriorityComponent component() {
        return component;
    }

    /** Returns the name shown to people, such as {@code Serv(QTime)}. */
    public String label() {
        return component.label() + "(" + label + ")";
    }

    /** Returns its weight within the component. */
    public PriorityWeight weight() {
        return weight;
    }
}
