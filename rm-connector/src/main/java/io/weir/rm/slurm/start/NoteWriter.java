package io.weir.rm.slurm.start;

import io.weir.rm.slurm.client.AdminNote;
import io.weir.rm.slurm.client.JobChange;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmRefusal;
import io.weir.rm.slurm.client.SlurmRest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes Weir's note on a job. Version 38 of slurmrestd cannot; then it takes scontrol. One thread. */
public final class NoteWriter {
    private static final Logger log = LoggerFactory.getLogger(NoteWriter.class);

    private final SlurmRest rest;
    private final @Nullable SlurmCommands commands;

    public NoteWriter(SlurmRest rest, @Nullable SlurmCommands commands) {
        this.rest = rest;
        this.commands = commands;
    }

    /** Says whether notes can be written at all. */
    boolean isAble() {
        return commands != null || rest.version().usesJobDescription();
    }

    /** Writes a note on a job; a job that does not take it goes without. */
    void write(SlurmJob job, AdminNote note) {
        String id = Long.toString(job.id());
        try {
            if (commands != null) {
                commands.update(id, List.of("AdminComment=" + note.text()));
            } else if (isAble()) {
                rest.update(id, new JobChange(null, null, null, null, note.text()));
            }
        } catch (SlurmRefusal e) {
            log.info("job={} could not be marked: {}", id, e.getMessage());
        }
    }
}
