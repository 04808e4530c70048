package io.weir.loop.log;

import io.weir.loop.turn.SimulatedProcess;
import io.weir.loop.turn.Turns;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.jspecify.annotations.Nullable;

/** The little of Kafka's administration that is needed: where partitions end. */
final class SimulatedAdmin implements InvocationHandler {
    private static final int CALL_MICROS = 400;
    private static final long API_MICROS = 8_000_000;

    private final SimulatedLog log;
    private final Turns turns;
    private final SimulatedProcess process;

    private SimulatedAdmin(SimulatedLog log, Turns turns, SimulatedProcess process) {
        this.log = log;
        this.turns = turns;
        this.process = process;
    }

    static Admin open(SimulatedLog log, Turns turns, SimulatedProcess process) {
        return (Admin) Proxy.newProxyInstance(
                Admin.class.getClassLoader(), new Class<?>[] {Admin.class}, new SimulatedAdmin(log, turns, process));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
        process.requireAlive();
        if (method.getName().equals("close")) {
            return null;
        }
        if (method.getName().equals("listOffsets") && arguments != null && arguments.length == 2) {
            return ends((Map<?, ?>) arguments[0], (ListOffsetsOptions) arguments[1]);
        }
        throw new UnsupportedOperationException("The simulated broker does not do " + method.getName());
    }

    private ListOffsetsResult ends(Map<?, ?> partitions, ListOffsetsOptions options) {
        turns.work(CALL_MICROS);
        boolean reached = turns.awaitUntil(turns.now() + API_MICROS, () -> !log.isAway());
        boolean committedOnly = options.isolationLevel() == IsolationLevel.READ_COMMITTED;
        Map<TopicPartition, KafkaFuture<ListOffsetsResultInfo>> ends = new HashMap<>();
        for (Object named : partitions.keySet()) {
            TopicPartition partition = (TopicPartition) named;
            KafkaFutureImpl<ListOffsetsResultInfo> end = new KafkaFutureImpl<>();
            if (reached) {
                end.complete(
                        new ListOffsetsResultInfo(log.partition(partition).end(committedOnly), -1, Optional.empty()));
            } else {
                end.completeExceptionally(new TimeoutException("The broker is away"));
            }
            ends.put(partition, end);
        }
        return new ListOffsetsResult(ends);
    }
}
