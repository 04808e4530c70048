package io.weir.standalone.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.Feature;
import io.weir.nonstop.client.FailureServiceException;
import io.weir.nonstop.client.NonstopClient;
import io.weir.schemas.NonstopEvent;
import io.weir.schemas.NonstopEventKind;
import io.weir.standalone.Component;
import io.weir.standalone.KafkaAccess;
import io.weir.standalone.TopicContents;
import io.weir.standalone.access.Account;
import io.weir.standalone.drill.CallbackReceiver.Call;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the service while nodes of a job fail and the job's applications take calls badly: refuse them, let them wait, or
 * answer too late. When that is over each of them has been told of everything. -Dweir.callback.kills=20 makes it long,
 * -Dweir.callback.seed plays a drill again.
 */
@NullUnmarked
class CallbackDrillIT {
    private static final int KILLS = Integer.getInteger("weir.callback.kills", 3);
    private static final String JOB = "1";

    /** By then all runs and the applications have subscribed. */
    private static final int FIRST_FAILURE = 45;

    private static final int SPACING = 15;
    private static final int LONGEST_DELAY_MILLIS = 6_000;

    /** The longest pause between two calls, and some. */
    private static final Duration AFTERWARDS = Duration.ofSeconds(90);

    private static final Duration PATIENCE = NonstopDrillSite.PATIENCE;

    private static final Set<NonstopEventKind> TOLD = EnumSet.of(
            NonstopEventKind.NODE_FAILED,
            NonstopEventKind.NODE_FAILING,
            NonstopEventKind.NODE_REPLACE,
            NonstopEventKind.NODE_REPLACED);

    @TempDir
    Path root;

    @Test
    @Feature({"SMD-4", "SMD-25"})
    void shouldTellEveryApplicationOfEverythingHoweverOftenTheServiceIsKilled() throws Exception {
        long seed = Long.getLong("weir.callback.seed", new Random().nextInt(1_000_000));
        System.out.println("callback drill: -Dweir.callback.seed=" + seed);
        Random random = new Random(seed);
        StringBuilder failures = new StringBuilder();
        for (int failure = 1; failure <= KILLS; failure++) {
            failures.append("AT +").append(FIRST_FAILURE + (failure - 1) * SPACING);
            failures.append(" NODE ").append(NonstopDrillSite.node(2 * failure)).append(" DOWN\n");
        }
        try (CallbackReceiver receiver = new CallbackReceiver(seed);
                NonstopDrillSite site = new NonstopDrillSite(
                        root,
                        3 * KILLS + 2,
                        2 * KILLS + 1,
                        failures.toString(),
                        List.of("UserDrainAllow=ALL"),
                        List.of("nonstop.callbacks=127.0.0.1"))) {
            site.start(Component.BROKER);
            site.start(Component.SCHEDULER);
            site.start(Component.CONNECTOR);
            NonstopClient client = site.client();
            for (String endpoint : receiver.endpoints()) {
                asked(() -> client.subscribe(JOB, endpoint));
            }
            for (int failure = 1; failure <= KILLS; failure++) {
                String node = NonstopDrillSite.node(2 * failure);
                String doubtful = NonstopDrillSite.node(2 * failure + 1);
                site.awaitChange(node);
                asked(() -> client.drain(doubtful, "drill"));
                TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_DELAY_MILLIS));
                site.kill(Component.SCHEDULER);
                site.start(Component.SCHEDULER);
                asked(() -> client.replace(JOB, node));
            }
            receiver.calm();
            judge(site, receiver, seed);
        }
    }

    private static void judge(NonstopDrillSite site, CallbackReceiver receiver, long seed) throws IOException {
        try (KafkaAccess access = KafkaAccess.open(site.directory(), Account.READER)) {
            TopicContents topics = new TopicContents(access.connection(), new TopicNames(TopicNames.DEFAULT_PREFIX));
            List<NonstopEvent> events = topics.read(Topics.NONSTOP_EVENTS).stream()
                    .filter(event -> TOLD.contains(event.getKind()))
                    .toList();
            assertThat(events)
                    .as("seed %d", seed)
                    .extracting(NonstopEvent::getKind)
                    .filteredOn(kind -> kind != NonstopEventKind.NODE_REPLACE)
                    .hasSize(3 * KILLS);
            for (String endpoint : receiver.endpoints()) {
                await(endpoint + ", seed " + seed)
                        .atMost(AFTERWARDS)
                        .untilAsserted(() -> assertThat(untold(events, endpoint, receiver.calls(endpoint)))
                                .isEmpty());
                assertThat(disorder(events, receiver.calls(endpoint)))
                        .as("%s, seed %d", endpoint, seed)
                        .isEmpty();
            }
        }
    }

    private static Map<String, Integer> order(List<NonstopEvent> events) {
        Map<String, Integer> order = new HashMap<>();
        events.forEach(event -> order.put(event.getEventId(), order.size()));
        return order;
    }

    /** Returns the events that an application was not told: by no call it took that was about them or a later one. */
    private static List<String> untold(List<NonstopEvent> events, String endpoint, List<Call> calls) {
        Map<String, Integer> order = order(events);
        return events.stream()
                .filter(event -> event.getEndpoints().contains(endpoint))
                .filter(event -> calls.stream()
                        .noneMatch(call -> call.taken()
                                && call.events().contains(event.getKind())
                                && order.getOrDefault(call.lastEventId(), -1) >= order.get(event.getEventId())))
                .map(event -> event.getKind() + " " + event.getEventId())
                .toList();
    }

    /**
     * Returns what of the calls is not as promised: the id is that of an event they are about, a later call is not about
     * earlier events, and what was taken and answered is not taken again, except after a new start of the service. A call
     * that is refused is repeated, however often it was taken before.
     */
    private static List<String> disorder(List<NonstopEvent> events, List<Call> calls) {
        Map<String, Integer> order = order(events);
        List<String> problems = new ArrayList<>();
        int back = 0;
        int again = 0;
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            Integer at = order.get(call.lastEventId());
            if (at == null || !call.events().contains(events.get(at).getKind())) {
                problems.add(call + " has the id of none of its events");
                continue;
            }
            back += i > 0 && order.getOrDefault(calls.get(i - 1).lastEventId(), -1) > at ? 1 : 0;
            boolean known = calls.subList(0, i).stream()
                    .anyMatch(before -> before.answered()
                            && before.lastEventId().equals(call.lastEventId())
                            && before.events().containsAll(call.events()));
            again += known && call.answered() ? 1 : 0;
        }
        if (back > KILLS || again > KILLS) {
            problems.add(back + " calls went back and " + again + " came again, after " + KILLS + " starts: " + calls);
        }
        return problems;
    }

    /** Something asked of the service. */
    @FunctionalInterface
    private interface Asking {
        void ask() throws FailureServiceException;
    }

    /** Asks until the service answers. */
    private static void asked(Asking asking) {
        await("an answer")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .ignoreExceptions()
                .until(() -> {
                    asking.ask();
                    return true;
                });
    }
}
