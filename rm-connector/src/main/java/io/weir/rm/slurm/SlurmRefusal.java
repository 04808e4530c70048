package io.weir.rm.slurm;

/** Carries a {@link SlurmError} to where a command is answered; never leaves the package. */
final class SlurmRefusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient SlurmError error;

    SlurmRefusal(SlurmError error) {
        super(error.explanation());
        this.error = error;
    }

    SlurmError error() {
        return error;
    }
}
