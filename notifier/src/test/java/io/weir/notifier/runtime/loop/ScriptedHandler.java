package io.weir.notifier.runtime.loop;

import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.topics.EntityKey;
import io.weir.topics.Topics;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Answers as it is told and notes what it was asked, as partition@offset#attempt; untold it settles with a result. */
public final class ScriptedHandler implements RecordHandler {

    public final List<String> asked = new ArrayList<>();
    public final Queue<Step> answers = new ArrayDeque<>();
    public boolean closed;

    @Override
    public Step handle(ConsumerRecord<byte[], byte[]> record, int attempt, boolean repeated) {
        String place = record.partition() + "@" + record.offset();
        asked.add(place + "#" + attempt);
        Step answer = answers.poll();
        return answer == null ? settled(place) : answer;
    }

    @Override
    public void close() {
        closed = true;
    }

    static Step.Settled settled(String id) {
        DeliveryResult result = DeliveryResult.newBuilder()
                .setCluster("tiny")
                .setDeliveryId(id)
                .setChannel("ops")
                .setOutcome(DeliveryOutcome.DELIVERED)
                .setAttempts(1)
                .setTime(Instant.EPOCH)
                .build();
        return new Step.Settled(List.of(new Outgoing<>(Topics.DELIVERY_RESULTS, new EntityKey("tiny", id), result)));
    }
}
