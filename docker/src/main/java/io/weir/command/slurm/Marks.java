package io.weir.command.slurm;

/**
 * What tells of a takeover and a giveback under way.
 *
 * @param taken while it is there, a job without a word that is older than the restart is held by its user, if by anybody
 * @param given while it is there, a job without a word that is older than the restart waits for Weir, if it is held
 */
record Marks(ChangeMark taken, ChangeMark given) {
    static Marks beside(SlurmConf conf) {
        return new Marks(
                new ChangeMark(conf.beside("weir-taken-over")), new ChangeMark(conf.beside("weir-given-back")));
    }
}
