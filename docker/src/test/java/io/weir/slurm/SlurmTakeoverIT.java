package io.weir.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.Decision;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
import io.weir.standalone.Connection;
import io.weir.standalone.Standalone;
import io.weir.standalone.TopicContents;
import io.weir.standalone.access.Account;
import io.weir.standalone.drill.TopicsAudit;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Broker, registry, scheduler and connector between sbatch and slurmd: what Weir decides is what Slurm runs. */
class SlurmTakeoverIT {
    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);
    private static final int JOBS = Integer.getInteger("slurm.jobs", 200);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final String[][] SHAPES = {
        {"-n1"}, {"-n2"}, {"-n4"}, {"-n6"}, {"-N2", "-n8"}, {"-n2", "-c2"}, {"-n1", "-c4"}, {"-n9"}, {"-n3", "-t", "1"}
    };

    @TempDir
    Path data;

    private SlurmSite slurm;

    @BeforeEach
    void startSlurm() throws Exception {
        slurm = SlurmSite.start(Map.of("SLURM_NODES", "16", "SLURM_MIN_JOB_AGE", "3600"));
    }

    @AfterEach
    void stopSlurm() {
        if (slurm != null) {
            slurm.close();
        }
    }

    @Test
    void shouldRunEveryJobOnceOnTheNodesDecided() throws Exception {
        Path ran = slurm.directory().resolve("ran");
        slurm.run(List.of("install", "-o", "nobody", "/dev/null", ran.toString()));
        Set<String> submitted = new TreeSet<>();
        List<String> problems;
        try (Standalone weir = slurm.startWeir(data, Map.of("connector.poll.interval.ms", "250"))) {
            Connection connection = weir.connection(Account.READER);
            for (int i = 0; i < JOBS; i++) {
                submitted.add(
                        slurm.submit("echo $SLURM_JOB_ID >>" + ran + "; sleep 0." + i % 10, SHAPES[i % SHAPES.length]));
            }
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> slurm.jobs().values().stream()
                            .allMatch(job -> job.state().equals("COMPLETED")));
            assertThat(weir.isHealthy()).isTrue();
            // Slurm knows of the last end before its start is answered.
            await().atMost(Duration.ofMinutes(1))
                    .pollInterval(Duration.ofSeconds(2))
                    .untilAsserted(() -> assertEachRanWhereDecided(connection, submitted));
            problems = TopicsAudit.problems(connection, NAMES);
            assertThat(new TopicContents(connection, NAMES).read(Topics.DEAD_LETTERS))
                    .extracting(DeadLetter::toString)
                    .isEmpty();
        }
        assertThat(Files.readAllLines(ran)).containsExactlyInAnyOrderElementsOf(submitted);
        assertThat(problems).isEmpty();
    }

    /** Polls are a minute apart: submission, start and end are seen by the pokes of Slurm's scripts. */
    @Test
    void shouldSeeAtOnceWhatSlurmPokesAbout() {
        Map<String, String> settings = Map.of(
                "connector.poll.interval.ms",
                "60000",
                "connector.poke.file",
                slurm.directory().resolve("poke").toString());
        try (Standalone weir = slurm.startWeir(data, settings)) {
            TopicContents topics = new TopicContents(weir.connection(Account.READER), NAMES);
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> !topics.read(Topics.RM_NODES).isEmpty());

            String job = slurm.submit("sleep 2");

            await().atMost(Duration.ofSeconds(40))
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> topics.read(Topics.RM_JOBS).stream()
                            .anyMatch(report ->
                                    report.getJobId().equals(job) && report.getState() == JobState.COMPLETED));
        }
    }

    /** One start of each job took effect, as decided; Slurm's record names the same nodes. */
    private void assertEachRanWhereDecided(Connection connection, Set<String> submitted) {
        TopicContents topics = new TopicContents(connection, NAMES);
        Map<String, RmCommand> commands = new HashMap<>();
        topics.read(Topics.COMMANDS).forEach(command -> commands.put(command.getCommandId(), command));
        Map<String, Decision> decisions = new HashMap<>();
        topics.read(Topics.DECISIONS).stream()
                .filter(decision -> decision.getKind() == DecisionKind.START)
                .forEach(decision -> decisions.put(decision.getCommandId(), decision));
        Map<String, TreeSet<String>> decided = new HashMap<>();
        Set<String> answered = new HashSet<>();
        for (CommandResult result : topics.read(Topics.RESULTS)) {
            if (!answered.add(result.getCommandId())) {
                continue;
            }
            RmCommand command = commands.get(result.getCommandId());
            assertThat(command).as("the command behind %s", result).isNotNull();
            if (command.getKind() == CommandKind.START_JOB && result.getOutcome() == CommandOutcome.DONE) {
                assertThat(command.getAllocation())
                        .isEqualTo(decisions.get(command.getCommandId()).getAllocation());
                assertThat(decided.put(command.getJobId(), names(command.getAllocation())))
                        .as("an earlier start of job %s", command.getJobId())
                        .isNull();
            }
        }
        assertThat(decided.keySet()).containsExactlyInAnyOrderElementsOf(submitted);
        Map<Long, SlurmSite.SlurmRecord> record = slurm.jobs();
        assertThat(record).hasSize(submitted.size());
        assertThat(record.values()).allSatisfy(job -> {
            assertThat(job.restarts()).isZero();
            assertThat(job.nodes()).as("nodes of job %s", job.id()).isEqualTo(decided.get(job.id()));
        });
    }

    private static TreeSet<String> names(List<NodeAllocation> allocation) {
        TreeSet<String> names = new TreeSet<>();
        allocation.forEach(node -> names.add(node.getNodeId()));
        return names;
    }
}
