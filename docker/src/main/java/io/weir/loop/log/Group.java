package io.weir.loop.log;

import io.weir.loop.log.GroupMember.Standing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.IllegalGenerationException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.jspecify.annotations.Nullable;

/**
 * A consumer group: its members, who of them reads what, and its positions. A partition stays with its reader as long as
 * that one is a member; then the member that has been there longest gets it.
 */
final class Group {
    private final List<GroupMember> members = new ArrayList<>();
    private final Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
    private int generation;

    Map<TopicPartition, OffsetAndMetadata> positions() {
        return positions;
    }

    /** Takes {@code member} in; one of the same instance id hands its partitions over without a rebalance. */
    void join(GroupMember member, List<TopicPartition> all) {
        Optional<GroupMember> former = members.stream()
                .filter(other ->
                        other.instance().isPresent() && other.instance().equals(member.instance()))
                .findFirst();
        if (former.isPresent()) {
            former.get().standing(Standing.REPLACED);
            member.partitions().addAll(former.get().partitions());
            member.generation(generation);
            members.set(members.indexOf(former.get()), member);
        } else {
            members.add(member);
            rebalance(all);
        }
    }

    /** Removes {@code member}, which leaves or is overdue. */
    void leave(GroupMember member, List<TopicPartition> all) {
        if (members.remove(member)) {
            member.standing(Standing.GONE);
            rebalance(all);
        }
    }

    List<GroupMember> members() {
        return List.copyOf(members);
    }

    private void rebalance(List<TopicPartition> all) {
        generation++;
        members.forEach(member -> member.generation(generation));
        for (TopicPartition partition : all) {
            if (members.stream().noneMatch(member -> member.partitions().contains(partition))) {
                members.stream()
                        .filter(member -> member.topics().contains(partition.topic()))
                        .findFirst()
                        .ifPresent(member -> member.partitions().add(partition));
            }
        }
    }

    /** Throws unless {@code writer} may move positions of this group. */
    void check(ConsumerGroupMetadata writer) {
        if (writer.memberId().isEmpty() && members.isEmpty()) {
            return;
        }
        @Nullable
        GroupMember named = members.stream()
                .filter(member -> member.id().equals(writer.memberId()))
                .findFirst()
                .orElse(null);
        if (named == null) {
            boolean replaced = writer.groupInstanceId().isPresent()
                    && members.stream().anyMatch(member -> member.instance().equals(writer.groupInstanceId()));
            if (replaced) {
                throw new FencedInstanceIdException("Instance " + writer.groupInstanceId() + " is another by now");
            }
            throw new UnknownMemberIdException("Member '" + writer.memberId() + "' is not in the group");
        }
        if (writer.generationId() != generation) {
            throw new IllegalGenerationException(
                    "Generation " + writer.generationId() + " is over, it is " + generation);
        }
    }
}
