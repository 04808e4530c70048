package io.weir.notifier;

import static io.weir.notifier.SleepingPrograms.PATIENCE;
import static io.weir.notifier.SleepingPrograms.awaitEnd;
import static io.weir.notifier.SleepingPrograms.end;
import static io.weir.notifier.SleepingPrograms.isBelow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.weir.Feature;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two notifiers share what triggers want done. Partitions go to the members of a group in the order of their names: the one
 * called {@code a} gets what there is to get, as soon as the other lets go of it.
 */
class TwoNotifiersIT {
    private static final Duration LONG = Duration.ofMinutes(4);

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
    @Feature("TRIG-4")
    void shouldEndAProgramWhicheverOfThemRunsItAndWhicheverIsTold() throws Exception {
        Process b = site.start("b");
        site.topics().publish(programs.run("1", LONG));
        ProcessHandle first = programs.begun("1");
        assertThat(isBelow(first, b)).isTrue();

        Process a = site.start("a");
        await("a answers the orders while b is busy")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(site.readersOf("action.stop")).containsExactly("a"));
        assertThat(site.readersOf("action.exec")).doesNotContain("a");
        site.topics().publish(end("2", "1"));

        awaitResults(tuple("2", DeliveryOutcome.DELIVERED), tuple("1", DeliveryOutcome.FAILED));
        awaitEnd(first);
        assertThat(message("1")).contains("its object is over");

        await("a carries out what comes next")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(site.readersOf("action.exec")).containsExactly("a"));
        site.topics().publish(programs.run("3", LONG));
        ProcessHandle second = programs.begun("3");
        assertThat(isBelow(second, a)).isTrue();
        site.topics().publish(programs.run("4", LONG));
        site.topics().publish(end("5", "4"));
        site.topics().publish(end("6", "3"));

        awaitResults(
                tuple("2", DeliveryOutcome.DELIVERED),
                tuple("1", DeliveryOutcome.FAILED),
                tuple("5", DeliveryOutcome.DELIVERED),
                tuple("6", DeliveryOutcome.DELIVERED),
                tuple("3", DeliveryOutcome.FAILED),
                tuple("4", DeliveryOutcome.FAILED));
        awaitEnd(second);
        assertThat(programs.isBegun("4")).isFalse();
    }

    @Test
    @Feature("TRIG-4")
    void shouldAnswerForAProgramOfAnotherThatWasKilledAndEndIt() throws Exception {
        Process b = site.start("b");
        site.topics().publish(programs.run("1", LONG));
        ProcessHandle sleeper = programs.begun("1");
        site.start("a");
        await("both are there")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(site.readersOf("action.stop")).containsExactly("a"));

        b.destroyForcibly().waitFor();
        assertThat(sleeper.isAlive()).isTrue();
        site.topics().publish(programs.run("2", LONG));

        awaitResults(tuple("1", DeliveryOutcome.UNCERTAIN));
        awaitEnd(sleeper);
        ProcessHandle next = programs.begun("2");
        site.topics().publish(end("3", "2"));
        awaitResults(
                tuple("1", DeliveryOutcome.UNCERTAIN),
                tuple("3", DeliveryOutcome.DELIVERED),
                tuple("2", DeliveryOutcome.FAILED));
        awaitEnd(next);
    }

    @Test
    @Feature("TRIG-4")
    void shouldKeepNoOtherTriggerWaitingWhileAProgramRuns() throws Exception {
        site.start("a");
        site.topics().publish(programs.run("1", LONG));
        programs.begun("1");
        site.topics().publish(programs.run("2", LONG));
        site.topics().publish(programs.runBesides("3", LONG));
        programs.begun("3");
        assertThat(programs.isBegun("2"))
                .as("it follows the first of its trigger")
                .isFalse();

        site.topics().publish(end("4", "1"));
        programs.begun("2");
        site.topics().publish(end("5", "2"));
        site.topics().publish(end("6", "3"));
        awaitResults(
                tuple("4", DeliveryOutcome.DELIVERED),
                tuple("1", DeliveryOutcome.FAILED),
                tuple("5", DeliveryOutcome.DELIVERED),
                tuple("2", DeliveryOutcome.FAILED),
                tuple("6", DeliveryOutcome.DELIVERED),
                tuple("3", DeliveryOutcome.FAILED));
    }

    /** Each is answered once, in any order. */
    private void awaitResults(Tuple... expected) {
        List<Tuple> all = Arrays.stream(expected)
                .map(each -> tuple(
                        SleepingPrograms.idOf((String) each.toList().get(0)),
                        each.toList().get(1)))
                .toList();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(site.topics().results())
                        .extracting(DeliveryResult::getDeliveryId, DeliveryResult::getOutcome)
                        .containsExactlyInAnyOrderElementsOf(all));
    }

    private String message(String id) {
        return site.topics().results().stream()
                .filter(result -> result.getDeliveryId().equals(SleepingPrograms.idOf(id)))
                .map(DeliveryResult::getMessage)
                .findFirst()
                .orElseThrow();
    }
}
