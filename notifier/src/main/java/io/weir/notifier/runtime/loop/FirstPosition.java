package io.weir.notifier.runtime.loop;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a group begins to read a partition on which it has no usable position. A group that has lost its position goes on
 * behind what it settled last, and so does one whose position brokers lost with the topic's end; only one that has settled nothing
 * is new. A position that was set by hand, too, sends nothing again that was settled: what was settled is on record, and
 * a program that ran or a mail that went out cannot be taken back. It never jumps silently: records that expired
 * before they were read are reported as an error with their offsets.
 */
public enum FirstPosition {
    /** A new channel is sent everything the topic still holds. */
    EARLIEST,
    /** A new channel is sent what comes from now on. */
    LATEST;

    private static final Logger log = LoggerFactory.getLogger(FirstPosition.class);

    /**
     * Puts {@code consumer} on the right position of {@code partitions}, which it was just assigned, and returns those
     * that are new to its group and are to be committed, so that a restart does not choose again. {@code history} is
     * asked for those alone.
     */
    Map<TopicPartition, Long> place(
            Consumer<?, ?> consumer, Collection<TopicPartition> partitions, SettlementHistory history) {
        Set<TopicPartition> all = new HashSet<>(partitions);
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(all);
        Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(all);
        Map<TopicPartition, Long> ends = consumer.endOffsets(all);
        Set<TopicPartition> unknown = new HashSet<>(all);
        unknown.removeIf(partition -> {
            OffsetAndMetadata known = committed.get(partition);
            return known != null && BeginningMark.isOwn(known) && known.offset() <= ends.getOrDefault(partition, 0L);
        });
        Map<TopicPartition, Long> settled = unknown.isEmpty() ? Map.of() : history.positions(unknown);
        Map<TopicPartition, Long> chosen = new HashMap<>();
        for (TopicPartition partition : all) {
            long beginning = beginnings.getOrDefault(partition, 0L);
            long end = ends.getOrDefault(partition, beginning);
            OffsetAndMetadata known = committed.get(partition);
            if (known == null) {
                long first = first(partition, settled.get(partition), beginning, end);
                consumer.seek(partition, first);
                chosen.put(partition, first);
            } else if (known.offset() > end && isBetween(beginning, settled.get(partition), end)) {
                long behind = settled.getOrDefault(partition, end);
                reportLostEnd(partition, known.offset(), end, behind);
                consumer.seek(partition, behind);
                chosen.put(partition, behind);
            } else if (known.offset() < beginning || known.offset() > end) {
                reportLoss(partition, known.offset(), beginning, end);
                consumer.seek(partition, beginning);
                chosen.put(partition, beginning);
            } else if (BeginningMark.isOwn(known)) {
                consumer.seek(partition, known.offset());
            } else {
                long from = behindSettled(partition, known.offset(), settled.get(partition), end);
                consumer.seek(partition, from);
                chosen.put(partition, from);
            }
        }
        return chosen;
    }

    /** Returns where to go on from a position that no reader kept: at the position itself unless more was settled. */
    private static long behindSettled(TopicPartition partition, long position, @Nullable Long settled, long end) {
        if (settled != null && settled > position && settled <= end) {
            log.warn(
                    "the group's position on topic={} partition={} was set back by hand, to offset={}; what was settled is not"
                            + " done again: going on behind it, offset={}. To have notifications sent again, give the channel"
                            + " another name",
                    partition.topic(),
                    partition.partition(),
                    position,
                    settled);
            return settled;
        }
        log.info(
                "the group's position on topic={} partition={} is offset={}, set by hand or by an older build; what lies"
                        + " before it is not read{}",
                partition.topic(),
                partition.partition(),
                position,
                settled == null ? "" : ", what was settled last is before offset=" + settled);
        return position;
    }

    /** What was settled is still there: it is the same topic, but brokers lost its end. */
    private static boolean isBetween(long beginning, @Nullable Long settled, long end) {
        return settled != null && settled > beginning && settled <= end;
    }

    private static void reportLostEnd(TopicPartition partition, long position, long end, long behind) {
        log.error(
                "topic={} partition={} ends at {} before this channel's position offset={}: brokers lost its end; going on"
                        + " behind what was settled last of it, offset={}",
                partition.topic(),
                partition.partition(),
                end,
                position,
                behind);
    }

    private long first(TopicPartition partition, @Nullable Long settled, long beginning, long end) {
        if (settled != null && settled <= end) {
            log.warn(
                    "the group's position on topic={} partition={} is lost; going on behind what was settled last,"
                            + " offset={}",
                    partition.topic(),
                    partition.partition(),
                    settled);
            return Math.max(settled, beginning);
        }
        long first = this == LATEST ? end : beginning;
        log.info(
                "reads topic={} partition={} for the first time, from offset={}", //
                partition.topic(),
                partition.partition(),
                first);
        return first;
    }

    /** What is read is written in transactions, and the last offset of an ended one is no record, but its marker. */
    private static boolean isMarkerOnly(long position, long beginning, long end) {
        return beginning == end && position == end - 1;
    }

    private static void reportLoss(TopicPartition partition, long position, long beginning, long end) {
        if (isMarkerOnly(position, beginning, end)) {
            log.info(
                    "topic={} partition={} is empty by now, and all it held was read; going on at its end, offset={}",
                    partition.topic(),
                    partition.partition(),
                    end);
        } else if (position < beginning) {
            log.error(
                    "records of topic={} partition={} from offset={} to {} expired before they were read and are lost to"
                            + " this channel; keep the topic longer than a channel may be away",
                    partition.topic(),
                    partition.partition(),
                    position,
                    beginning - 1);
        } else {
            log.error(
                    "topic={} partition={} ends at {} before this channel's position offset={}: it was made anew; reading"
                            + " it from its beginning {}",
                    partition.topic(),
                    partition.partition(),
                    end,
                    position,
                    beginning);
        }
    }
}
