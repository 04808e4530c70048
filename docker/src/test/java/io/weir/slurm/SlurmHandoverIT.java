package io.weir.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.command.Main;
import io.weir.command.terminal.ExitCode;
import io.weir.schemas.JobReport;
import io.weir.standalone.PolicyPublisher;
import io.weir.standalone.Standalone;
import io.weir.standalone.TopicContents;
import io.weir.standalone.access.Account;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * A cluster with running and waiting jobs of all kinds is taken over, Weir schedules for a while, and Slurm gets it back: what
 * {@code scontrol show job} says of every job is as before, times apart.
 */
@NullUnmarked
@Tag("soak")
class SlurmHandoverIT {
    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);
    private static final int WAITING = Integer.getInteger("slurm.handover.jobs", 168);
    private static final int RUNNING = 32;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** Times, and what follows from them: when and by whom it was last tried, where it is expected to run. */
    private static final Set<String> PASSING = Set.of(
            "EligibleTime",
            "AccrueTime",
            "StartTime",
            "EndTime",
            "RunTime",
            "LastSchedEval",
            "Scheduler",
            "SchedNodeList",
            "Priority",
            "Reason");

    private static final String[][] KINDS = {
        {"-n1"},
        {"-n6"},
        {"-N2"},
        {"-N2-3", "-n4"},
        {"-N2", "--ntasks-per-node=2"},
        {"-n2", "-c2"},
        {"-w", "n3"},
        {"-x", "n1,n2"},
        {"-C", "fast"},
        {"-C", "fast|slow"},
        {"--prefer=fast"},
        {"--gres=gpu:1"},
        {"-L", "solver:1"},
        {"-p", "short"},
        {"-p", "short,batch"},
        {"--mem=500"},
        {"--mem-per-cpu=300", "-n2"},
        {"--exclusive"},
        {"--nice=100"},
        {"--hold"},
        {"--hold", "--comment=mine"},
        {"--comment=words of mine"},
        {"-d", "singleton", "-J", "alone"},
        {"--begin=now+5hours"},
        {"--array=1-4"},
        {"--array=1-6%2"},
        {"-t", "7", "--time-min=5"},
        {"--deadline=now+9hours", "-t", "10"},
        {"--no-requeue"},
        {"--reservation=later"},
        {"-O", "-n6", "-N1"},
        {"--spread-job", "-n3"},
        {"-n2", ":", "-n1", "-p", "gpu"},
        {"--comment=first", "-w", "n2", ":", "--comment=second", "-N2", "-t", "9"},
        {"--hold", "-n1", ":", "-n1", "--comment=mine"}
    };

    @TempDir
    Path data;

    private SlurmSite slurm;
    private Path restart;

    @BeforeEach
    void startSlurm() throws IOException {
        slurm = SlurmSite.start(Map.of(
                "SLURM_NODES", "8",
                "SLURM_SITE", "mixed",
                "SLURM_HOLD", "0",
                "SLURM_SCHEDULER", "sched/backfill",
                "SLURM_MIN_JOB_AGE", "7200"));
        restart = slurm.directory().resolve("restart");
        Files.writeString(restart, """
                #!/bin/bash
                cluster=%s/rm-connector/src/test/slurm/slurm-cluster
                $cluster %s stop controller
                $cluster %s start controller
                for i in $(seq 300); do
                  sinfo -h -o %%t | grep -qvE 'idle|mix|alloc' || exit 0
                  sleep 0.2
                done
                """.formatted(
                        Path.of("..").toAbsolutePath().normalize(), slurm.directory(), slurm.directory()));
        Files.setPosixFilePermissions(restart, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void stopSlurm() {
        if (slurm != null) {
            slurm.close();
        }
    }

    @Test
    void shouldFindEveryJobAsItWasWhenSlurmHasItBack() throws IOException {
        TreeSet<String> running = new TreeSet<>(Comparator.comparing(SlurmHandoverIT::padded));
        for (int i = 0; i < RUNNING; i++) {
            running.add(slurm.submit("sleep 3000", "-n1", "--mem=400"));
        }
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> slurm.jobs().values().stream()
                        .allMatch(job -> job.state().equals("RUNNING")));
        submitWaiting(running.last());
        SortedMap<String, Map<String, String>> before = shown();

        weir("slurm", "takeover");
        Path plugin = slurm.directory().resolve("job_submit.lua");
        String present = Files.readString(plugin);
        Files.writeString(plugin, present.replaceFirst("--.*", "-- of an earlier build"));
        weir("slurm", "takeover");
        assertThat(plugin).hasContent(present);
        assertThat(slurm.directory().resolve("job_submit.lua.before-weir")).doesNotExist();
        String finished = running.first();
        Set<String> startedByWeir = new HashSet<>();
        try (Standalone weir = slurm.startWeir(data, Map.of(), "SCHEDCFG[weir] MODE=NORMAL\n")) {
            TopicContents topics = new TopicContents(weir.connection(Account.READER), NAMES);
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> topics.read(Topics.RM_JOBS).stream()
                                    .map(JobReport::getJobId)
                                    .distinct()
                                    .count()
                            >= RUNNING + WAITING);
            slurm.run(List.of("scancel", finished));
            await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1)).until(() -> {
                shown().forEach((job, fields) -> {
                    if (fields.get("JobState").equals("RUNNING") && !running.contains(job)) {
                        startedByWeir.add(job);
                    }
                });
                return !startedByWeir.isEmpty();
            });
            new PolicyPublisher(weir.connection(Account.API), NAMES)
                    .publish("site", "SCHEDCFG[weir] MODE=MONITOR\n", "watch.cfg");
            await().pollDelay(Duration.ofSeconds(5)).until(() -> true);
            shown().forEach((job, fields) -> {
                if (!fields.get("JobState").equals("PENDING") && !running.contains(job)) {
                    startedByWeir.add(job);
                }
            });
        }
        Path priorities = slurm.directory().resolve("weir-priorities");
        String kept = Files.readString(priorities);
        weir("slurm", "giveback");
        List<String> order = order(shown());
        // So one leaves it that is broken off when the jobs are released and do not have their priorities again.
        Files.writeString(slurm.directory().resolve("weir-given-back"), "1");
        Files.writeString(priorities, kept);
        slurm.run(List.of("scontrol", "update", "JobId=" + String.join(",", order.subList(0, 20)), "Priority=7"));
        assertThat(order(shown())).isNotEqualTo(order);
        weir("slurm", "giveback");

        SortedMap<String, Map<String, String>> after = shown();
        startedByWeir.add(finished);
        before.keySet().removeAll(startedByWeir);
        after.keySet().retainAll(before.keySet());
        assertThat(after.keySet()).isEqualTo(before.keySet());
        assertThat(differences(before, after)).isEmpty();
        assertThat(order(after)).isEqualTo(order(before));
    }

    private void submitWaiting(String runsOn) {
        slurm.run(List.of(
                "scontrol",
                "create",
                "reservation",
                "ReservationName=later",
                "StartTime=now+600",
                "Duration=600",
                "Users=nobody",
                "Flags=IGNORE_JOBS",
                "Nodes=n8"));
        List<String> jobs = new ArrayList<>();
        for (int i = 0; i < WAITING; i++) {
            List<String> options = new ArrayList<>(List.of(KINDS[i % KINDS.length]));
            jobs.add(slurm.submit("sleep 3000", options.toArray(String[]::new)));
        }
        slurm.submit("sleep 3000", "-d", "afterok:" + runsOn);
        // Of the plain ones some are an administrator's to hold, some have a word of his own, some a place of their
        // own.
        slurm.run(List.of("scontrol", "hold", jobs.get(KINDS.length)));
        slurm.run(List.of("scontrol", "update", "JobId=" + jobs.get(1), "AdminComment=ticket 7"));
        slurm.run(List.of("scontrol", "update", "JobId=" + jobs.get(2 * KINDS.length + 1), "Priority=5000"));
        slurm.run(List.of("scontrol", "top", jobs.get(2 * KINDS.length + 2)));
    }

    private void weir(String... words) {
        StringWriter said = new StringWriter();
        List<String> line = new ArrayList<>(List.of(words));
        line.addAll(List.of(
                "--yes",
                "--conf",
                slurm.directory().resolve("slurm.conf").toString(),
                "--restart",
                restart.toString()));
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(said, true));
        command.setErr(new PrintWriter(said, true));
        assertThat(command.execute(line.toArray(String[]::new)))
                .as("%s: %s", line, said)
                .isEqualTo(ExitCode.FINE);
    }

    /** Returns what scontrol shows of each job, and of the tasks of an array that have no record of their own. */
    private SortedMap<String, Map<String, String>> shown() {
        SortedMap<String, Map<String, String>> shown = new TreeMap<>(Comparator.comparing(SlurmHandoverIT::padded));
        for (String line :
                slurm.run(List.of("scontrol", "-d", "-o", "show", "jobs")).split("\n")) {
            Map<String, String> fields = new TreeMap<>();
            Matcher matcher = Pattern.compile("(?:^| )([A-Z][\\w:/]*)=(.*?)(?= [A-Z][\\w:/]*=|$)")
                    .matcher(line);
            while (matcher.find()) {
                fields.putIfAbsent(matcher.group(1), matcher.group(2).strip());
            }
            // A comment can be emptied, but not taken away again.
            fields.remove("Comment", "");
            fields.remove("AdminComment", "");
            if (fields.containsKey("JobId")) {
                shown.put(fields.get("JobId"), fields);
            }
        }
        return shown;
    }

    private static String padded(String number) {
        return "0".repeat(Math.max(0, 9 - number.length())) + number;
    }

    private static List<String> differences(
            Map<String, Map<String, String>> before, Map<String, Map<String, String>> after) {
        List<String> differences = new ArrayList<>();
        before.forEach((job, fields) -> {
            Map<String, String> then = after.get(job);
            Set<String> names = new TreeSet<>(fields.keySet());
            names.addAll(then.keySet());
            names.removeAll(PASSING);
            for (String name : names) {
                if (!String.valueOf(fields.get(name)).equals(String.valueOf(then.get(name)))) {
                    differences.add(job + " " + name + ": " + fields.get(name) + " -> " + then.get(name));
                }
            }
            if (!heldBy(fields).equals(heldBy(then))) {
                differences.add(job + " " + fields.get("Reason") + " -> " + then.get("Reason"));
            }
        });
        return differences;
    }

    /** A hold by its reason: whose it is has to be as before. */
    private static String heldBy(Map<String, String> fields) {
        return fields.get("Reason").startsWith("JobHeld") ? fields.get("Reason") : "";
    }

    /** Returns the jobs that wait for nodes, the first to be looked at first; without those whose nice value puts them behind. */
    private static List<String> order(Map<String, Map<String, String>> shown) {
        return shown.entrySet().stream()
                .filter(job -> job.getValue().get("JobState").equals("PENDING")
                        && job.getValue().get("Nice").equals("0")
                        && Long.parseLong(job.getValue().get("Priority")) > 0)
                .sorted(Comparator.<Map.Entry<String, Map<String, String>>>comparingLong(
                                job -> -Long.parseLong(job.getValue().get("Priority")))
                        .thenComparing(job -> padded(job.getKey())))
                .map(Map.Entry::getKey)
                .toList();
    }
}
