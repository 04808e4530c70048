package io.weir.notifier;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The notifier's process is killed at every point around a delivery, with a file and a web service that recognise
 * repetitions and a program that does not. Set -Dweir.notifier.kills for more kills, -Dweir.notifier.seed to play a drill
 * again.
 */
class NotifierKillIT {
    private static final int KILLS = Integer.getInteger("weir.notifier.kills", 3);
    private static final int ROUND = 20;

    /** Where the notifier is when it is killed. */
    private enum Point {
        /** The web service has the request and has not answered. */
        REQUESTED,
        /** The web service has answered, and nothing is recorded of it yet, or is just being recorded. */
        ANSWERED,
        /** The program has done its work and runs on. */
        RUNNING,
        /** A result is recorded, the next delivery begins. */
        RECORDED,
        /** It starts, and takes over what the one before it left. */
        STARTING
    }

    @TempDir
    private Path directory;

    private HookReceiver hook;
    private NotifierSite site;
    private NotifierTopics topics;
    private Process process;

    @BeforeEach
    void start() throws IOException {
        hook = new HookReceiver();
        writeProgram();
        site = new NotifierSite(directory, settings());
        topics = site.topics();
        process = startProcess();
    }

    @AfterEach
    void stop() throws Exception {
        hook.close();
        site.close();
    }

    @Test
    void shouldLoseNothingAndMarkWhatItRepeatsWhenItIsKilled() throws Exception {
        long seed = Long.getLong("weir.notifier.seed", new Random().nextInt(1_000_000));
        System.out.println("notifier kills: -Dweir.notifier.kills=" + KILLS + " -Dweir.notifier.seed=" + seed);
        Random random = new Random(seed);
        List<Point> points = new ArrayList<>();
        int published = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            if (points.isEmpty()) {
                points.addAll(List.of(Point.values()));
                Collections.shuffle(points, random);
            }
            Point point = points.remove(0);
            int before = published + random.nextInt(ROUND);
            System.out.println("notifier kills: " + point + " at " + before);
            killAt(point, published, before, random);
            published += ROUND;
            process = startProcess();
            settled(published);
        }
        publish(published, published + ROUND);
        int all = published + ROUND;
        settled(all);

