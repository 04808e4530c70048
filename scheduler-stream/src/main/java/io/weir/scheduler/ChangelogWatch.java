package io.weir.scheduler;

import io.weir.scheduler.stream.Rewriting;
import io.weir.service.BrokerQuestions;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches whether a topic that keeps the state is made anew while the scheduler runs. It has only what changes from then on; so
 * what is not there is written to it, as nobody could restore the state from it otherwise.
 */
final class ChangelogWatch implements BrokerQuestions.Question {
    private static final Logger log = LoggerFactory.getLogger(ChangelogWatch.class);

    private final Collection<String> changelogs;
    private final Rewriting rewriting;
    private final Runnable madeAnew;

    /** The topics as they were seen last. */
    private final Map<String, Uuid> known = new HashMap<>();

    /**
     * Watches {@code changelogs}.
     *
     * @param rewriting is asked for the state where one is made anew
     * @param madeAnew is run before
     */
    ChangelogWatch(Collection<String> changelogs, Rewriting rewriting, Runnable madeAnew) {
        this.changelogs = changelogs;
        this.rewriting = rewriting;
        this.madeAnew = madeAnew;
    }

    @Override
    public void ask(Admin admin) throws ExecutionException, InterruptedException {
        for (Map.Entry<String, KafkaFuture<TopicDescription>> each :
                admin.describeTopics(changelogs).topicNameValues().entrySet()) {
            try {
                TopicDescription topic = each.getValue().get();
                seen(topic.name(), topic.topicId(), topic.partitions().size());
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                }
                // It is missing, which the condition "topics" tells.
            }
        }
    }

    /** Compares a topic with what it was. */
    void seen(String name, Uuid id, int partitions) {
        Uuid before = known.put(name, id);
        if (before != null && !before.equals(id)) {
            log.warn("Topic {}, which keeps the state, was made anew; the state is written to it", name);
            madeAnew.run();
            rewriting.request(IntStream.range(0, partitions).boxed().toList());
        }
    }
}
