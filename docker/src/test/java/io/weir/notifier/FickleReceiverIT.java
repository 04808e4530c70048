package io.weir.notifier;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.weir.notifier.FickleReceiver.Request;
import io.weir.notifier.FickleReceiver.Turn;
import io.weir.notifier.runtime.NotifierService;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.NameValue;
import io.weir.schemas.TriggerFiring;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.HostedService;
import io.weir.standalone.KafkaEnvironment;
import io.weir.standalone.Standalone;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.Grants;
import io.weir.topics.TopicNames;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notifications and actions of triggers for a web service that hangs up, stalls, sends elsewhere, fails, and then takes. */
class FickleReceiverIT {

    @TempDir
    private Path directory;

    private KafkaEnvironment environment;
    private FickleReceiver receiver;
    private NotifierTopics topics;
    private HostedService notifier;

    @BeforeEach
    void start() throws IOException {
        environment = KafkaEnvironment.start(new DataDirectory(directory.resolve("site")), 0, 0);
        receiver = new FickleReceiver();
        try (Admin admin = Admin.create(environment.connection(Account.ADMIN).kafka())) {
            Grants.of(new TopicNames(TopicNames.DEFAULT_PREFIX), "weir-scheduler", List.of())
                    .apply(admin);
        }
        Standalone.provision(environment.connection(Account.ADMIN).settings());
        topics = new NotifierTopics(environment.connection(Account.SCHEDULER), environment.connection(Account.READER));
        Map<String, String> settings =
                new HashMap<>(environment.connection(Account.NOTIFIER).settings());
        settings.put("notifier.channels", "pager");
        settings.put("channel.pager.type", "webhook");
        settings.put("channel.pager.url", "http://" + receiver.authority() + "/hook");
        settings.put("channel.pager.timeout.ms", "1000");
        settings.put("channel.pager.retry.attempts", "6");
        settings.put("channel.pager.retry.first.ms", "100");
        settings.put("channel.pager.retry.factor", "1");
        settings.put("notifier.actions", "http");
        settings.put("action.http.hosts", receiver.authority());
        settings.put("action.http.timeout.ms", "1000");
        settings.put("action.http.retry.first.ms", "100");
        notifier = HostedService.start(new NotifierService(), settings, () -> {});
    }

    @AfterEach
    void stop() throws IOException {
        receiver.close();
        notifier.close();
        topics.close();
        environment.close();
    }

    @Test
    void shouldDeliverANotificationOnceThroughAllThatMayBeBetter() {
        receiver.plan("tiny/1/0", Turn.HANG_UP, Turn.STALL, Turn.FAULT, Turn.LATER, Turn.TAKE);
        topics.publish("tiny/1/0", "nodedown");
        topics.publish("tiny/1/1", "nodedown");
        eventually(() -> assertThat(topics.results()).hasSize(2));

        assertThat(topics.results())
                .extracting(DeliveryResult::getDeliveryId, DeliveryResult::getOutcome, DeliveryResult::getAttempts)
                .containsExactly(
                        tuple("tiny/1/0", DeliveryOutcome.DELIVERED, 5),
                        tuple("tiny/1/1", DeliveryOutcome.DELIVERED, 1));
        assertThat(receiver.requests())
                .extracting(Request::key, Request::turn)
                .containsExactly(
                        tuple("tiny/1/0", Turn.HANG_UP),
                        tuple("tiny/1/0", Turn.STALL),
                        tuple("tiny/1/0", Turn.FAULT),
                        tuple("tiny/1/0", Turn.LATER),
                        tuple("tiny/1/0", Turn.TAKE),
                        tuple("tiny/1/1", Turn.TAKE));
        List<Request> requests = receiver.requests();
        assertThat(Duration.ofNanos(requests.get(4).nanos() - requests.get(3).nanos()))
                .as("it was asked to wait")
                .isGreaterThanOrEqualTo(Duration.ofSeconds(FickleReceiver.RETRY_AFTER));
        assertThat(topics.deadLetters()).isEmpty();
    }