        List<String> ids = ids(0, all);
        assertThat(Files.readAllLines(file()))
                .extracting(line -> line.replaceFirst("^\\{\"id\":\"([^\"]*)\".*", "$1"))
                .containsExactlyElementsOf(ids);
        for (String channel : List.of("ops", "pager", "script")) {
            assertThat(delivered(channel)).as(channel).containsExactlyElementsOf(ids);
        }
        assertThat(hook.keys()).hasSizeBetween(all, all + KILLS);
        assertThat(new HashSet<>(hook.keys())).hasSize(all);
        assertThat(topics.deadLetters()).isEmpty();
        assertUnmarkedOnce(ids);
    }

    /** What the program did more than once was told to it as a possible duplicate, all but the first time. */
    private void assertUnmarkedOnce(List<String> ids) throws IOException {
        List<String> runs = Files.readAllLines(runs());
        Set<String> done = new HashSet<>();
        List<String> unmarked = new ArrayList<>();
        for (String run : runs) {
            String id = run.substring(0, run.indexOf(' '));
            if (!done.add(id) && !run.endsWith(" yes")) {
                unmarked.add(run);
            }
        }
        System.out.println("notifier kills: " + ids.size() + " notifications, the program ran " + runs.size()
                + " times, the web service was asked " + hook.keys().size() + " times");
        assertThat(unmarked).as("repeated without a mark").isEmpty();
        assertThat(done).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(runs).hasSizeBetween(ids.size(), ids.size() + KILLS);
        Set<String> marked = new HashSet<>();
        topics.results().stream()
                .filter(DeliveryResult::getPossibleDuplicate)
                .forEach(result -> marked.add(result.getChannel() + " " + result.getDeliveryId()));
        assertThat(marked)
                .as("marked where the receiver cannot tell, and as often as it was killed at most")
                .allMatch(each -> each.startsWith("script "))
                .hasSizeLessThanOrEqualTo(KILLS);
    }

    /** Publishes the notifications from {@code first} on, and kills the process once it is at {@code point}. */
    private void killAt(Point point, int first, int before, Random random) throws Exception {
        switch (point) {
            case REQUESTED -> {
                int asked = hook.keys().size();
                hook.hold();
                publish(first, first + ROUND);
                eventually(() -> assertThat(hook.keys()).hasSizeGreaterThan(asked));
                kill();
                hook.release();
            }
            case ANSWERED -> {
                CountDownLatch answered = new CountDownLatch(1);
                AtomicReference<Process> victim = new AtomicReference<>(process);
                int asked = hook.keys().size() + before - first;
                int spins = random.nextInt(2_000_000);
                hook.onAnswered(count -> {
                    Process running = count > asked ? victim.getAndSet(null) : null;
                    if (running != null) {
                        spin(spins);
                        running.destroyForcibly();
                        answered.countDown();
                    }
                });
                publish(first, first + ROUND);
                answered.await();
                hook.onAnswered(count -> {});
                kill();
            }
            case RUNNING -> {
                publish(first, before);
                eventually(() -> assertThat(delivered("script")).hasSize(before));
                Files.createFile(busy());
                publish(before, first + ROUND);
                eventually(() -> assertThat(Files.readAllLines(runs()))
                        .anyMatch(run -> run.startsWith(ids(before, before + 1).get(0) + " ")));
                kill();
                Files.delete(busy());
            }
            case RECORDED -> {
                publish(first, first + ROUND);
                eventually(() -> assertThat(topics.results()).hasSizeGreaterThan(3 * before));
                kill();
            }
            case STARTING -> {
                kill();
                publish(first, first + ROUND);
                process = startProcess();
                int asked = hook.keys().size();
                eventually(() -> assertThat(hook.keys()).hasSizeGreaterThan(asked));
                kill();
            }
        }
    }

    /** Passes a time too short to be slept. */
    private static void spin(int turns) {
        for (int i = 0; i < turns; i++) {
            Thread.onSpinWait();
        }
    }

    private void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    private void settled(int notifications) {
        eventually(() -> assertThat(topics.results()).hasSize(3 * notifications));
    }

    /** A program that notes what it was told, and goes on as long as it is to be busy. */
    private void writeProgram() throws IOException {
        Files.writeString(
                program(),
                "#!/bin/sh\nprintf '%s %s\\n' \"$1\" \"$2\" >> " + runs() + "\nwhile [ -e " + busy()
                        + " ]; do sleep 0.02; done\n");
        Files.setPosixFilePermissions(program(), PosixFilePermissions.fromString("rwx------"));
        Files.createFile(runs());
    }

    private Map<String, String> settings() {
        return Map.of(
                "notifier.channels", "ops,pager,script",
                "channel.ops.type", "file",
                "channel.ops.path", file().toString(),
                "channel.pager.type", "webhook",
                "channel.pager.url", hook.url(),
                "channel.script.type", "exec",
                "channel.script.program", program().toString(),
                "channel.script.arguments", "$ID,$POSSIBLE_DUPLICATE");
    }

    private Process startProcess() throws IOException {
        return site.start("notifier");
    }

    private void publish(int from, int to) {
        ids(from, to).forEach(id -> topics.publish(id, "nodedown"));
    }

    private static List<String> ids(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "tiny/1/" + i).toList();
    }

    private List<String> delivered(String channel) {
        return topics.results().stream()
                .filter(result -> result.getChannel().equals(channel))
                .filter(result -> result.getOutcome() == DeliveryOutcome.DELIVERED)
                .map(DeliveryResult::getDeliveryId)
                .toList();
    }

    private Path file() {
        return directory.resolve("notices.jsonl");
    }

    private Path program() {
        return directory.resolve("note.sh");
    }

    private Path runs() {
        return directory.resolve("runs");
    }

    private Path busy() {
        return directory.resolve("busy");
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(120, SECONDS).pollInterval(Duration.ofMillis(100)).untilAsserted(assertion);
    }
}
