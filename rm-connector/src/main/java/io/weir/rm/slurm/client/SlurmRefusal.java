package io.weir.rm.slurm.client;

/** Carries a {@link SlurmError} to where a command is answered; never leaves the package. */
public final class SlurmRefusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient SlurmError error;

    public SlurmRefusal(SlurmError error) {
        super(error.explanation());
        this.error = error;
    }

    public SlurmError error() {
        return error;
    }
}
