package io.weir.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.command.Main;
import io.weir.command.terminal.ExitCode;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.RmCommand;
import io.weir.schemas.TaskPlacement;
import io.weir.standalone.Standalone;
import io.weir.standalone.TopicContents;
import io.weir.standalone.access.Account;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.assertj.core.data.TemporalUnitOffset;
import org.assertj.core.data.TemporalUnitWithinOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Heterogeneous jobs between sbatch and slurmd: all components at one instant, each where Weir decided. */
class SlurmComponentsIT {
    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Each component is started by a call of its own. */
    private static final TemporalUnitOffset TOGETHER = new TemporalUnitWithinOffset(5, ChronoUnit.SECONDS);

    private static final String[][] SHAPES = {
        {"-n2", ":", "-n3"},
        {"-n4"},
        {"-p", "short", "-t", "5", "-N2", ":", "-p", "gpu", "-t", "5", "--gres=gpu:1", ":", "-n1"},
        {"-n6"},
        {"-C", "slow", "-n4", ":", "-C", "fast", "-n1", "--exclusive"},
        {"-n1", ":", "-n1", ":", "-n1", ":", "-n1"}
    };

    @TempDir
    Path data;

    private SlurmSite slurm;

    @BeforeEach
    void startSlurm() {
        slurm = SlurmSite.start(Map.of("SLURM_NODES", "8", "SLURM_SITE", "mixed", "SLURM_MIN_JOB_AGE", "3600"));
    }

    @AfterEach
    void stopSlurm() {
        if (slurm != null) {
            slurm.close();
        }
    }

    @Test
    void shouldRunAllComponentsTogetherWhereDecided() {
        Set<String> submitted = new TreeSet<>();
        Map<String, Map<Integer, Set<String>>> decided;
        try (Standalone weir = slurm.startWeir(data, Map.of("connector.poll.interval.ms", "250"))) {
            for (int i = 0; i < 4 * SHAPES.length; i++) {
                submitted.add(slurm.submit("sleep 0." + i % 10, SHAPES[i % SHAPES.length]));
            }
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> slurm.jobs().values().stream()
                            .allMatch(job -> job.state().equals("COMPLETED")));
            TopicContents topics = new TopicContents(weir.connection(Account.READER), NAMES);
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(started(topics).keySet()).containsExactlyElementsOf(submitted));
            decided = started(topics);
            assertThat(topics.read(Topics.DEAD_LETTERS)).isEmpty();
        }
        for (String job : submitted) {
            List<Map<String, String>> components = shown(job);
            assertThat(components)
                    .as("components of job %s", job)
                    .hasSameSizeAs(decided.get(job).values());
            LocalDateTime first = LocalDateTime.parse(components.get(0).get("StartTime"));
            assertThat(components.stream().map(component -> LocalDateTime.parse(component.get("StartTime"))))
                    .as("starts of job %s", job)
                    .allSatisfy(start -> assertThat(start).isCloseTo(first, TOGETHER));
            Set<String> all = new TreeSet<>();
            for (int i = 0; i < components.size(); i++) {
                Set<String> nodes = names(components.get(i).get("NodeList"));
                assertThat(nodes)
                        .as("nodes of component %s of job %s", i, job)
                        .isEqualTo(decided.get(job).get(i));
                assertThat(all).doesNotContainAnyElementsOf(nodes);
                all.addAll(nodes);
            }
        }
    }

    /** The nodes of the first component alone are out of scontrol's reach. */
    @Test
    void shouldGiveBackComponentsWithTheNodesThatTheirUserAskedFor() {
        String job = slurm.submit("sleep 1000", "-n1", ":", "-n1", "--comment=second");
        String asked = "[weir,start=c/1/0@0,asked=n%3A1-0%3Bk%3A1%3Bw%3An";
        slurm.run(List.of("scontrol", "update", "JobId=" + job + "+0", "AdminComment=" + asked + "1]"));
        slurm.run(List.of(
                "scontrol",
                "update",
                "JobId=" + (Long.parseLong(job) + 1),
                "AdminComment=" + asked + "2]",
                "ReqNodeList=n3",
                "NumNodes=1-1"));

        CommandLine command = Main.commandLine();
        assertThat(command.execute(
                        "slurm",
                        "giveback",
                        "--yes",
                        "--conf",
                        slurm.directory().resolve("slurm.conf").toString(),
                        "--restart",
                        "true"))
                .isEqualTo(ExitCode.FINE);

        List<Map<String, String>> components = shown(job);
        assertThat(components)
                .extracting(component -> component.get("ReqNodeList"))
                .containsExactly("n1", "n2");
        assertThat(components)
                .extracting(component -> component.get("AdminComment"))
                .allSatisfy(note -> assertThat(note).contains("restored=").doesNotContain("asked="));
        assertThat(components)
                .extracting(component -> component.get("Priority"))
                .doesNotContain("0");
        assertThat(components.get(1)).containsEntry("Comment", "second");
    }

    /** Returns the nodes of each requirement, by job, of the starts that were carried out. */
    private static Map<String, Map<Integer, Set<String>>> started(TopicContents topics) {
        Set<String> done = topics.read(Topics.RESULTS).stream()
                .filter(result -> result.getOutcome() == CommandOutcome.DONE)
                .map(CommandResult::getCommandId)
                .collect(Collectors.toSet());
        Map<String, Map<Integer, Set<String>>> started = new TreeMap<>();
        for (RmCommand command : topics.read(Topics.COMMANDS)) {
            if (command.getKind() == CommandKind.START_JOB && done.contains(command.getCommandId())) {
                Map<Integer, Set<String>> nodes = new TreeMap<>();
                for (TaskPlacement placed : command.getPlacements()) {
                    nodes.computeIfAbsent(placed.getRequirement(), requirement -> new TreeSet<>())
                            .add(placed.getNodeId());
                }
                started.put(command.getJobId(), nodes);
            }
        }
        return started;
    }

    /** Returns what scontrol shows of a job, of its components in their order. */
    private List<Map<String, String>> shown(String job) {
        List<Map<String, String>> shown = new ArrayList<>();
        slurm.run(List.of("scontrol", "-o", "show", "job", job))
                .lines()
                .sorted()
                .forEach(line -> {
                    Map<String, String> fields = new TreeMap<>();
                    for (String word : line.split(" ", -1)) {
                        int equals = word.indexOf('=');
                        if (equals > 0) {
                            fields.putIfAbsent(word.substring(0, equals), word.substring(equals + 1));
                        }
                    }
                    shown.add(fields);
                });
        shown.sort((a, b) -> Integer.compare(offset(a), offset(b)));
        return shown;
    }

    private static int offset(Map<String, String> fields) {
        return Integer.parseInt(fields.getOrDefault("HetJobOffset", "0"));
    }

    private Set<String> names(String list) {
        return slurm.run(List.of("scontrol", "show", "hostnames", list))
                .lines()
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
