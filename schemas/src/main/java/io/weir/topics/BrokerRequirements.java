package io.weir.topics;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FinalizedVersionRange;

/**
 * What Weir asks of a broker before it trusts it with exactly-once processing: transactions of the second version, which
 * leave no window for a zombie's writes. They are a feature of the cluster since Kafka 4.0.
 */
public final class BrokerRequirements {

    private static final String FEATURE = "transaction.version";
    private static final short NEEDED = 2;

    private BrokerRequirements() {}

    /**
     * Asks the cluster behind {@code admin}; blocks for the answer.
     *
     * @throws UnfitBrokerException when it has an older version of transactions
     */
    public static void check(Admin admin) {
        check(KafkaFutures.get(admin.describeFeatures().featureMetadata(), "features of the cluster")
                .finalizedFeatures());
    }

    static void check(Map<String, FinalizedVersionRange> features) {
        FinalizedVersionRange range = features.get(FEATURE);
        int level = range == null ? 0 : range.maxVersionLevel();
        if (level < NEEDED) {
            throw new UnfitBrokerException(List.of("Feature " + FEATURE + " is at level " + level + ", but exactly-once"
                    + " scheduling needs " + NEEDED
                    + ". Run brokers of Kafka 4.0 or newer and raise it: kafka-features.sh"
                    + " --bootstrap-server HOST:PORT upgrade --feature " + FEATURE + "=" + NEEDED));
        }
    }
}
