package io.weir.loop.log;

import io.weir.loop.turn.SimulatedProcess;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/** A consumer as its group knows it. */
final class GroupMember {
    private final String id;
    private final Optional<String> instance;
    private final SimulatedProcess process;
    private final List<String> topics;
    private final long sessionMicros;
    private final Set<TopicPartition> partitions = new LinkedHashSet<>();
    private int generation;
    private Standing standing = Standing.MEMBER;

    /** What the group thinks of it. */
    enum Standing {
        MEMBER,
        /** It was not heard of for too long, or left. */
        GONE,
        /** Another of the same instance id has taken its place. */
        REPLACED
    }

    GroupMember(
            String id, Optional<String> instance, SimulatedProcess process, List<String> topics, long sessionMicros) {
        this.id = id;
        this.instance = instance;
        this.process = process;
        this.topics = topics;
        this.sessionMicros = sessionMicros;
    }

    String id() {
        return id;
    }

    Optional<String> instance() {
        return instance;
    }

    List<String> topics() {
        return topics;
    }

    Set<TopicPartition> partitions() {
        return partitions;
    }

    int generation() {
        return generation;
    }

    void generation(int number) {
        generation = number;
    }

    Standing standing() {
        return standing;
    }

    void standing(Standing now) {
        standing = now;
    }

    /** Says whether its session is over: it was not heard of since. */
    boolean isOverdue(long now, long brokerBackSince) {
        return now - Math.max(process.lastHeard(), brokerBackSince) > sessionMicros;
    }

    long sessionMicros() {
        return sessionMicros;
    }
}
