package io.weir.scheduler.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.plugin.PluginPrograms;
import io.weir.scheduler.plugin.Plugins;
import io.weir.scheduler.stream.FakeConnector;
import io.weir.scheduler.stream.StreamHarness;
import io.weir.schemas.PluginAnswer;
import io.weir.schemas.PluginQuestion;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.RmCommand;
import io.weir.topics.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a site's program answered is in the journal: a replay needs neither the program nor its mood. */
class AuditedPluginTest {
    @TempDir
    Path directory;

    private final StreamHarness harness = StreamHarness.wall();
    private Plugins plugins;
    private Path program;

    @BeforeEach
    void run() throws IOException {
        program = directory.resolve("choose");
        plugins = new Plugins(PluginPrograms.of(List.of(directory.toString())), Map.of("PATH", System.getenv("PATH")));
        Files.writeString(program, "#!/bin/sh\necho '{\"nodes\":[\"n1\"]}'\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        FakeConnector connector = new FakeConnector(harness);
        harness.deliver(connector.hello());
        harness.deliver(harness.write(
                Topics.POLICY,
                StreamHarness.CLUSTER + "/v1",
                new PolicyVersion(
                        StreamHarness.CLUSTER,
                        "v1",
                        "NODEALLOCATIONPOLICY PLUGIN:own\nNODEALLOCPLUGIN[own] EXEC=" + program,
                        null,
                        null,
                        harness.now()),
                StreamHarness.noHeaders()));
        for (int i = 1; i <= 3; i++) {
            harness.deliver(connector.node("n" + i, 1));
        }
        harness.deliver(connector.job(1, 1));
        harness.deliver(connector.heartbeat());
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void shouldReplayWithoutTheProgram() throws IOException, InterruptedException {
        answer();
        iterate();
        assertThat(startedOn()).containsExactly("n1");

        Files.delete(program);

        AuditReport report = audit();
        assertThat(report.firstDivergence()).isEmpty();
        assertThat(report.isClean()).isTrue();
        assertThat(report.clusters().get(0).outputs()).isPositive();
    }

    @Test
    void shouldReplayAFailureThatIsNoneAnyMore() throws IOException, InterruptedException {
        String working = Files.readString(program);
        Files.writeString(program, "#!/bin/sh\nexit 1\n");
        answer();
        iterate();
        assertThat(startedOn()).containsExactly("n3");

        Files.writeString(program, working);

        assertThat(audit().isClean()).isTrue();
    }

    @Test
    void shouldLoseNothingWhenTheSchedulerStopsBetweenQuestionAndAnswer() throws InterruptedException {
        harness.start();
        iterate();
        assertThat(questions()).as("asked once").hasSize(1);
        answer();
        harness.start();
        iterate();
        assertThat(startedOn()).containsExactly("n1");
        assertThat(audit().isClean()).isTrue();
    }

    @Test
    void shouldStartOnceWhenTheAnswerIsWrittenTwice() throws InterruptedException {
        answer();
        answer();
        iterate();
        answer();
        iterate();
        assertThat(startedOn()).containsExactly("n1");
        assertThat(harness.causes()).isEmpty();
        assertThat(audit().isClean()).isTrue();
    }

    @Test
    void shouldTakeTheAnswerAgainWhenItsTransactionIsAborted() throws InterruptedException {
        StreamHarness.Committed before = harness.committed();
        answer();
        iterate();
        assertThat(startedOn()).containsExactly("n1");

        harness.abortTo(before);
        harness.initAgain();
        assertThat(startedOn()).isEmpty();
        harness.deliver(harness.log
                .records(StreamHarness.NAMES.full(Topics.PLUGIN_ANSWERS))
                .get(0));
        iterate();

        assertThat(startedOn()).containsExactly("n1");
        assertThat(questions()).hasSize(1);
        assertThat(audit().isClean()).isTrue();
    }

    private List<PluginQuestion> questions() {
        return harness.read(Topics.PLUGIN_QUESTIONS);
    }

    private void answer() throws InterruptedException {
        PluginAnswer answer = plugins.ask(questions().get(0), harness.now());
        harness.deliver(harness.write(
                Topics.PLUGIN_ANSWERS,
                StreamHarness.CLUSTER + "/" + answer.getJobId(),
                answer,
                StreamHarness.noHeaders()));
    }

    private void iterate() {
        harness.advance(Duration.ofMillis(10));
    }

    private List<String> startedOn() {
        return harness.read(Topics.COMMANDS).stream()
                .map(RmCommand::getAllocation)
                .flatMap(List::stream)
                .map(io.weir.schemas.NodeAllocation::getNodeId)
                .toList();
    }

    private AuditReport audit() {
        return new AuditReplayer(
                        harness.log,
                        StreamHarness.NAMES,
                        new InputReader(Optional.of(harness.codec)),
                        1,
                        (cluster, number, share) -> {})
                .verify();
    }
}
