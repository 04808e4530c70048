package io.weir.loop.site;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.loop.log.SimulatedLog;
import io.weir.loop.turn.SimulatedProcess;
import io.weir.loop.turn.Turns;
import io.weir.scheduler.core.request.form.Principal;
import io.weir.scheduler.query.RequestForm;
import io.weir.scheduler.query.request.KafkaRequestClientConnections;
import io.weir.scheduler.query.request.RequestClient;
import io.weir.scheduler.query.request.RequestClientConnections;
import io.weir.scheduler.query.request.RequestClientThreads;
import io.weir.schemas.RequestResult;
import io.weir.service.http.HttpRefusal;
import io.weir.topics.AvroCodec;
import io.weir.topics.EntityKey;
import io.weir.topics.TopicNames;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * An instance of the API behind its HTTP server: the real form of a request and the real desk, on the simulated log and in
 * virtual time. Each call has a thread, as it has in the server.
 */
public final class ApiProcess {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofHours(1);
    private static final int ANSWER_MICROS = 20_000;
    private static final Map<String, Object> CLIENTS =
            Map.of("delivery.timeout.ms", 8_000, "max.block.ms", 8_000, "default.api.timeout.ms", 8_000);

    private final Turns turns;
    private final SimulatedProcess process;
    private final RequestClient desk;
    private boolean opening;

    /** Gets what came of a call, with the turn. */
    public interface Caller {
        /** The call was answered. */
        void answered(RequestResult result);

        /** It was refused for good. */
        void refused(HttpRefusal refusal);

        /** Nothing came of it so far. */
        void failed(String why);
    }

    /** Creates an instance that runs in {@code process}. */
    public ApiProcess(SimulatedLog log, Turns turns, SimulatedProcess process, AvroCodec codec, TopicNames names) {
        this.turns = turns;
        this.process = process;
        this.desk = new RequestClient(new Clients(log), new Threads(), names, codec);
    }

    /** Runs until its process is killed. */
    public void run() {
        while (true) {
            turns.sleep(LONG);
        }
    }

    /** Takes a call in; what becomes of it, {@code caller} is told unless it waits for too long. */
    public void call(Principal principal, String cluster, JsonNode body, Caller caller) {
        turns.start(process, () -> answer(principal, cluster, body, caller), thrown -> {
            if (thrown != null) {
                caller.failed(thrown.toString());
            }
        });
    }

    private void answer(Principal principal, String cluster, JsonNode body, Caller caller) {
        try {
            RequestForm form = RequestForm.read(principal, cluster, body, Instant.ofEpochMilli(process.wallMillis()));
            open(new EntityKey(cluster, form.id()));
            Optional<RequestResult> result =
                    desk.ask(form.request(), form.normal().fingerprint(principal.name()), PATIENCE);
            turns.work(ANSWER_MICROS);
            result.ifPresentOrElse(caller::answered, () -> caller.failed("no answer in time"));
        } catch (HttpRefusal e) {
            caller.refused(e);
        } catch (KafkaException e) {
            caller.failed(e.toString());
        } catch (InterruptedException e) {
            throw new IllegalStateException("Nobody interrupts here", e);
        }
    }

    /** Opens the desk with its first call; whoever comes meanwhile waits here, and not in the desk with the turn. */
    private void open(EntityKey any) {
        while (opening) {
            turns.awaitUntil(Long.MAX_VALUE, () -> !opening);
        }
        opening = true;
        try {
            desk.answer(any);
        } finally {
            opening = false;
            turns.signal();
        }
    }

    private final class Clients implements RequestClientConnections {
        private final SimulatedLog log;

        Clients(SimulatedLog log) {
            this.log = log;
        }

        @Override
        public Consumer<byte[], byte[]> answers() {
            return log.consumer(process, KafkaRequestClientConnections.consumerSettings(CLIENTS));
        }

        @Override
        public Producer<byte[], byte[]> requests() {
            return log.producer(process, KafkaRequestClientConnections.producerSettings(CLIENTS));
        }

        @Override
        public Admin admin() {
            return log.admin(process);
        }
    }

    private final class Threads implements RequestClientThreads {
        @Override
        public long nanos() {
            return turns.nanos();
        }

        @Override
        public void pause(Duration duration) {
            turns.sleep(duration);
        }

        @Override
        public void start(String name, Runnable body) {
            turns.start(process, body, this::ended);
        }

        /** A thread that dies takes its work with it, as in the service: callers notice that nobody answers. */
        private void ended(@Nullable Throwable thrown) {}

        @Override
        public <T> T await(CompletableFuture<T> awaited, Duration patience)
                throws InterruptedException, ExecutionException, TimeoutException {
            if (!awaited.isDone()) {
                var unused = awaited.whenComplete((value, failure) -> turns.signal());
            }
            if (!turns.awaitUntil(turns.now() + patience.toNanos() / 1_000, awaited::isDone)) {
                throw new TimeoutException("No answer within " + patience);
            }
            return awaited.get();
        }
    }
}
