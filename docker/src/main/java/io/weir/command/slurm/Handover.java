package io.weir.command.slurm;

import io.weir.command.slurm.Step.Action;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The steps by which a cluster becomes Weir's, and Slurm's again. Every hold is told apart: a user's is a word in front of the
 * job's comment while the cluster is Weir's, an administrator's stays what it is, and what waits for Weir is held as by its
 * user and without the word.
 */
final class Handover {
    /** Why Slurm itself would not count a job as eligible. */
    private static final Set<String> NOT_ELIGIBLE = Set.of("Dependency", "DependencyNeverSatisfied", "BeginTime");

    private final Slurm slurm;
    private final SlurmConf conf;
    private final ChangeMark taken;
    private final ChangeMark given;
    private final Scontrol scontrol;
    private final Holds holds;
    private final PluginFiles plugins;
    private final ControllerRestart restart;
    private final StartTraces traces;
    private final RequestedHolds requested;

    /** Whether the way back begins with these steps; a step that was only shown leaves no mark of it. */
    private boolean opening;

    /** The handover of {@code slurm}, whose controller {@code command} restarts; {@code requested} are holds that stay. */
    Handover(Slurm slurm, SlurmConf conf, String command, RequestedHolds requested) {
        this.slurm = slurm;
        this.conf = conf;
        this.requested = requested;
        Marks marks = Marks.beside(conf);
        taken = marks.taken();
        given = marks.given();
        scontrol = new Scontrol(slurm);
        holds = new Holds(slurm, conf, marks);
        plugins = new PluginFiles(conf, taken, InstantSource.system());
        restart = new ControllerRestart(slurm, conf, marks, command);
        traces = new StartTraces(slurm);
    }

    /** Returns the steps of a takeover; each is asked for when the one before is done. */
    List<Supplier<Step>> takeover() {
        return List.of(this::markHolds, this::installPlugins, this::takeConf, this::holdWaiting);
    }

    /** Returns the steps of the way back. */
    List<Supplier<Step>> giveback() {
        return List.of(this::giveConf, this::removePlugins, this::releaseWaiting, this::releaseRunning);
    }

    /** Those that come by a hold until the restart are marked after it. */
    private Step markHolds() {
        return new Step("Remember which jobs their users hold", conf.isWeirs() ? List.of() : holds.markingAll());
    }

    private Step installPlugins() {
        return new Step(
                "Install the plug-ins that hold each job that arrives, and refuse what cannot be",
                plugins.installing());
    }

    private Step takeConf() {
        List<Action> actions = new ArrayList<>();
        boolean fresh = !conf.isWeirs();
        if (fresh) {
            actions.add(new Action("add Weir's lines to " + conf.file(), () -> conf.write(conf.taken())));
        }
        if (fresh || restart.isDue()) {
            actions.add(restart.restarting(taken));
        } else if (taken.isOpen()) {
            actions.add(restart.closing(taken));
        }
        return new Step("Have Slurm's scheduler take each start at once, and no start of its own", actions);
    }

    private Step holdWaiting() {
        List<Slurm.Job> waiting = slurm.jobs().stream()
                .filter(job -> job.isPending() && !job.isHeldByUserOrWeir() && !job.isHeldByAdministrator())
                .toList();
        List<Action> actions = new ArrayList<>(holds.finishingMarks());
        // Whose the holds were before is told by the marks from here on.
        if (given.exists()) {
            actions.add(given.removal());
        }
        String before = priorities().content();
        String after = new QueuePriorities(before).with(waiting).text();
        if (!after.equals(before)) {
            actions.add(new Action("write " + priorities(), () -> priorities().write(after)));
        }
        actions.addAll(scontrol.all("uhold", ids(waiting)));
        // What has no time at which it became eligible is left out of the accounting when it is cancelled.
        List<Slurm.Job> eligible = waiting.stream()
                .filter(job -> !NOT_ELIGIBLE.contains(job.reason()))
                .toList();
        actions.addAll(scontrol.all("update", ids(eligible), List.of("StartTime=now")));
        return new Step("Hold the jobs that wait, for Weir", actions);
    }

    private static List<String> ids(List<Slurm.Job> jobs) {
        return jobs.stream().map(Slurm.Job::id).toList();
    }

