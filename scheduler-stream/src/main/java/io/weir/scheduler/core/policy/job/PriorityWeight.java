package io.weir.scheduler.core.policy.job;

/** The weights of job priority; each is the name of its parameter. */
public enum PriorityWeight {
    CREDWEIGHT(1),
    FSWEIGHT(1),
    RESWEIGHT(1),
    SERVICEWEIGHT(1),
    TARGETWEIGHT(1),
    USAGEWEIGHT(0),
    USERWEIGHT(1),
    GROUPWEIGHT(1),
    ACCOUNTWEIGHT(1),
    QOSWEIGHT(1),
    CLASSWEIGHT(1),
    QUEUETIMEWEIGHT(1),
    XFACTORWEIGHT(0),
    BYPASSWEIGHT(0),
    USERPRIOWEIGHT(1),
    NODEWEIGHT(0),
    PROCWEIGHT(0),
    MEMWEIGHT(0),
    SWAPWEIGHT(0),
    DISKWEIGHT(0),
    PSWEIGHT(0),
    PEWEIGHT(0),
    WALLTIMEWEIGHT(0),
    FSUSERWEIGHT(0),
    FSGROUPWEIGHT(0),
    FSACCOUNTWEIGHT(0),
    FSQOSWEIGHT(0),
    FSCLASSWEIGHT(0),
    TARGETQUEUETIMEWEIGHT(0),
    TARGETXFACTORWEIGHT(0);

    private final long byDefault;

    PriorityWeight(long byDefault) {
        this.byDefault = byDefault;
    }

    /** Returns the weight of an empty configuration. */
    public long byDefault() {
        return byDefault;
    }
}
