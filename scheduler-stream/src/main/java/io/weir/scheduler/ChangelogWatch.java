package io.weir.scheduler;

import io.weir.scheduler.stream.Rewriting;
import io.weir.service.BrokerQuestions;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches whether a topic that keeps the state has all of it. One that is made anew while the scheduler runs has only what changes
 * from then on. One whose clean-up was changed loses what did not change for a while: compaction alone never moves a topic's
 * beginning, so where it has moved, records were removed that may have been the latest of their keys. What is not there is written
 * to it anew, as nobody could restore the state from it otherwise.
 */
final class ChangelogWatch implements BrokerQuestions.Question {
    private static final Logger log = LoggerFactory.getLogger(ChangelogWatch.class);

    private final Collection<String> changelogs;
    private final Rewriting rewriting;
    private final Runnable madeAnew;
    private final IntPredicate copied;

    /** The topics as they were seen last. */
    private final Map<String, Uuid> known = new HashMap<>();

    /** Where their partitions began when they were seen last. */
    private final Map<TopicPartition, Long> beginnings = new HashMap<>();

    /**
     * Watches {@code changelogs}.
     *
     * @param rewriting is asked for the state where one is made anew
     * @param madeAnew is run before
     * @param copied says of which partitions this machine has a copy of the state, before the stream starts
     */
    ChangelogWatch(Collection<String> changelogs, Rewriting rewriting, Runnable madeAnew, IntPredicate copied) {
        this.changelogs = changelogs;
        this.rewriting = rewriting;
        this.madeAnew = madeAnew;
        this.copied = copied;
    }

    @Override
    public void ask(Admin admin) throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> partitions = new HashMap<>();
        for (Map.Entry<String, KafkaFuture<TopicDescription>> each :
                admin.describeTopics(changelogs).topicNameValues().entrySet()) {
            try {
                TopicDescription topic = each.getValue().get();
                seen(topic.name(), topic.topicId(), topic.partitions().size());
                topic.partitions()
                        .forEach(partition -> partitions.put(
                                new TopicPartition(topic.name(), partition.partition()), OffsetSpec.earliest()));
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                }
                // It is missing, which the condition "topics" tells.
            }
        }
        for (Map.Entry<TopicPartition, ListOffsetsResultInfo> each :
                admin.listOffsets(partitions).all().get().entrySet()) {
            begins(each.getKey(), each.getValue().offset());
        }
    }

    /** Compares a topic with what it was. */
    void seen(String name, Uuid id, int partitions) {
        Uuid before = known.put(name, id);
        if (before != null && !before.equals(id)) {
            log.warn("Topic {}, which keeps the state, was made anew; the state is written to it", name);
            madeAnew.run();
            rewriting.request(IntStream.range(0, partitions).boxed().toList());
            beginnings.keySet().removeIf(partition -> partition.topic().equals(name));
        }
    }

    /** Compares where a partition begins with where it began. */
    void begins(TopicPartition partition, long offset) {
        Long before = beginnings.put(partition, offset);
        if (offset <= (before == null ? 0 : before)) {
            return;
        }
        if (before != null || copied.test(partition.partition())) {
            log.warn(
                    "Records of {}, which keeps the state, were removed up to offset {}, perhaps the latest of their keys; the"
                            + " state is written to it anew",
                    partition,
                    offset);
            rewriting.request(List.of(partition.partition()));
        } else {
            log.error(
                    "Records of {}, which keeps the state, were removed up to offset {}, and this machine has no copy: the state"
                            + " is restored from what is left. If the log of no earlier start says that the state was written"
                            + " anew since then, it may lack what had not changed for a while, such as the configuration in"
                            + " force, holds and reservations",
                    partition,
                    offset);
        }
    }
}
