package io.weir.command.slurm;

import io.weir.command.slurm.Step.Action;
import io.weir.rm.slurm.client.AdminNote;
import io.weir.rm.slurm.client.JobComponent;
import io.weir.rm.slurm.client.NodeChange;
import io.weir.rm.slurm.client.SlurmJob;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The steps by which a cluster becomes Weir's, and Slurm's again. Every hold is told apart: a user's is a word in front of the
 * job's comment while the cluster is Weir's, an administrator's stays what it is, and what waits for Weir is held as by its
 * user and without the word.
 */
final class Handover {
    /** In front of a job's comment, where job_submit.lua writes it too. */
    static final String HELD_BY_USER = "[held by user]";

    private static final int AT_ONCE = 500;
    private static final String SAVED = ".before-weir";
    private static final Pattern LIMIT = Pattern.compile("(?:(?:(\\d{1,6})-)?(\\d{1,6}):)?(\\d{1,9}):\\d\\d");

    /** Why Slurm itself would not count a job as eligible. */
    private static final Set<String> NOT_ELIGIBLE = Set.of("Dependency", "DependencyNeverSatisfied", "BeginTime");

    /** No job has so many tasks: their number is always put back. */
    private static final int ANY_TASKS = -1;

    /** So long a controller has to answer when the command that restarts it has ended. */
    private static final Duration LONGEST_RESTART = Duration.ofSeconds(60);

    private static final long LOOK_EVERY_MILLIS = 500;

    private final Slurm slurm;
    private final SlurmConf conf;
    private final List<String> restart;

    /** While it is there, a job without a word that is older than the restart is held by its user, if by anybody. */
    private final ChangeMark taken;

    /** While it is there, a job without a word that is older than the restart waits for Weir, if it is held. */
    private final ChangeMark given;

    Handover(Slurm slurm, SlurmConf conf, String restart) {
        this.slurm = slurm;
        this.conf = conf;
        this.restart = Arrays.asList(restart.split(" ", -1));
        taken = new ChangeMark(conf.beside("weir-taken-over"));
        given = new ChangeMark(conf.beside("weir-given-back"));
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
        List<Action> actions = new ArrayList<>();
        if (!conf.isWeirs()) {
            if (!taken.exists() && !isHolding()) {
                actions.add(opening(taken));
            }
            if (taken.exists() || !actions.isEmpty()) {
                actions.addAll(marking(Long.MAX_VALUE));
            }
        }
        return new Step("Remember which jobs their users hold", actions);
    }

    /** Says whether the controller holds jobs for Weir before a takeover, or because it was not given back. */
    private boolean isHolding() {
        Controller controller = slurm.controller();
        return given.isOpen() ? conf.isHeldTo(controller) : conf.isHeldByHand(controller);
    }

    /** Returns what marks the jobs that their users held before that time, epoch seconds. */
    private List<Action> marking(long before) {
        long since = givenAt();
        List<Action> actions = new ArrayList<>();
        for (Slurm.Job job : slurm.jobs()) {
            if (job.isPending()
                    && job.isHeldByUserOrWeir()
                    && job.submitted() < before
                    && job.submitted() > since
                    && !isMarked(job)) {
                String comment = HELD_BY_USER + " " + slurm.comment(job.id());
                actions.add(update(job.id(), List.of("Comment=" + comment.strip())));
            }
        }
        return actions;
    }

    /** Returns what is left to be marked of a takeover, and then forgets about it. */
    private List<Action> finishingMarks() {
        if (!taken.exists()) {
            return List.of();
        }
        Controller controller = slurm.controller();
        long since = taken.time().orElseGet(() -> conf.isHeldTo(controller) ? controller.started() : Long.MAX_VALUE);
        List<Action> actions = marking(since);
        actions.add(removal(taken.file()));
        return actions;
    }

    /** Returns since when jobs are no longer held for Weir, epoch seconds; 0 if no giveback is under way. */
    private long givenAt() {
        if (!given.exists()) {
            return 0;
        }
        return given.time().orElseGet(() -> {
            Controller controller = slurm.controller();
            return conf.isHeldTo(controller) ? Long.MAX_VALUE : controller.started();
        });
    }

    private boolean isMarked(Slurm.Job job) {
        return job.isHeldByUserOrWeir() && slurm.comment(job.id()).startsWith(HELD_BY_USER);
    }

    private Step installPlugins() {
        List<Action> actions = new ArrayList<>();
        for (String name : conf.plugins()) {
            SiteFile file = conf.beside(name);
            String text = resource(name);
            if (!text.equals(file.content())) {
                SiteFile saved = saved(name);
                // On a cluster that is Weir's already it is that of an earlier build.
                if (file.exists() && !saved.exists() && !conf.isWeirs()) {
                    actions.add(new Action("mv " + file + " " + saved, () -> file.moveTo(saved)));
                }
                actions.add(new Action("write " + file, () -> install(file, text)));
            }
        }
        return new Step("Install the plug-ins that hold each job that arrives, and refuse what cannot be", actions);
    }

