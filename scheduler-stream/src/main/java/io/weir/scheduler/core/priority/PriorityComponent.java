package io.weir.scheduler.core.priority;

import io.weir.scheduler.core.policy.job.PriorityWeight;

/** The components of a job's priority; their sum is the priority. */
public enum PriorityComponent {
    /** Who the job belongs to. */
    CRED("Cred", PriorityWeight.CREDWEIGHT),
    /** How its owners' use compares with their share. */
    FS("FS", PriorityWeight.FSWEIGHT),
    /** What it asks for. */
    RES("Res", PriorityWeight.RESWEIGHT),
    /** How long it waits. */
    SERV("Serv", PriorityWeight.SERVICEWEIGHT),
    /** How close it is to the target of its quality of service. */
    TARGET("Targ", PriorityWeight.TARGETWEIGHT),
    /** What it has used; active jobs only. */
    USAGE("Usage", PriorityWeight.USAGEWEIGHT);

    private final String label;
    private final PriorityWeight weight;

    PriorityComponent(String label, PriorityWeight weight) {
        this.label = label;
        this.weight = weight;
    }

    /** Returns the name shown to people. */
    public String label() {
        return label;
    }

    /** Returns its weight. */
    public PriorityWeight weight() {
        return weight;
    }
}
