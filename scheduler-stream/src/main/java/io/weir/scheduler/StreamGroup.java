package io.weir.scheduler;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The instances of the scheduler that the broker knows, and what those that are gone left open. Thread-safe; methods
 * block for the broker, a few seconds at most.
 */
final class StreamGroup implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(StreamGroup.class);
    private static final long TIMEOUT_SECONDS = 2;

    private final Admin admin;
    private final String applicationId;
    private final Pattern own;

    /** Speaks for {@code instanceId}; {@code admin} is closed with this object. */
    StreamGroup(Admin admin, String applicationId, String instanceId) {
        this.admin = admin;
        this.applicationId = applicationId;
        this.own = Pattern.compile(Pattern.quote(instanceId) + "-\\d+");
    }

    /**
     * Says whether another instance is a member.
     *
     * @throws KafkaException when the broker does not say
     */
    boolean hasOthers() {
        return members().stream().anyMatch(member -> !own.matcher(member).matches());
    }

    /**
     * Aborts the transactions of instances that are no members any more: until then nobody who reads committed records
     * sees what was written after them. A process that was killed would hold up its readers until its transaction times
     * out, and one that was paused until it goes on. Only logs what fails: the broker aborts them in the end.
     */
    void endAbandonedTransactions() {
        try {
            // In this order: who begins a transaction meanwhile is a member already.
            Set<String> abandoned = openTransactions();
            if (abandoned.isEmpty()) {
                return;
            }
            members().forEach(member -> abandoned.remove(StreamClients.transactionalPrefix(applicationId) + member));
            if (!abandoned.isEmpty()) {
                get(admin.fenceProducers(abandoned).all());
                log.info("Aborted what instances that are gone had left open: transactions={}", abandoned);
            }
        } catch (KafkaException e) {
            log.warn("Transactions of instances that are gone, if any, stay open until they time out", e);
        }
    }

    private Set<String> openTransactions() {
        String prefix = StreamClients.transactionalPrefix(applicationId);
        ListTransactionsOptions open = new ListTransactionsOptions().filterStates(List.of(TransactionState.ONGOING));
        Collection<TransactionListing> listings =
                get(admin.listTransactions(open).all());
        Set<String> ids = new TreeSet<>();
        for (TransactionListing listing : listings) {
            if (listing.transactionalId().startsWith(prefix)) {
                ids.add(listing.transactionalId());
            }
        }
        return ids;
    }

    private Set<String> members() {
        Set<String> members = new TreeSet<>();
        get(admin.describeConsumerGroups(List.of(applicationId)).all()).values().stream()
                .flatMap(group -> group.members().stream())
                .forEach(member -> members.add(member.groupInstanceId().orElse(member.consumerId())));
        return members;
    }

    private static <T> T get(KafkaFuture<T> future) {
        try {
            return future.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } catch (TimeoutException e) {
            throw new KafkaException("The broker did not answer within " + TIMEOUT_SECONDS + " s", e);
        } catch (ExecutionException e) {
            throw new KafkaException("The broker refused: " + e.getCause(), e.getCause());
        }
    }

    @Override
    public void close() {
        admin.close();
    }
}
