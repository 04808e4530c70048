package io.weir.command.slurm;

import io.weir.command.slurm.Step.Action;
import io.weir.rm.slurm.client.AdminNote;
import io.weir.rm.slurm.client.JobComponent;
import io.weir.rm.slurm.client.NodeChange;
import io.weir.rm.slurm.client.SlurmJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a start of Weir's wrote into a job, and the note about it tells. */
final class StartTraces {
    /** No job has so many tasks: their number is always put back. */
    private static final int ANY_TASKS = -1;

    private final Slurm slurm;
    private final Scontrol scontrol;

    StartTraces(Slurm slurm) {
        this.slurm = slurm;
        scontrol = new Scontrol(slurm);
    }

    /** Returns the fields that put back what the user of {@code job} asked for; empty when nothing was written into it. */
    Optional<List<String>> of(String job) {
        AdminNote note = note(job);
        return note.asked().map(asked -> {
            List<String> fields = new ArrayList<>(asked.restoring(
                    ANY_TASKS, SlurmMinutes.of(slurm.limit(job)).orElse(SlurmJob.UNLIMITED_MINUTES), true));
            fields.add("AdminComment=" + note.havingRestored(asked).text());
            return fields;
        });
    }

    /** Returns what puts back what the user of a job asked for, the note about it last. */
    List<Action> restoring(String job, List<String> fields) {
        if (!JobComponent.isFirst(job)) {
            return List.of(scontrol.update(job, fields));
        }
        NodeChange nodes = NodeChange.to(note(job).asked().orElseThrow());
        return List.of(
                new Action(
                        "restore the node list of job " + job + " with slurmrestd",
                        () -> slurm.askForNodes(job, nodes)),
                scontrol.update(job, fields));
    }

    /** Returns what takes away the note of an administrator's hold, of which Slurm itself knows; nothing where there is none. */
    List<Action> forgettingAdministrator(String job) {
        AdminNote note = note(job);
        return note.mark(AdminNote.ADMIN_HOLD).isEmpty()
                ? List.of()
                : List.of(scontrol.update(
                        job,
                        List.of("AdminComment="
                                + note.without(AdminNote.ADMIN_HOLD).text())));
    }

    private AdminNote note(String job) {
        return AdminNote.parse(slurm.adminComment(job));
    }

    /** Says whether Weir itself holds {@code job}. */
    boolean isHeldByWeir(String job) {
        return note(job).mark(AdminNote.HOLD).isPresent();
    }
}