    @Test
    void shouldGiveUpWhatIsSentElsewhereAndWhatFailsTooOften() {
        receiver.plan("tiny/1/0", Turn.HANG_UP, Turn.FAULT, Turn.REDIRECT, Turn.TAKE);
        receiver.plan(
                "tiny/1/1", Turn.FAULT, Turn.HANG_UP, Turn.STALL, Turn.FAULT, Turn.HANG_UP, Turn.FAULT, Turn.TAKE);
        topics.publish("tiny/1/0", "nodedown");
        topics.publish("tiny/1/1", "nodedown");
        topics.publish("tiny/1/2", "nodedown");
        eventually(() -> assertThat(topics.results()).hasSize(3));

        assertThat(topics.results())
                .extracting(DeliveryResult::getDeliveryId, DeliveryResult::getOutcome, DeliveryResult::getAttempts)
                .containsExactly(
                        tuple("tiny/1/0", DeliveryOutcome.DEAD, 3),
                        tuple("tiny/1/1", DeliveryOutcome.DEAD, 6),
                        tuple("tiny/1/2", DeliveryOutcome.DELIVERED, 1));
        assertThat(topics.deadLetters())
                .hasSize(2)
                .allSatisfy(letter -> assertThat(letter.getCause()).isEqualTo("UNDELIVERED"));
        assertThat(receiver.requests()).hasSize(3 + 6 + 1);
        assertThat(receiver.requests()).extracting(Request::path).containsOnly("/hook");
    }

    @Test
    void shouldSendTheRequestOfAFiringOnceWhateverBecomesOfIt() {
        List<Turn> turns = List.of(Turn.HANG_UP, Turn.STALL, Turn.REDIRECT, Turn.FAULT, Turn.LATER, Turn.TAKE);
        for (int i = 0; i < turns.size(); i++) {
            receiver.plan("action/tiny/" + i + "/0", turns.get(i));
            topics.publish(firing(i));
        }
        eventually(() -> assertThat(topics.results()).hasSize(turns.size()));

        assertThat(topics.results())
                .extracting(DeliveryResult::getDeliveryId, DeliveryResult::getOutcome, DeliveryResult::getCode)
                .containsExactly(
                        tuple("tiny/0/0", DeliveryOutcome.FAILED, null),
                        tuple("tiny/1/0", DeliveryOutcome.FAILED, null),
                        tuple("tiny/2/0", DeliveryOutcome.FAILED, 302),
                        tuple("tiny/3/0", DeliveryOutcome.FAILED, 500),
                        tuple("tiny/4/0", DeliveryOutcome.FAILED, 503),
                        tuple("tiny/5/0", DeliveryOutcome.DELIVERED, 200));
        assertThat(receiver.requests()).extracting(Request::turn).containsExactlyElementsOf(turns);
        assertThat(receiver.requests()).extracting(Request::key).doesNotHaveDuplicates();
        assertThat(receiver.requests()).extracting(Request::path).containsOnly("/issue");
        assertThat(topics.deadLetters()).isEmpty();
    }

    /** Returns the firing of attempt {@code number}, as the scheduler makes one for each attempt of a trigger. */
    private TriggerFiring firing(int number) {
        return TriggerFiring.newBuilder()
                .setCluster("tiny")
                .setFiringId("tiny/" + number + "/0")
                .setTriggerId("NODECFG.n1.1@node:n1")
                .setIteration(number)
                .setTime(Instant.EPOCH)
                .setActionType("http")
                .setAction("http")
                .setObjectType("node")
                .setObjectId("n1")
                .setTarget("http://" + receiver.authority() + "/issue")
                .setSettings(List.of(new NameValue("method", "POST"), new NameValue("content", "event")))
                .setAttempt(number + 1)
                .build();
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(60, SECONDS).pollInterval(Duration.ofMillis(200)).untilAsserted(assertion);
    }
}
