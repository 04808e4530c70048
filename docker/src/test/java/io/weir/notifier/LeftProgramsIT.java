package io.weir.notifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.TriggerFiring;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a trigger's programs when the notifier that runs them is killed. */
class LeftProgramsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path directory;

    private NotifierSite site;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(
                program(),
                "#!/bin/sh\nsleep 1000 &\necho $! >" + directory + "/$1.new\n" + "mv " + directory + "/$1.new "
                        + directory + "/$1\nwait\n");
        Files.setPosixFilePermissions(program(), PosixFilePermissions.fromString("rwx------"));
        site = new NotifierSite(
                directory,
                Map.of(
                        "notifier.actions",
                        "exec",
                        "action.exec.programs",
                        program().toString()));
    }

    @AfterEach
    void stop() throws Exception {
        site.close();
    }

    @Test
    void shouldEndThemWhenTheirTimeIsOverThoughNoNotifierIsThere() throws Exception {
        Process notifier = site.start("a");
        site.topics().publish(run("1", Duration.ofSeconds(3)));
        ProcessHandle sleeper = begun("1");

        notifier.destroyForcibly().waitFor();

        awaitEnd(sleeper);
        assertThat(site.topics().results()).isEmpty();
    }

    @Test
    void shouldEndThemWhenANotifierIsThereAgainAndBeginNoneThatWasToEnd() throws Exception {
        Process notifier = site.start("a");
        site.topics().publish(run("1", Duration.ofMinutes(4)));
        ProcessHandle sleeper = begun("1");
        site.topics().publish(run("2", Duration.ofMinutes(4)));
        site.topics().publish(end("3", "2"));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(site.topics().results())
                        .extracting(DeliveryResult::getDeliveryId)
                        .containsExactly("tiny/1/3"));

        notifier.destroyForcibly().waitFor();
        assertThat(sleeper.isAlive()).isTrue();
        site.start("a");

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(site.topics().results())
                        .extracting(DeliveryResult::getDeliveryId, DeliveryResult::getOutcome)
                        .containsExactly(
                                tuple("tiny/1/3", DeliveryOutcome.DELIVERED),
                                tuple("tiny/1/1", DeliveryOutcome.UNCERTAIN),
                                tuple("tiny/1/2", DeliveryOutcome.FAILED)));
        awaitEnd(sleeper);
        assertThat(directory.resolve("2")).doesNotExist();
        assertThat(site.topics().results().get(2).getMessage()).contains("its object is over");
    }

    private ProcessHandle begun(String name) throws IOException {
        Path file = directory.resolve(name);
        await().atMost(PATIENCE).until(() -> Files.exists(file));
        return ProcessHandle.of(Long.parseLong(Files.readString(file).strip())).orElseThrow();
    }

    private static void awaitEnd(ProcessHandle process) {
        await("the end of " + process.pid()).atMost(PATIENCE).until(() -> !process.isAlive());
    }

    private TriggerFiring run(String id, Duration timeout) {
        return firing(id, "exec", program().toString())
                .setArguments(List.of(id))
                .setTimeoutMillis(timeout.toMillis())
                .build();
    }

    private static TriggerFiring end(String id, String other) {
        return firing(id, "stop", "tiny/1/" + other).build();
    }

    private static TriggerFiring.Builder firing(String id, String type, String target) {
        return TriggerFiring.newBuilder()
                .setCluster("tiny")
                .setFiringId("tiny/1/" + id)
                .setTriggerId("t" + id)
                .setIteration(1)
                .setTime(Instant.parse("2026-03-01T10:00:00Z"))
                .setActionType(type)
                .setAction(type)
                .setTarget(target)
                .setObjectType("job")
                .setObjectId("j1");
    }

    private Path program() {
        return directory.resolve("attend");
    }
}
