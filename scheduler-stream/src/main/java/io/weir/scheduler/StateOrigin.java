package io.weir.scheduler;

import io.weir.service.BrokerQuestions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which Kafka cluster the state on this machine comes from, and when it was last up to date. Kafka Streams goes on from the offset
 * that is stored with it, whatever topic of that name it finds. Of another cluster's topics it would take what lies behind that
 * offset, and one state would be made of two. And a topic keeps the tombstone of what is gone for {@code delete.retention.ms} only:
 * a machine that was away for longer would never hear of it, and have jobs that ended long ago. Neither is gone on
 * from: it is moved aside, and restored from its topics, which have all of it.
 *
 * <p>The mark is a file beside the stores: it contains the cluster's id, and was last modified when the state was up to date.
 */
final class StateOrigin {
    private static final Logger log = LoggerFactory.getLogger(StateOrigin.class);
    private static final String MARK = "kafka-cluster-id";

    private final Path state;
    private final Path mark;
    private final InstantSource clock;

    /** The Kafka cluster that was spoken to last; null before. */
    private volatile @Nullable String here;

    /** Speaks of the state in the directory {@code state}, the application's own. */
    StateOrigin(Path state, InstantSource clock) {
        this.state = state;
        this.mark = state.resolve(MARK);
        this.clock = clock;
    }

    /** Sets the state aside where it is of another Kafka cluster than {@code admin} speaks to. */
    void setAsideOfOthers(Admin admin) throws ExecutionException, InterruptedException {
        String cluster = admin.describeCluster().clusterId().get();
        here = cluster;
        Optional<String> origin = origin();
        if (origin.isPresent() && !origin.get().equals(cluster)) {
            log.warn(
                    "The state in {} is of Kafka cluster {}, and these brokers are cluster {}: it was moved to {}, and the state is"
                            + " restored from the topics here",
                    state,
                    origin.get(),
                    cluster,
                    FormerState.move(state));
        }
    }

    /** Sets the state aside where its topics, {@code changelogs}, may have forgotten by now what went since it was up to date. */
    void setAsideOutdated(Admin admin, Collection<String> changelogs) throws ExecutionException, InterruptedException {
        Optional<Instant> last = lastCurrent();
        Optional<Duration> kept = tombstonesKept(admin, changelogs);
        if (last.isPresent() && kept.isPresent() && isOutdated(last.get(), kept.get())) {
            log.warn(
                    "The state in {} was last up to date at {}, and its topics keep the tombstones of what is gone for {} h only: it"
                            + " was moved to {}, where it stays until the next one, and is restored from its topics",
                    state,
                    last.get(),
                    kept.get().toHours(),
                    FormerState.replaceOutdated(state));
        }
    }

    /** Half of the time is left for restoring it. */
    private boolean isOutdated(Instant last, Duration kept) {
        return last.plus(kept.dividedBy(2)).isBefore(clock.instant());
    }

    /**
     * Returns what keeps the mark: the state is up to date when the stream runs for the second time in a row, for the first time it
     * may still be restored.
     *
     * @param running says whether the stream runs
     */
    BrokerQuestions.Question keeping(BooleanSupplier running) {
        AtomicBoolean ran = new AtomicBoolean();
        return admin -> {
            boolean runs = running.getAsBoolean();
            if (ran.getAndSet(runs) && runs) {
                here = admin.describeCluster().clusterId().get();
                confirm();
            }
        };
    }

    /** Says that the state is up to date. */
    void confirm() {
        String cluster = here;
        if (cluster == null || !Files.isDirectory(state)) {
            return;
        }
        try {
            Files.writeString(mark, cluster);
            Files.setLastModifiedTime(mark, FileTime.from(clock.instant()));
        } catch (IOException e) {
            log.warn(
                    "Cannot write {}; with an older one the next start may restore the state from its topics", mark, e);
        }
    }

    /** Returns the id of the Kafka cluster of which the state is; empty where that is not known. */
    private Optional<String> origin() {
        try {
            return Files.exists(mark)
                    ? Optional.of(Files.readString(mark).strip()).filter(id -> !id.isEmpty())
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + mark, e);
        }
    }

    private Optional<Instant> lastCurrent() {
        try {
            return Files.exists(mark)
                    ? Optional.of(Files.getLastModifiedTime(mark).toInstant())
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + mark, e);
        }
    }

    /** Returns for how long each of {@code changelogs} keeps a tombstone at least; empty where there is none of them. */
    private static Optional<Duration> tombstonesKept(Admin admin, Collection<String> changelogs)
            throws ExecutionException, InterruptedException {
        Map<ConfigResource, KafkaFuture<Config>> configs = admin.describeConfigs(changelogs.stream()
                        .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                        .toList())
                .values();
        Optional<Duration> least = Optional.empty();
        for (KafkaFuture<Config> config : configs.values()) {
            try {
                Duration kept = Duration.ofMillis(Long.parseLong(
                        config.get().get(TopicConfig.DELETE_RETENTION_MS_CONFIG).value()));
                least = least.filter(other -> other.compareTo(kept) <= 0).or(() -> Optional.of(kept));
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                }
                // It is made anew, with everything that this machine has.
            }
        }
        return least;
    }
}
