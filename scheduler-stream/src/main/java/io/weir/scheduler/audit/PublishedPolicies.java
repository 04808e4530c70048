package io.weir.scheduler.audit;

import io.weir.schemas.PolicyVersion;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/** The policies on the policy topic: the version published last for each cluster. Records that cannot be read are passed over. */
public final class PublishedPolicies {
    private PublishedPolicies() {}

    /** Returns the version published last, by cluster. */
    public static SortedMap<String, PolicyVersion> last(RecordLog log, TopicNames names, InputReader decoder) {
        SortedMap<String, PolicyVersion> last = new TreeMap<>();
        String topic = names.full(Topics.POLICY);
        for (int partition = 0; partition < log.partitions(topic); partition++) {
            try (RecordLog.Reader reader = log.read(new TopicPartition(topic, partition))) {
                for (RecordLog.Entry entry = reader.next(); entry != null; entry = reader.next()) {
                    if (entry instanceof RecordLog.Found found) {
                        keep(found, decoder, last);
                    }
                }
            }
        }
        return Collections.unmodifiableSortedMap(last);
    }

    private static void keep(RecordLog.Found found, InputReader decoder, SortedMap<String, PolicyVersion> last) {
        try {
            PolicyVersion version = decoder.read(Topics.POLICY, found.value().value());
            last.put(version.getCluster(), version);
        } catch (IOException e) {
            // No policy: intake has made it a dead letter.
        }
    }
}
