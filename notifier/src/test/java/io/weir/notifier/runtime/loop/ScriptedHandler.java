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

    /** Those of which it was told that an attempt had been begun before. */
    public final List<String> repeated = new ArrayList<>();

    /** What was released together, by its first record and how many there were. */
    public final List<String> releases = new ArrayList<>();

    /** Run with each release. */
    Runnable onRelease = () -> {};

    public final Queue<Step> answers = new ArrayDeque<>();
    public boolean closed;

    @Override
    public Step handle(ConsumerRecord<byte[], byte[]> record, int attempt, boolean begun) {
        String place = record.partition() + "@" + record.offset();
        if (begun) {
            repeated.add(place);
        }
        asked.add(place + "#" + attempt);
        Step answer = answers.poll();
        return answer == null ? settled(place) : answer;
    }

    @Override
    public int mostHeld() {
        return 100;
    }

    @Override
    public Step release(List<ConsumerRecord<byte[], byte[]>> records, int attempt, boolean begun) {
        ConsumerRecord<byte[], byte[]> first = records.get(0);
        String place = first.partition() + "@" + first.offset() + "+" + records.size();
        releases.add(place + "#" + attempt);
        onRelease.run();
        return settled(place);
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
