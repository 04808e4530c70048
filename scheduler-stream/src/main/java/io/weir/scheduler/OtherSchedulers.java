package io.weir.scheduler;

import io.weir.scheduler.stream.store.StoredPositions;
import io.weir.topics.UnfitBrokerException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * Sees to it that no scheduler of another application.id is at work on the same topics. Each would decide by itself, and
 * both would write one journal, which nobody could verify any more. Schedulers are known by the changelog that each of them
 * has; where the broker hides it or the group, the authorizer keeps such a scheduler from the topics too. Blocks for the broker.
 */
final class OtherSchedulers {
    private static final String CHANGELOG = StoredPositions.changelog("");
    private static final long TIMEOUT_SECONDS = 30;

    private OtherSchedulers() {}

    /**
     * Looks for schedulers that take in {@code inputs} now.
     *
     * @throws UnfitBrokerException naming each
     */
    static void refuse(Admin admin, String applicationId, Collection<String> inputs) {
        List<String> problems = problems(admin, applicationId, inputs);
        if (!problems.isEmpty()) {
            throw new UnfitBrokerException(problems);
        }
    }

    /** Returns a sentence or two on each scheduler of another application.id that takes in {@code inputs} now, sorted. */
    static List<String> problems(Admin admin, String applicationId, Collection<String> inputs) {
        try {
            Set<String> others = applications(within(admin.listTopics().names()));
            others.remove(applicationId);
            List<ConsumerGroupDescription> groups = new ArrayList<>();
            for (KafkaFuture<ConsumerGroupDescription> group :
                    admin.describeConsumerGroups(others).describedGroups().values()) {
                try {
                    groups.add(within(group));
                } catch (ExecutionException e) {
                    if (!(e.getCause() instanceof GroupIdNotFoundException)
                            && !(e.getCause() instanceof GroupAuthorizationException)) {
                        throw e;
                    }
                }
            }
            return problems(applicationId, groups, Set.copyOf(inputs));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for groups of schedulers", e);
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    "The broker did not answer about groups of schedulers within " + TIMEOUT_SECONDS + " s", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("The broker refused groups of schedulers: " + e.getCause(), e.getCause());
        }
    }

    /** Returns the application.id of every scheduler that has a changelog among {@code topics}. */
    static Set<String> applications(Collection<String> topics) {
        Set<String> applications = new TreeSet<>();
        for (String topic : topics) {
            if (topic.endsWith(CHANGELOG)) {
                applications.add(topic.substring(0, topic.length() - CHANGELOG.length()));
            }
        }
        return applications;
    }

    /** Returns what is said of the {@code groups} that have members to which partitions of {@code inputs} are assigned. */
    static List<String> problems(
            String applicationId, Collection<ConsumerGroupDescription> groups, Set<String> inputs) {
        return groups.stream()
                .flatMap(group -> group.members().stream()
                        .filter(member -> takesIn(member, inputs))
                        .map(member -> "A scheduler with application.id " + group.groupId() + " (" + member.clientId()
                                + " on " + member.host()
                                + ") is at work on the same topics, and this one has application.id "
                                + applicationId + ": each would decide by itself, and both would write one journal."
                                + " Instances that stand in for each other need the same application.id; separate"
                                + " installations need a topics.prefix each"))
                .sorted()
                .toList();
    }

    private static boolean takesIn(MemberDescription member, Set<String> inputs) {
        return member.assignment().topicPartitions().stream()
                .map(TopicPartition::topic)
                .anyMatch(inputs::contains);
    }

    private static <T> T within(KafkaFuture<T> future)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
}
