package io.weir.scheduler.core.job;

import java.util.List;

/** What is said of a job that no state of the nodes could ever hold, for as long as that is so. */
public enum Impossibility {
    TOO_LARGE("the request is larger than the nodes could ever hold"),
    NO_SET("Set: no node set could ever hold the request"),
    /** The hosts follow. */
    NO_HOST("Policy: there is no host "),
    /** The partitions follow. */
    NO_PARTITION("Policy: there is no partition "),
    /** The class follows. */
    NO_CLASS("Class: no node takes jobs of class "),
    NO_FEATURES("Features: no node has the features, generic resources, architecture and operating system asked for"),
    NO_NETWORK("Network: no node has the network asked for"),
    NO_NODE("Policy: hosts, partitions and limits leave no node that could ever hold a task");

    private static final List<Impossibility> ALL = List.of(values());

    private final String words;

    Impossibility(String words) {
        this.words = words;
    }

    /** Returns it in a sentence, up to what follows. */
    public String words() {
        return words;
    }

    /**
     * Says whether {@code job} is deferred because nothing could ever hold it; one whose start failed is deferred for that,
     * whatever was said before.
     */
    public static boolean defers(Job job) {
        return job.deferrals() > 0
                && job.notBefore() != Job.NONE
                && job.startFailures() == 0
                && ALL.stream().anyMatch(kind -> kind.isToldTo(job));
    }

    /** Says whether it is said of {@code job}. */
    public boolean isToldTo(Job job) {
        return job.messages().stream().anyMatch(text -> text.startsWith(words));
    }

    /** Takes back what was said of it. */
    public static JobEdit withdrawn(JobEdit edit) {
        ALL.forEach(kind -> edit.withdrawn(kind.words));
        return edit;
    }
}
