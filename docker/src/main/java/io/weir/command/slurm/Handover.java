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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
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
    private static final String HELD_BY_USER = "[held by user]";
    private static final int AT_ONCE = 500;
    private static final String SAVED = ".before-weir";
    private static final Pattern LIMIT = Pattern.compile("(?:(?:(\\d{1,6})-)?(\\d{1,6}):)?(\\d{1,9}):\\d\\d");

    /** Why Slurm itself would not count a job as eligible. */
    private static final Set<String> NOT_ELIGIBLE = Set.of("Dependency", "DependencyNeverSatisfied", "BeginTime");

    /** No job has so many tasks: their number is always put back. */
    private static final int ANY_TASKS = -1;

    private final Slurm slurm;
    private final SlurmConf conf;
    private final List<String> restart;

    Handover(Slurm slurm, SlurmConf conf, String restart) {
        this.slurm = slurm;
        this.conf = conf;
        this.restart = Arrays.asList(restart.split(" ", -1));
    }

    /** Returns the steps of a takeover; each is asked for when the one before is done. */
    List<Supplier<Step>> takeover() {
        return List.of(this::markHolds, this::installPlugins, this::takeConf, this::holdWaiting);
    }

    /** Returns the steps of the way back. */
    List<Supplier<Step>> giveback() {
        return List.of(this::giveConf, this::removePlugins, this::releaseWaiting, this::releaseRunning);
    }

    private Step markHolds() {
        List<Action> actions = new ArrayList<>();
        if (!conf.isWeirs()) {
            for (Slurm.Job job : slurm.jobs()) {
                if (job.isPending() && job.isHeldByUserOrWeir() && !isMarked(job)) {
                    String comment = HELD_BY_USER + " " + slurm.comment(job.id());
                    actions.add(update(job.id(), List.of("Comment=" + comment.strip())));
                }
            }
        }
        return new Step("Remember which jobs their users hold", actions);
    }

    private boolean isMarked(Slurm.Job job) {
        return job.isHeldByUserOrWeir() && slurm.comment(job.id()).startsWith(HELD_BY_USER);
    }

    private Step installPlugins() {
        List<Action> actions = new ArrayList<>();
        for (String name : conf.plugins()) {
            Path file = conf.file().resolveSibling(name);
            String text = resource(name);
            if (!text.equals(content(file))) {
                Path saved = conf.file().resolveSibling(name + SAVED);
                // On a cluster that is Weir's already it is that of an earlier build.
                if (Files.exists(file) && !Files.exists(saved) && !conf.isWeirs()) {
                    actions.add(new Action("mv " + file + " " + saved, () -> move(file, saved)));
                }
                actions.add(new Action("write " + file, () -> write(file, text)));
            }
        }
        return new Step("Install the plug-ins that hold each job that arrives, and refuse what cannot be", actions);
    }

    private Step takeConf() {
        List<Action> actions = new ArrayList<>();
        if (!conf.isWeirs()) {
            actions.add(new Action("add Weir's lines to " + conf.file(), () -> conf.write(conf.taken())));
            actions.add(command(restart));
        }
        return new Step("Have Slurm's scheduler take each start at once, and no start of its own", actions);
    }

    private Step holdWaiting() {
        List<Slurm.Job> waiting = slurm.jobs().stream()
                .filter(job -> job.isPending() && !job.isHeldByUserOrWeir() && !job.isHeldByAdministrator())
                .toList();
        List<Action> actions = new ArrayList<>();
        String before = content(priorities());
        String after = new QueuePriorities(before).with(waiting).text();
        if (!after.equals(before)) {
            actions.add(new Action("write " + priorities(), () -> write(priorities(), after)));
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

    private Step giveConf() {
        List<Action> actions = new ArrayList<>();
        if (conf.isWeirs()) {
            actions.add(new Action("write " + given() + " (when it was)", () -> write(given(), now())));
            actions.add(new Action("take Weir's lines out of " + conf.file(), () -> conf.write(conf.given())));
            actions.add(command(restart));
        }
        return new Step("Give the scheduler back its settings", actions);
    }

    private Path given() {
        return conf.file().resolveSibling("weir-given-back");
    }

    /** What the jobs that waited for Slurm had for priorities. */
    private Path priorities() {
        return conf.file().resolveSibling("weir-priorities");
    }

    private static String now() {
        return Long.toString(System.currentTimeMillis() / 1000);
    }

    private Step removePlugins() {
        List<Action> actions = new ArrayList<>();
        for (String name : SlurmConf.PLUGINS) {
            Path file = conf.file().resolveSibling(name);
            Path saved = conf.file().resolveSibling(name + SAVED);
            if (Files.exists(saved)) {
                actions.add(new Action("mv " + saved + " " + file, () -> move(saved, file)));
            } else if (resource(name).equals(content(file))) {
                actions.add(new Action("rm " + file, () -> delete(file)));
            }
        }
        return new Step("Give back the plug-ins", actions);
    }

    /**
     * What the file {@link #given} tells of is over when it is gone: from then on a job that is held without a word before its
     * comment is held by its user. The words go last, so that a command that is broken off never takes one for the other.
     */
    private Step releaseWaiting() {
        String then = content(given()).strip();
        long until = then.matches("\\d{1,12}") ? Long.parseLong(then) : 0;
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
                words.add(update(job.id(), List.of("Comment=" + (comment.isEmpty() ? " " : comment))));
            } else if ((traces.isPresent() || (isHeldForWeir(job) && job.submitted() <= until))
                    && note(job.id()).mark(AdminNote.HOLD).isEmpty()) {
                free.add(job);
            } else if (!job.held()) {
                released.add(job);
            }
        }
        QueuePriorities before = new QueuePriorities(content(priorities()));
        free = before.ordered(free);
        // A job that is held takes no priority, so it is released first.
        actions.addAll(all("release", ids(free)));
        actions.addAll(prioritized(before, Stream.concat(free.stream(), released.stream())));
        for (Path file : List.of(given(), priorities())) {
            if (Files.exists(file)) {
                actions.add(new Action("rm " + file, () -> delete(file)));
            }
        }
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

    private static String content(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
            if (file.endsWith(SlurmConf.POKE)) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns how the cluster stands, one line each. */
    List<String> status() {
        List<Slurm.Job> jobs = slurm.jobs();
        List<String> lines = new ArrayList<>();
        lines.add("slurm.conf: " + (conf.isWeirs() ? "the cluster is Weir's" : "the cluster is Slurm's"));
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

    private static String count(List<Slurm.Job> jobs, String what, Predicate<Slurm.Job> which) {
        return String.format(
                Locale.ROOT, "%6d jobs %s", jobs.stream().filter(which).count(), what);
    }
}
