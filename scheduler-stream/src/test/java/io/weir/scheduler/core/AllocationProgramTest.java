package io.weir.scheduler.core;

import static io.weir.scheduler.core.NodeAllocationTest.nodesOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.state.EntityKind;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.PluginAnswer;
import io.weir.schemas.PluginChoice;
import io.weir.schemas.PluginQuestion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A site's own program chooses nodes: it is asked by an output and answers by a fact. */
@NullUnmarked
class AllocationProgramTest {
    /** Takes the candidates by name, lowest first, whatever the scheduler would. */
    private static final String BY_NAME = """
            grep -o '"id":"[^"]*"' | cut -d'"' -f4 | sort | awk 'BEGIN { printf "{\\"nodes\\":[" }
                { printf "%s\\"%s\\"", (NR > 1 ? "," : ""), $1 } END { print "]}" }'
            """;

    @TempDir
    Path directory;

    @Test
    @Feature("ALLOC-27")
    void shouldTakeTheNodesTheProgramNames() throws IOException {
        SchedulerFixture weir = site(BY_NAME, "").nodes(6, 1);
        weir.submit("j", 2, 100).submit("k", 2, 100).iterate(0);
        assertThat(nodesOf(weir, "j")).containsExactlyInAnyOrder("n1", "n2");
        assertThat(nodesOf(weir, "k")).containsExactlyInAnyOrder("n3", "n4");
        assertThat(weir.lastNotifications()).noneMatch(AllocationProgramTest::failed);
    }

    @Test
    @Feature("ALLOC-27")
    void shouldTellTheProgramOfTheJobAndItsNodes() throws IOException {
        Path heard = directory.resolve("heard");
        SchedulerFixture weir = site(
                        "tee " + heard + " > /dev/null; echo '{\"nodes\":[{\"node\":\"n1\",\"tasks\":2}]}'",
                        "ARGS=by-rack")
                .node(
                        "n1",
                        4,
                        NodeState.IDLE,
                        node -> node.setFeatures(List.of("fast"))
                                .setMemoryMb(2048L)
                                .setLoad(0.25));
        weir.submit("j", 2, 100, job -> job.setAccount("physics")).iterate(0);
        assertThat(Files.readString(heard))
                .contains("\"jobId\":\"j\"", "\"account\":\"physics\"", "\"tasks\":2", "\"arguments\":\"by-rack\"")
                .contains(
                        "\"id\":\"n1\"", "\"room\":4", "\"features\":[\"fast\"]", "\"load\":0.25", "\"memoryMb\":2048");
        assertThat(nodesOf(weir, "j")).containsExactly("n1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "echo '{\"nodes\":[\"nowhere\"]}'                      | node nowhere is no candidate",
                "echo '{\"nodes\":[{\"node\":\"n1\",\"tasks\":9}]}'    | 9 tasks on node n1, which has room for 1",
                "echo '{\"nodes\":[\"n1\",\"n1\"]}'                    | named twice",
                "echo hello                                            | no JSON: hello",
                "echo '{}'                                             | without a list",
                "echo broken >&2; exit 3                               | exit code 3: broken",
                "sleep 60                                              | took longer than 1 s",
                "sleep 60 & wait                                       | took longer than 1 s",
                "cat /dev/zero                                         | wrote more than 1048576 bytes"
            })
    @Feature("ALLOC-27")
    void shouldFallBackWhenTheProgramBreaksTheRules(String program, String why) throws IOException {
        SchedulerFixture weir = site(program, "TIMEOUT=1").nodes(4, 1);
        weir.submit("j", 1, 100).iterate(0);
        assertThat(nodesOf(weir, "j")).containsExactly("n4");
        assertThat(weir.lastNotifications())
                .filteredOn(AllocationProgramTest::failed)
                .singleElement()
                .satisfies(notice -> assertThat(notice.getText()).contains(why, "job j", "LASTAVAILABLE"));
    }

    @Test
    @Feature("ALLOC-27")
    void shouldNotStartAProgramThatTheServiceDoesNotList() throws IOException {
        Path ran = directory.resolve("ran");
        Path script = script("touch " + ran);
        SchedulerFixture weir = new SchedulerFixture()
                .policy("NODEALLOCATIONPOLICY PLUGIN:own\nNODEALLOCPLUGIN[own] EXEC=exec://" + script)
                .nodes(4, 1);
        weir.submit("j", 1, 100).iterate(0);
        assertThat(ran).doesNotExist();
        assertThat(nodesOf(weir, "j")).containsExactly("n4");
        assertThat(weir.lastNotifications())
                .filteredOn(AllocationProgramTest::failed)
                .singleElement()
                .satisfies(notice -> assertThat(notice.getText()).contains(script.toString(), "plugin.programs"));
    }

