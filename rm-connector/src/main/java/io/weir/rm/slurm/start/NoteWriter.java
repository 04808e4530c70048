package io.weir.rm.slurm.start;

import io.weir.rm.slurm.client.AdminNote;
import io.weir.rm.slurm.client.JobChange;
import io.weir.rm.slurm.client.JobComponent;
import io.weir.rm.slurm.client.NodeChange;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmRefusal;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.rm.slurm.client.Wishes;
import io.weir.rm.slurm.translate.SlurmJobTranslation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes Weir's note on a job, and puts back what a start wrote over. Version 38 of slurmrestd cannot; then it takes scontrol. One thread. */
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
        String id = job.alone();
        try {
            if (commands != null) {
                commands.updateInSession(id, List.of("AdminComment=" + note.text()));
            } else if (isAble()) {
                @Nullable Boolean hold = job.isHeldAsUnfit() ? Boolean.TRUE : null;
                rest.update(id, new JobChange(null, hold, null, null, note.text()));
            }
        } catch (SlurmRefusal e) {
            log.info("job={} could not be marked: {}", id, e.getMessage());
        }
    }

    /**
     * Marks a job that was requeued held as its user's hold: then it is released as any other. Slurm does not take back that
     * it was requeued held when it is released.
     */
    AdminNote holdRequeued(SlurmJob job) {
        AdminNote note = job.note().with(AdminNote.REQUEUED_HELD, job.restarts());
        if (commands != null) {
            try {
                commands.update(
                        job.alone(),
                        List.of("Comment=" + SlurmJobTranslation.marked(job.comment()), "AdminComment=" + note.text()));
                return note;
            } catch (SlurmRefusal e) {
                log.warn("job={} could not be marked as held: {}", job.key(), e.getMessage());
            }
        }
        return job.note();
    }

    /** Has a job that waits ask for what its user asked for, where a start's own words stand in it. */
    public void restore(SlurmJob job) {
        restore(job, job.note());
    }

    /** Does so with a note of its own. Without commands the words of the last start stay until the next one. */
    void restore(SlurmJob job, AdminNote note) {
        Optional<Wishes> asked = job.note().asked();
        if (asked.isEmpty() || commands == null) {
            if (!note.equals(job.note())) {
                write(job, note);
            }
            return;
        }
        List<String> fields = new ArrayList<>(asked.get().restoring(job));
        // Slurm forgets when a job became eligible when it is held, and leaves it out of its accounting.
        fields.add("StartTime=now");
        fields.add("AdminComment=" + note.havingRestored(asked.get()).text());
        try {
            if (job.isHeldAsUnfit()) {
                @Nullable JobComponent component = job.component();
                commands.holdAsUser(List.of(component == null ? job.key() : component.whole()));
            }
            if (JobComponent.isFirst(job.alone())) {
                rest.update(job.alone(), NodeChange.to(asked.get()));
            }
            commands.updateInSession(job.alone(), JobComponent.changeable(job.alone(), fields));
        } catch (SlurmRefusal e) {
            log.warn("job={} keeps the nodes of its last start: {}", job.key(), e.getMessage());
            write(job, note);
        }
    }
}
