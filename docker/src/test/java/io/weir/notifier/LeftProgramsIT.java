package io.weir.notifier;

import static io.weir.notifier.SleepingPrograms.PATIENCE;
import static io.weir.notifier.SleepingPrograms.awaitEnd;
import static io.weir.notifier.SleepingPrograms.end;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a trigger's programs when the notifier that runs them is killed. */
class LeftProgramsIT {
    @TempDir
    private Path directory;

    private SleepingPrograms programs;
    private NotifierSite site;

    @BeforeEach
    void start() throws IOException {
        programs = new SleepingPrograms(directory);
        site = new NotifierSite(directory, programs.settings());
    }

    @AfterEach
    void stop() throws Exception {
        site.close();
    }

    @Test
    void shouldEndThemWhenTheirTimeIsOverThoughNoNotifierIsThere() throws Exception {
        Process notifier = site.start("a");
        site.topics().publish(programs.run("1", Duration.ofSeconds(3)));
        ProcessHandle sleeper = programs.begun("1");

        notifier.destroyForcibly().waitFor();

        awaitEnd(sleeper);
        assertThat(site.topics().results()).isEmpty();
    }

    @Test
    void shouldEndThemWhenANotifierIsThereAgainAndBeginNoneThatWasToEnd() throws Exception {
        Process notifier = site.start("a");
        site.topics().publish(programs.run("1", Duration.ofMinutes(4)));
        ProcessHandle sleeper = programs.begun("1");
        site.topics().publish(programs.run("2", Duration.ofMinutes(4)));
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
        assertThat(programs.isBegun("2")).isFalse();
        assertThat(site.topics().results().get(2).getMessage()).contains("its object is over");
    }
}