    @Test
    @Feature("ALLOC-27")
    void shouldFallBackWhenThereIsNoSuchProgram() {
        SchedulerFixture weir = new SchedulerFixture()
                .programsOf(directory)
                .policy("NODEALLOCATIONPOLICY PLUGIN:own\nNODEALLOCPLUGIN[own] EXEC=exec:///does/not/exist")
                .nodes(4, 1);
        weir.submit("j", 1, 100).iterate(0);
        assertThat(nodesOf(weir, "j")).containsExactly("n4");
        assertThat(weir.lastNotifications()).anyMatch(AllocationProgramTest::failed);
    }

    @Test
    @Feature("ALLOC-27")
    void shouldKeepNodesForAJobWhoseProgramHasNotAnswered() throws IOException {
        SchedulerFixture weir = site(BY_NAME, "").nodes(2, 1);
        weir.submit("first", 2, 100).submit("second", 1, 10).iterateSilently(0);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.lastQuestions())
                .filteredOn(PluginQuestion::getImmediate)
                .extracting(PluginQuestion::getJobId)
                .containsExactly("first");
        weir.iterateSilently(1);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.lastQuestions()).as("asked once").isEmpty();
    }

    @Test
    @Feature("ALLOC-27")
    void shouldTakeTheFirstAnswerOnly() throws IOException {
        SchedulerFixture weir = site(BY_NAME, "").nodes(3, 1);
        weir.submit("j", 1, 100).iterateSilently(0);
        PluginQuestion question = weir.lastQuestions().get(0);
        weir.fact(answer(question, "n2"));
        weir.fact(answer(question, "n1"));
        weir.iterateSilently(1);
        weir.fact(answer(question, "n3"));
        weir.iterateSilently(2);
        assertThat(nodesOf(weir, "j")).containsExactly("n2");
        assertThat(weir.started()).isEmpty();
    }

    @Test
    @Feature("ALLOC-27")
    void shouldGiveUpAProgramThatNobodyRuns() throws IOException {
        SchedulerFixture weir = site(BY_NAME, "TIMEOUT=20").nodes(3, 1);
        weir.submit("j", 1, 1000).iterateSilently(0);
        assertThat(weir.lastResult.nextWake()).isEqualTo(SchedulerFixture.at(50));
        weir.iterateSilently(49);
        assertThat(weir.started()).isEmpty();
        weir.iterateSilently(50);
        assertThat(nodesOf(weir, "j")).containsExactly("n3");
        assertThat(weir.lastNotifications()).anyMatch(AllocationProgramTest::failed);
    }

    @Test
    @Feature("ALLOC-27")
    void shouldAskAgainWhenTheNodesChosenAreGone() throws IOException {
        SchedulerFixture weir = site(BY_NAME, "").nodes(3, 1);
        weir.submit("j", 1, 100).iterateSilently(0);
        PluginQuestion question = weir.lastQuestions().get(0);
        weir.fact(answer(question, "n1"));
        weir.node("n1", 1, NodeState.DOWN).iterate(1);
        assertThat(nodesOf(weir, "j")).containsExactly("n2");
    }

    @Test
    @Feature("ALLOC-27")
    void shouldWaitWhenTheProgramWantsNoNodeAndAskAgainWhenOthersComeFree() throws IOException {
        String unlessThree =
                "n=$(grep -o '\"id\":' | wc -l); [ $n -ge 3 ] && echo '{\"nodes\":[\"n2\"]}' || echo '{\"nodes\":[]}'";
        SchedulerFixture weir = site(unlessThree, "").nodes(3, 1).adopt("other", 1, 1000, 0, "n1");
        weir.submit("j", 1, 100).iterate(0);
        assertThat(nodesOf(weir, "j")).isEmpty();
        assertThat(weir.lastNotifications()).noneMatch(AllocationProgramTest::failed);
        weir.iterateSilently(10);
        assertThat(weir.lastQuestions()).as("nothing changed").isEmpty();
        weir.end("other", 20).iterate(20);
        assertThat(nodesOf(weir, "j")).containsExactly("n2");
    }

    @Test
    @Feature("ALLOC-27")
    void shouldReserveTheNodesTheProgramNames() throws IOException {
        SchedulerFixture weir = site(BY_NAME, "").nodes(3, 1);
        for (int i = 1; i <= 3; i++) {
            weir.adopt("r" + i, 1, 500, 0, "n" + i);
        }
        weir.submit("j", 2, 100).iterate(0);
        assertThat(weir.reservedStart("j")).isEqualTo(500);
        assertThat(weir.publishedReservations.get("j").getPlacements())
                .extracting(io.weir.schemas.TaskPlacement::getNodeId)
                .containsExactly("n1", "n2");
        weir.iterateSilently(10);
        assertThat(weir.lastQuestions()).isEmpty();
    }

    @Test
    @Feature("ALLOC-27")
    void shouldLetAJobOrAPartitionHaveItsOwnProgram() throws IOException {
        Path script = script(BY_NAME);
        SchedulerFixture weir = new SchedulerFixture()
                .programsOf(directory)
                .policy("NODEALLOCPLUGIN[own] EXEC=" + script + "\nPARCFG[p] NODEALLOCATIONPOLICY=PLUGIN:own")
                .nodes(3, 1)
                .node("p1", 1, NodeState.IDLE, node -> node.setPartition("p"))
                .node("p2", 1, NodeState.IDLE, node -> node.setPartition("p"));
        weir.submit("plain", 1, 100).submit("own", 1, 100, job -> job.setExtension("nallocpolicy=PLUGIN:own"));
        weir.submit("there", 1, 100, job -> job.setPartitions(List.of("p"))).iterate(0);
        assertThat(nodesOf(weir, "plain")).doesNotContain("n1");
        assertThat(nodesOf(weir, "own")).containsExactly("n1");
        assertThat(nodesOf(weir, "there")).containsExactly("p1");
    }

    @Test
    @Feature("ALLOC-27")
    void shouldForgetWhatWasAskedForAJobThatIsGone() throws IOException {
        SchedulerFixture weir = site(BY_NAME, "").nodes(3, 1);
        weir.submit("j", 1, 100).iterateSilently(0);
        assertThat(advice(weir)).isEqualTo(1);
        PluginQuestion question = weir.lastQuestions().get(0);
        weir.report("j", JobState.CANCELLED, Long.MAX_VALUE).iterateSilently(1);
        weir.fact(answer(question, "n1"));
        weir.iterateSilently(2);
        assertThat(advice(weir)).isZero();
    }

    @Test
    @Feature("ALLOC-27")
    void shouldDecideTheSameAfterARebuildBetweenQuestionAndAnswer() throws IOException {
        SchedulerFixture weir = site(BY_NAME, "").nodes(6, 1).rebuildingAlways();
        weir.submit("j", 2, 100).submit("k", 2, 100).submit("l", 4, 50).iterate(0);
        assertThat(nodesOf(weir, "j")).containsExactlyInAnyOrder("n1", "n2");
        assertThat(nodesOf(weir, "k")).containsExactlyInAnyOrder("n3", "n4");
        assertThat(weir.reservedStart("l")).isEqualTo(100);
        assertThat(weir.publishedReservations.get("l").getPlacements()).hasSize(4);
    }

    private static long advice(SchedulerFixture weir) {
        return weir.snapshot().stream()
                .filter(change -> change.kind() == EntityKind.ADVICE)
                .count();
    }

    private static PluginAnswer answer(PluginQuestion question, String node) {
        return new PluginAnswer(
                SchedulerFixture.CLUSTER,
                question.getQuestionId(),
                question.getJobId(),
                SchedulerFixture.at(0),
                null,
                List.of(new PluginChoice(node, 1)));
    }

    private static boolean failed(Notification notice) {
        return notice.getEvent().equals("allocpluginfailure");
    }

    private SchedulerFixture site(String program, String attributes) throws IOException {
        return new SchedulerFixture()
                .programsOf(directory)
                .policy("NODEALLOCATIONPOLICY PLUGIN:own\nNODEALLOCPLUGIN[own] EXEC=" + script(program) + " "
                        + attributes);
    }

    private Path script(String text) throws IOException {
        Path script = directory.resolve("choose");
        Files.writeString(script, "#!/bin/sh\n" + text + "\n");
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
