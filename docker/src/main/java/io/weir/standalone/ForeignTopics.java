package io.weir.standalone;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/** Topics of the site's own monitoring, on a broker where nobody else makes them. */
public final class ForeignTopics {
    private static final long KEPT_DAYS = 1;

    private ForeignTopics() {}

    /** Makes those of {@code topics} that are missing, on the broker behind the client settings {@code client}. */
    public static void make(Collection<String> topics, Map<String, Object> client) {
        if (topics.isEmpty()) {
            return;
        }
        try (Admin admin = Admin.create(client)) {
            Collection<String> missing = new TreeSet<>(topics);
            missing.removeAll(admin.listTopics().names().get());
            Map<String, String> settings = Map.of("retention.ms", Long.toString(TimeUnit.DAYS.toMillis(KEPT_DAYS)));
            List<NewTopic> made = missing.stream()
                    .map(name -> new NewTopic(name, Optional.of(1), Optional.empty()).configs(settings))
                    .toList();
            admin.createTopics(made).all().get();
        } catch (ExecutionException e) {
            throw new KafkaException("Cannot make the topics " + topics + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
