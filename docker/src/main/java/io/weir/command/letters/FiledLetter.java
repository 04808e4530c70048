package io.weir.command.letters;

import io.weir.schemas.DeadLetter;
import io.weir.schemas.RecordHeader;
import io.weir.topics.FactHeaders;
import io.weir.topics.RedriveMark;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * A dead letter with its own place.
 *
 * @param partition partition of the dead letters it is on
 * @param offset its offset there
 * @param filed when it was written
 * @param cluster cluster it belongs to; empty when unknown
 * @param letter what it says
 */
record FiledLetter(int partition, long offset, Instant filed, String cluster, DeadLetter letter) {
    /** Returns the place the record came from: {@code topic-partition@offset}. */
    String origin() {
        return letter.getTopic() + "-" + letter.getPartition() + "@" + letter.getOffset();
    }

    /** Returns the headers of the record. */
    RecordHeaders headers() {
        RecordHeaders headers = new RecordHeaders();
        for (RecordHeader header : letter.getHeaders()) {
            headers.add(header.getName(), LetterText.bytes(header.getValue()));
        }
        return headers;
    }

    /** Returns the channel or peer that gave it up, which alone gets it when it is sent again; empty for all readers. */
    Optional<String> channel() {
        return FactHeaders.CHANNEL.get(headers());
    }

    /** Returns what tells letters apart: several channels may have given up one record. */
    String identity() {
        return channel().map(channel -> origin() + " " + channel).orElse(origin());
    }

    /** Says whether this only records that a letter was sent again. */
    boolean isMark() {
        return RedriveMark.is(letter);
    }
}
