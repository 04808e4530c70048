package io.weir.standalone.access;

import io.weir.monitoring.source.MonitoringService;
import io.weir.notifier.runtime.NotifierService;
import io.weir.rm.runtime.ConnectorService;
import io.weir.scheduler.ReductionService;
import io.weir.scheduler.SchedulerService;
import io.weir.topics.Grant;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * What each account of an installation may do on its broker, and nothing besides. The services state what they need; what
 * nobody is granted here, only the administrator can do.
 *
 * @param accounts grants by account, in the order in which they are shown
 */
public record Grants(Map<Account, List<Grant>> accounts) {
    /** Groups of readers: Kafka's console consumer takes names of its own. */
    private static final List<String> READERS_GROUPS = List.of("weir-reader", "console-consumer-");

    /** Nothing is granted. */
    public static final Grants NONE = new Grants(Map.of());

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(5);

    public Grants {
        accounts = Collections.unmodifiableMap(new LinkedHashMap<>(accounts));
    }

    /**
     * A connector of an installation.
     *
     * @param cluster its cluster
     * @param id its id
     */
    public record Connector(String cluster, String id) {}

    /**
     * A monitoring source of an installation.
     *
     * @param cluster its cluster
     * @param id its id
     * @param topics topics of others that it reads
     */
    public record Source(String cluster, String id, List<String> topics) {
        public Source {
            topics = List.copyOf(topics);
        }
    }

    /** Returns the grants of a monitoring source, and those of whoever publishes what it reads. */
    public static Grants of(TopicNames names, Source source) {
        Map<Account, List<Grant>> accounts = new LinkedHashMap<>();
        accounts.put(
                Account.monitoringSource(source.cluster(), source.id()),
                MonitoringService.grants(names, source.cluster(), source.id(), source.topics()));
        accounts.put(
                Account.MONITORING,
                source.topics().stream().map(Grant::writingForeign).toList());
        return new Grants(accounts);
    }

    /** Returns the grants of the services, and of those who publish measurements or only read. */
    public static Grants of(TopicNames names, String applicationId, List<Connector> connectors) {
        Map<Account, List<Grant>> accounts = new LinkedHashMap<>();
        accounts.put(Account.SCHEDULER, SchedulerService.grants(names, applicationId));
        accounts.put(Account.REDUCTION, ReductionService.grants(names));
        accounts.put(Account.API, SchedulerService.apiGrants(names));
        for (Connector connector : connectors) {
            accounts.put(
                    Account.connector(connector.cluster(), connector.id()),
                    ConnectorService.grants(names, connector.cluster(), connector.id(), applicationId));
        }
        accounts.put(Account.NOTIFIER, NotifierService.grants(names));
        accounts.put(
                Account.MONITORING, Grant.writing(names, List.of(Topics.MONITORING_METRICS, Topics.MONITORING_EVENTS)));
        List<Grant> reading = new ArrayList<>(Grant.reading(names, Topics.all()));
        READERS_GROUPS.forEach(group -> reading.add(Grant.groups(group)));
        accounts.put(Account.READER, reading);
        List<Grant> auditing = new ArrayList<>(Grant.reading(names, Topics.all()));
        auditing.addAll(Grant.writing(names, List.of(Topics.SNAPSHOTS)));
        accounts.put(Account.AUDIT, auditing);
        return new Grants(accounts);
    }

    /** Returns the grants of a registry that keeps its content in {@code topic}. */
    public static Grants ofRegistry(String topic) {
        return new Grants(Map.of(
                Account.REGISTRY,
                List.of(
                        Grant.ownTopic(topic),
                        Grant.transactions("registry-" + topic),
                        // Confluent's registry elects its leader by this group.
                        Grant.group("schema-registry"))));
    }

    /** Returns these grants and {@code others}. */
    public Grants and(Grants others) {
        Map<Account, List<Grant>> all = new LinkedHashMap<>(accounts);
        others.accounts()
                .forEach((account, grants) -> all.merge(account, grants, (one, other) -> {
                    List<Grant> both = new ArrayList<>(one);
                    both.addAll(other);
                    return both;
                }));
        return new Grants(all);
    }

    /** Returns them as a broker stores them. */
    public List<AclBinding> bindings() {
        return accounts.entrySet().stream()
                .flatMap(entry -> entry.getValue().stream()
                        .flatMap(grant -> grant.bindings(entry.getKey().principal()).stream()))
                .distinct()
                .toList();
    }

    /** Adds them to what the broker behind {@code admin} allows; returns when it obeys them. */
    public void apply(Admin admin) {
        apply(admin, bindings());
    }

    /** Adds {@code rules} to what the broker behind {@code admin} allows; returns when it obeys them. */
    public static void apply(Admin admin, Collection<AclBinding> rules) {
        Set<AclBinding> missing = new LinkedHashSet<>(rules);
        try {
            missing.removeAll(inForce(admin));
            if (missing.isEmpty()) {
                return;
            }
            admin.createAcls(missing).all().get();
            // The controller has them; the broker learns of them a moment later.
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (!inForce(admin).containsAll(missing)) {
                if (System.nanoTime() > deadline) {
                    throw new TimeoutException("The broker does not know its access rules after " + PATIENCE);
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        } catch (ExecutionException e) {
            throw new KafkaException("Cannot grant access: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private static Set<AclBinding> inForce(Admin admin) throws ExecutionException, InterruptedException {
        return Set.copyOf(admin.describeAcls(AclBindingFilter.ANY).values().get());
    }
}