    /**
     * The site's own plug-ins are there again when the controller is restarted: it does not read a file anew that is older than
     * the one it has. Those of Weir's that replaced none are there until then.
     */
    private Step giveConf() {
        boolean everHeld = !taken.isOpen() || holds.isTaken();
        // Of a takeover that was broken off it is known now whose the holds are.
        List<Action> actions = new ArrayList<>(everHeld ? holds.finishingMarks() : List.of());
        boolean weirs = conf.isWeirs();
        if (weirs || restart.isDue()) {
            // Where the plug-ins are gone, the words before the comments are, too, and nobody knows whose the holds
            // are.
            if (everHeld && (weirs || given.exists() || plugins.isInstalled())) {
                actions.add(given.opening());
                opening = true;
            }
            if (weirs) {
                actions.add(new Action("take Weir's lines out of " + conf.file(), () -> conf.write(conf.given())));
            }
            actions.addAll(plugins.restoring());
            actions.add(restart.restarting(given));
        } else if (given.isOpen()) {
            actions.add(restart.closing(given));
        }
        return new Step("Give the scheduler back its settings", actions);
    }

    private SiteFile priorities() {
        return conf.beside("weir-priorities");
    }

    private Step removePlugins() {
        return new Step("Give back the plug-ins", plugins.removing());
    }

    /**
     * What {@link #given} tells of is over when it is gone: from then on a job that is held without a word before its
     * comment is held by its user. The words go last, so that a command that is broken off never takes one for the other.
     */
    private Step releaseWaiting() {
        long until = opening && !given.exists() ? Long.MAX_VALUE : holds.givenAt();
        List<Action> actions = new ArrayList<>();
        List<Action> words = new ArrayList<>();
        List<Slurm.Job> free = new ArrayList<>();
        // Released by a command that was broken off before it gave them back their priorities, or by an administrator.
        List<Slurm.Job> released = new ArrayList<>();
        for (Slurm.Job job : slurm.jobs(requested)) {
            if (!job.isPending()) {
                continue;
            }
            if (job.isHeldByAdministrator()) {
                actions.addAll(traces.forgettingAdministrator(job.id()));
                continue;
            }
            Optional<List<String>> fields = traces.of(job.id());
            fields.ifPresent(each -> actions.addAll(traces.restoring(job.id(), each)));
            if (holds.isMarked(job)) {
                words.add(holds.unmarking(job));
            } else if ((fields.isPresent() || Holds.isForWeir(job, until)) && !staysHeld(job)) {
                free.add(job);
            } else if (!job.held()) {
                released.add(job);
            }
        }
        QueuePriorities before = new QueuePriorities(priorities().content());
        free = before.ordered(free);
        // A job that is held takes no priority, so it is released first.
        actions.addAll(scontrol.all("release", ids(free)));
        actions.addAll(prioritized(before, Stream.concat(free.stream(), released.stream())));
        Stream.of(taken.file(), given.file(), priorities())
                .filter(SiteFile::exists)
                .forEach(file -> actions.add(new Action("rm " + file, file::delete)));
        actions.addAll(words);
        return new Step("Release the jobs that wait for Weir, and no other", actions);
    }

    private boolean staysHeld(Slurm.Job job) {
        return requested.contains(job.id()) || traces.isHeldByWeir(job.id());
    }

    /**
     * Returns what gives jobs back the priorities that they had, where Slurm gives a job its priority once and for all; where it
     * works priorities out anew, it does so for these.
     */
    private List<Action> prioritized(QueuePriorities before, Stream<Slurm.Job> jobs) {
        if (before.isEmpty() || !slurm.keepsPriorities()) {
            return List.of();
        }
        List<Action> actions = new ArrayList<>();
        jobs.forEach(job -> {
            OptionalLong priority = before.of(job.id());
            // To set it would take the job's nice value away, and to set that again has no effect.
            if (priority.isPresent() && priority.getAsLong() != job.priority() && job.nice() == 0) {
                actions.add(scontrol.update(job.id(), List.of("Priority=" + priority.getAsLong())));
            }
        });
        return actions;
    }

    /** A running job cannot be told other nodes: it is held against restarts where it would come back to those of Weir. */
    private Step releaseRunning() {
        List<String> free = new ArrayList<>();
        List<String> bound = new ArrayList<>();
        for (Slurm.Job job : slurm.jobs()) {
            boolean traced = !job.isPending() && traces.of(job.id()).isPresent();
            if (!job.isPending() && job.held() && !traced) {
                free.add(job.id());
            } else if (traced && !job.held()) {
                bound.add(job.id());
            }
        }
        List<Action> actions = scontrol.all("release", free);
        actions.addAll(scontrol.all("uhold", bound));
        return new Step("Let Slurm restart running jobs by itself, but for those bound to nodes of Weir's", actions);
    }

    /** Returns how many running jobs still have a start's own words in them: requeued, they wait for this command. */
    long traced() {
        return slurm.jobs().stream()
                .filter(job -> !job.isPending() && traces.of(job.id()).isPresent())
                .count();
    }
}
