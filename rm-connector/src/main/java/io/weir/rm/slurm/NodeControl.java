package io.weir.rm.slurm;

import java.util.List;

/**
 * Takes nodes out of service and back, and changes their features. No command of Weir's asks for it yet: it is to be
 * called from {@link SlurmResourceManager}. One thread.
 *
 * @param commands slurmrestd of 22.05 cannot change nodes
 */
record NodeControl(SlurmCommands commands) {

    /** Lets running jobs end and takes no more. Slurm wants a reason. */
    void drain(String node, String reason) throws SlurmRefusal {
        commands.updateNode(node, List.of("State=DRAIN", "Reason=" + (reason.isBlank() ? "Weir" : reason)));
    }

    /** Puts a drained or downed node back into service. */
    void resume(String node) throws SlurmRefusal {
        commands.updateNode(node, List.of("State=RESUME"));
    }

    /** Replaces the features of a node. */
    void setFeatures(String node, List<String> features) throws SlurmRefusal {
        String list = String.join(",", features);
        commands.updateNode(node, List.of("AvailableFeatures=" + list, "ActiveFeatures=" + list));
    }
}