    private void install(SiteFile file, String text) {
        SiteFile saved = saved(file.path().getFileName().toString());
        if (file.path().endsWith(SlurmConf.POKE)) {
            file.writeScript(text);
        } else if (taken.exists() && saved.exists()) {
            // A controller that runs with the site's own reads it again when it is younger: this one comes with the
            // restart.
            file.write(text, saved.modified());
        } else {
            file.write(text);
        }
    }

    private SiteFile saved(String name) {
        return conf.beside(name + SAVED);
    }

    private Step takeConf() {
        List<Action> actions = new ArrayList<>();
        boolean fresh = !conf.isWeirs();
        if (fresh) {
            actions.add(new Action("add Weir's lines to " + conf.file(), () -> conf.write(conf.taken())));
        }
        if (fresh || isRestartDue()) {
            actions.addAll(restarting(taken));
        } else if (taken.isOpen()) {
            actions.add(closing(taken));
        }
        return new Step("Have Slurm's scheduler take each start at once, and no start of its own", actions);
    }

    /** Says whether the controller does not run by slurm.conf, or does not run after a restart that failed. */
    private boolean isRestartDue() {
        Controller controller;
        try {
            controller = slurm.controller();
        } catch (IllegalStateException e) {
            if (taken.isOpen() || given.isOpen()) {
                return true;
            }
            throw e;
        }
        return conf.difference(controller).isPresent();
    }

    /** Returns what restarts the controller and has the mark, where there is one, tell when that was. */
    private List<Action> restarting(ChangeMark mark) {
        List<Action> actions = new ArrayList<>();
        Action command = command(restart);
        actions.add(new Action(command.words(), () -> {
            if (mark.isOpen()) {
                mark.open(now());
            }
            command.deed().out();
            awaitController();
            if (mark.isOpen()) {
                mark.close(slurm.controller().started());
            }
        }));
        return actions;
    }

    private void awaitController() {
        long deadline = System.nanoTime() + LONGEST_RESTART.toNanos();
        Optional<String> trouble = trouble();
        while (trouble.isPresent()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(String.join(" ", restart) + " did not restart the controller with "
                        + conf.file() + ": " + trouble.get());
            }
            pause();
            trouble = trouble();
        }
    }

    private Optional<String> trouble() {
        try {
            return conf.difference(slurm.controller());
        } catch (IllegalStateException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the controller restarted", e);
        }
    }

    private static Action opening(ChangeMark mark) {
        return new Action("write " + mark.file(), () -> mark.open(now()));
    }

    private Action closing(ChangeMark mark) {
        return new Action(
                "write " + mark.file() + " (when it was)",
                () -> mark.close(slurm.controller().started()));
    }

    private static Action removal(SiteFile file) {
        return new Action("rm " + file, file::delete);
    }

    private Step holdWaiting() {
        List<Slurm.Job> waiting = slurm.jobs().stream()
                .filter(job -> job.isPending() && !job.isHeldByUserOrWeir() && !job.isHeldByAdministrator())
                .toList();
        List<Action> actions = new ArrayList<>(finishingMarks());
        // Whose the holds were before is told by the marks from here on.
        if (given.exists()) {
            actions.add(removal(given.file()));
        }
        String before = priorities().content();
        String after = new QueuePriorities(before).with(waiting).text();
        if (!after.equals(before)) {
            actions.add(new Action("write " + priorities(), () -> priorities().write(after)));
        }
        actions.addAll(all("uhold", ids(waiting)));
        // What has no time at which it became eligible is left out of the accounting when it is cancelled.
        List<Slurm.Job> eligible = waiting.stream()
                .filter(job -> !NOT_ELIGIBLE.contains(job.reason()))
                .toList();
        actions.addAll(all("update", ids(eligible), List.of("StartTime=now")));
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
        boolean everHeld = !taken.isOpen() || isTaken();
        // Of a takeover that was broken off it is known now whose the holds are.
        List<Action> actions = new ArrayList<>(everHeld ? finishingMarks() : List.of());
        boolean weirs = conf.isWeirs();
        if (weirs || isRestartDue()) {
            // Where the plug-ins are gone, the words before the comments are, too, and nobody knows whose the holds
            // are.
            if (everHeld && (weirs || given.exists() || isInstalled())) {
                actions.add(opening(given));
            }
            if (weirs) {
                actions.add(new Action("take Weir's lines out of " + conf.file(), () -> conf.write(conf.given())));
            }
            actions.addAll(restoringPlugins());
            actions.addAll(restarting(given));
        } else if (given.isOpen()) {
            actions.add(closing(given));
        }
        return new Step("Give the scheduler back its settings", actions);
    }

    /** Says whether the controller holds jobs for Weir by an open takeover; one that does not answer does not. */
    private boolean isTaken() {
        try {
            return conf.isHeldTo(slurm.controller());
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private static boolean isOurs(SiteFile file) {
        return resource(file.path().getFileName().toString()).equals(file.content());
    }

    private boolean isInstalled() {
        return SlurmConf.PLUGINS.stream().map(conf::beside).anyMatch(Handover::isOurs);
    }

    private List<Action> restoringPlugins() {
        List<Action> actions = new ArrayList<>();
        for (String name : SlurmConf.PLUGINS) {
            SiteFile file = conf.beside(name);
            SiteFile saved = saved(name);
            if (saved.exists()) {
                actions.add(new Action("mv " + saved + " " + file, () -> saved.moveTo(file)));
            }
        }
        return actions;
    }

    /** What the jobs that waited for Slurm had for priorities. */
    private SiteFile priorities() {
        return conf.beside("weir-priorities");
    }

    private static long now() {
        return System.currentTimeMillis() / 1000;
    }

    private Step removePlugins() {
        List<Action> actions = restoringPlugins();
        for (String name : SlurmConf.PLUGINS) {
            SiteFile file = conf.beside(name);
            if (!saved(name).exists() && isOurs(file)) {
                actions.add(removal(file));
            }
        }
        return new Step("Give back the plug-ins", actions);
    }

    /**
     * What {@link #given} tells of is over when it is gone: from then on a job that is held without a word before its
     * comment is held by its user. The words go last, so that a command that is broken off never takes one for the other.
     */
    private Step releaseWaiting() {
        long until = givenAt();
        List<Action> actions = new ArrayList<>();
        List<Action> words = new ArrayList<>();
        List<Slurm.Job> free = new ArrayList<>();
        // Released by a command that was broken off before it gave them back their priorities, or by an administrator.
        List<Slurm.Job> released = new ArrayList<>();
        for (Slurm.Job job : slurm.jobs()) {
            if (!job.isPending() || job.isHeldByAdministrator()) {
                continue;
            }
            Optional<List<String>> traces = traces(job.id());
            traces.ifPresent(fields -> actions.addAll(restoring(job.id(), fields)));
            if (isMarked(job)) {
                String comment =
                        slurm.comment(job.id()).substring(HELD_BY_USER.length()).strip();
                words.add(update(job.id(), List.of("Comment=" + comment)));
            } else if ((traces.isPresent() || (isHeldForWeir(job) && job.submitted() <= until))
                    && note(job.id()).mark(AdminNote.HOLD).isEmpty()) {
                free.add(job);
            } else if (!job.held()) {
                released.add(job);
            }
        }
        QueuePriorities before = new QueuePriorities(priorities().content());
        free = before.ordered(free);
        // A job that is held takes no priority, so it is released first.
        actions.addAll(all("release", ids(free)));
        actions.addAll(prioritized(before, Stream.concat(free.stream(), released.stream())));
        Stream.of(taken.file(), given.file(), priorities())
                .filter(SiteFile::exists)
                .forEach(file -> actions.add(removal(file)));
        actions.addAll(words);
        return new Step("Release the jobs that wait for Weir, and no other", actions);
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
                actions.add(update(job.id(), List.of("Priority=" + priority.getAsLong())));
            }
        });
        return actions;
    }

    private static boolean isHeldForWeir(Slurm.Job job) {
        return job.isHeldByUserOrWeir() || job.reason().startsWith("job requeued");
    }

    /** A running job cannot be told other nodes: it is held against restarts where it would come back to those of Weir. */
    private Step releaseRunning() {
        List<String> free = new ArrayList<>();
        List<String> bound = new ArrayList<>();
        for (Slurm.Job job : slurm.jobs()) {
            boolean traced = !job.isPending() && traces(job.id()).isPresent();
            if (!job.isPending() && job.held() && !traced) {
                free.add(job.id());
            } else if (traced && !job.held()) {
                bound.add(job.id());
            }
        }
        List<Action> actions = all("release", free);
        actions.addAll(all("uhold", bound));
        return new Step("Let Slurm restart running jobs by itself, but for those bound to nodes of Weir's", actions);
    }

    /** Returns how many running jobs still have a start's own words in them: requeued, they wait for this command. */
    long traced() {
        return slurm.jobs().stream()
                .filter(job -> !job.isPending() && traces(job.id()).isPresent())
                .count();
    }

    /** Returns what puts back what the user of a job asked for, the note about it last. */
    private List<Action> restoring(String job, List<String> fields) {
        if (!JobComponent.isFirst(job)) {
            return List.of(update(job, fields));
        }
        NodeChange nodes = NodeChange.to(note(job).asked().orElseThrow());
        return List.of(
                new Action(
                        "restore the node list of job " + job + " with slurmrestd",
                        () -> slurm.askForNodes(job, nodes)),
                update(job, fields));
    }

    private Optional<List<String>> traces(String job) {
        AdminNote note = note(job);
        return note.asked().map(asked -> {
            List<String> fields = new ArrayList<>(asked.restoring(ANY_TASKS, minutes(slurm.limit(job)), true));
            fields.add("AdminComment=" + note.havingRestored(asked).text());
            return fields;
        });
    }

    private AdminNote note(String job) {
        return AdminNote.parse(slurm.adminComment(job));
    }

    /** Reads {@code [[days-]hours:]minutes:seconds}. */
    private static long minutes(String text) {
        Matcher form = LIMIT.matcher(text);
        if (!form.matches()) {
            return SlurmJob.UNLIMITED_MINUTES;
        }
        return (number(form.group(1)) * 24 + number(form.group(2))) * 60 + number(form.group(3));
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    private Action update(String job, List<String> fields) {
        List<String> command = new ArrayList<>(List.of("scontrol", "update", "JobId=" + job));
        command.addAll(JobComponent.changeable(job, fields));
        return command(command);
    }

    private List<Action> all(String verb, List<String> jobs) {
        return all(verb, jobs, List.of());
    }

    /** Returns what has scontrol do something to all of the jobs, as many at once as it takes. */
    private List<Action> all(String verb, List<String> jobs, List<String> fields) {
        List<Action> actions = new ArrayList<>();
        // A comma within brackets is not told from one between jobs.
        List<String> single = jobs.stream().filter(job -> job.indexOf('[') < 0).toList();
        for (int from = 0; from < single.size(); from += AT_ONCE) {
            actions.add(scontrol(
                    verb, String.join(",", single.subList(from, Math.min(single.size(), from + AT_ONCE))), fields));
        }
        jobs.stream().filter(job -> job.indexOf('[') >= 0).forEach(tasks -> actions.add(scontrol(verb, tasks, fields)));
        return actions;
    }

    private Action scontrol(String verb, String jobs, List<String> fields) {
        List<String> words = new ArrayList<>(List.of("scontrol", verb));
        words.add(fields.isEmpty() ? jobs : "JobId=" + jobs);
        words.addAll(fields);
        return command(words);
    }

    private Action command(List<String> words) {
        return new Action(String.join(" ", words), () -> slurm.run(words));
    }

    private static String resource(String name) {
        try (InputStream stream = SlurmJob.class.getResourceAsStream("/io/weir/rm/slurm/" + name)) {
            if (stream == null) {
                throw new IllegalStateException(name + " is missing in this build");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns how the cluster stands, one line each. */
    List<String> status() {
        List<Slurm.Job> jobs = slurm.jobs();
        List<String> lines = new ArrayList<>();
        lines.add(standing());
        lines.add(count(jobs, "running", job -> !job.isPending()));
        lines.add(count(jobs, "held by their users", job -> job.isPending() && isMarked(job)));
        lines.add(count(jobs, "held by an administrator", job -> job.isPending() && job.isHeldByAdministrator()));
        lines.add(count(
                jobs,
                conf.isWeirs() ? "waiting for Weir" : "held by their users, or for Weir",
                job -> job.isPending() && job.isHeldByUserOrWeir() && !isMarked(job)));
        lines.add(count(
                jobs,
                "waiting for Slurm",
                job -> job.isPending() && !job.isHeldByUserOrWeir() && !job.isHeldByAdministrator()));
        return lines;
    }

    private String standing() {
        String whose = conf.isWeirs() ? "Weir's" : "Slurm's";
        String command = conf.isWeirs() ? "takeover" : "giveback";
        Optional<String> difference = conf.difference(slurm.controller());
        if (difference.isPresent()) {
            return "slurm.conf: " + whose + ", but the controller was not restarted with it: " + difference.get()
                    + ". Call weir slurm " + command + " again.";
        }
        String unfinished = "";
        if (given.exists()) {
            unfinished = "giveback";
        } else if (taken.exists()) {
            unfinished = "takeover";
        }
        return "slurm.conf and controller: the cluster is " + whose
                + (unfinished.isEmpty()
                        ? ""
                        : "; a " + unfinished + " was broken off, call weir slurm " + unfinished + " again");
    }

    private static String count(List<Slurm.Job> jobs, String what, Predicate<Slurm.Job> which) {
        return String.format(
                Locale.ROOT, "%6d jobs %s", jobs.stream().filter(which).count(), what);
    }
}
