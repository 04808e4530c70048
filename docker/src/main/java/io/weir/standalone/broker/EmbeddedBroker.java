package io.weir.standalone.broker;

import io.weir.standalone.access.Account;
import io.weir.standalone.access.Credential;
import io.weir.standalone.access.Credentials;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One Kafka node, broker and controller in one, on the loopback interface. What was acknowledged survives a kill of
 * the process: the next start on the same directory continues with it, on whatever port. Clients, and the broker towards
 * itself, log in with credentials of the directory, and may do what they were granted. It is for trying out, tests and
 * small sites; it keeps no replica.
 */
public final class EmbeddedBroker implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EmbeddedBroker.class);
    private static final int NODE = 1;
    private static final String CLIENTS = "CLIENTS";
    private static final String CONTROLLER = "CONTROLLER";
    private static final String PLAIN = "PLAIN";
    private static final String FIRST_OF_THE_TRANSACTION_LOG = "__transaction_state-0";

    private final DirectoryLock lock;
    private final KafkaRaftServer server;
    private final int port;

    private EmbeddedBroker(DirectoryLock lock, KafkaRaftServer server, int port) {
        this.lock = lock;
        this.server = server;
        this.port = port;
    }

    /** Returns whether a broker was ever started on {@code directory}; it may run or not. */
    public static boolean wasStarted(Path directory) {
        return new BrokerFormat(directory).isThere();
    }

    /** Starts a broker on {@code directory}; port 0 takes any free one. Returns when it serves clients. */
    public static EmbeddedBroker start(Path directory, Credentials credentials, int port) {
        return start(directory, credentials, port, Map.of());
    }

    /** Starts a broker with {@code settings} of Kafka laid over its own. */
    public static EmbeddedBroker start(
            Path directory, Credentials credentials, int port, Map<String, String> settings) {
        long began = System.nanoTime();
        DirectoryLock lock = DirectoryLock.take(directory);
        try {
            BrokerFormat format = new BrokerFormat(directory);
            format.ensure(NODE, CONTROLLER);
            int[] free = FreePorts.any(2);
            int clients = port == 0 ? free[0] : FreePorts.choose(port);
            int controller = clients == free[1] ? free[0] : free[1];
            Map<String, String> all = settings(format.log(), clients, controller);
            all.putAll(security(credentials));
            all.putAll(settings);
            FatalBroker.explain(directory);
            boolean knowsTransactions = Files.exists(format.log().resolve(FIRST_OF_THE_TRANSACTION_LOG));
            KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(all, false), Time.SYSTEM);
            try {
                server.startup();
            } catch (RuntimeException | Error e) {
                server.shutdown();
                throw e;
            }
            log.info("Broker serves 127.0.0.1:{} after {} ms", clients, (System.nanoTime() - began) / 1_000_000);
            EmbeddedBroker broker = new EmbeddedBroker(lock, server, clients);
            if (knowsTransactions) {
                broker.endHangingTransactions(credentials);
            }
            return broker;
        } catch (RuntimeException | Error e) {
            lock.close();
            throw e;
        }
    }

    /** Readers of committed records would wait for what a kill has left behind. */
    private void endHangingTransactions(Credentials credentials) {
        Map<String, Object> client =
                new HashMap<>(Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers()));
        client.put(CommonClientConfigs.CLIENT_ID_CONFIG, "broker");
        Credential credential = credentials.ensure(Account.BROKER);
        client.put(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, Credential.PROTOCOL);
        client.put(SaslConfigs.SASL_MECHANISM, Credential.MECHANISM);
        client.put(SaslConfigs.SASL_JAAS_CONFIG, credential.jaas());
        try {
            new HangingTransactions(client).end();
        } catch (KafkaException e) {
            log.warn("Whether the broker left transactions open that are at their end cannot be told", e);
        }
    }

    /** Address for {@code bootstrap.servers}. */
    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    /** Port for clients. */
    public int port() {
        return port;
    }

    /** Stops in order: clients are served to the end, the log is closed cleanly. */
    @Override
    public void close() {
        try {
            server.shutdown();
            server.awaitShutdown();
        } finally {
            lock.close();
        }
    }

    /** Every listener wants a login, the controller's too; who is granted nothing can do nothing. */
    private static Map<String, String> security(Credentials credentials) {
        Map<String, String> all = new HashMap<>();
        String mechanism = Credential.MECHANISM;
        all.put(
                "listener.security.protocol.map",
                CLIENTS + ":" + Credential.PROTOCOL + "," + CONTROLLER + ":" + Credential.PROTOCOL);
        all.put("inter.broker.listener.name", CLIENTS);
        all.put("sasl.enabled.mechanisms", mechanism);
        all.put("sasl.mechanism.inter.broker.protocol", mechanism);
        all.put("sasl.mechanism.controller.protocol", mechanism);
        for (String listener : new String[] {CLIENTS, CONTROLLER}) {
            String prefix = "listener.name." + listener.toLowerCase(Locale.ROOT) + "."
                    + mechanism.toLowerCase(Locale.ROOT) + ".";
            all.put(
                    prefix + "sasl.jaas.config",
                    credentials.ensure(Account.BROKER).jaas());
            all.put(prefix + "sasl.server.callback.handler.class", StoredLogins.class.getName());
        }
        String plain = "listener.name." + CLIENTS.toLowerCase(Locale.ROOT) + ".";
        all.put(plain + "sasl.enabled.mechanisms", mechanism + "," + PLAIN);
        all.put(plain + "plain.sasl.jaas.config", "org.apache.kafka.common.security.plain.PlainLoginModule required;");
        all.put(plain + "plain.sasl.server.callback.handler.class", StoredLogins.class.getName());
        all.put(StoredLogins.DIRECTORY, credentials.directory().toAbsolutePath().toString());
        all.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        all.put("allow.everyone.if.no.acl.found", "false");
        all.put("super.users", Account.BROKER.principal() + ";" + Account.ADMIN.principal());
        return all;
    }

    private static Map<String, String> settings(Path logDirectory, int clients, int controller) {
        Map<String, String> all = new HashMap<>();
        all.put("process.roles", "broker,controller");
        all.put("node.id", Integer.toString(NODE));
        all.put("log.dirs", logDirectory.toString());
        all.put("listeners", CLIENTS + "://127.0.0.1:" + clients + "," + CONTROLLER + "://127.0.0.1:" + controller);
        all.put("advertised.listeners", CLIENTS + "://127.0.0.1:" + clients);
        all.put("controller.listener.names", CONTROLLER);
        all.put("controller.quorum.voters", NODE + "@127.0.0.1:" + controller);
        all.put("auto.create.topics.enable", "false");

        // One node: nothing to replicate.
        for (String topic : new String[] {"offsets.topic", "transaction.state.log", "share.coordinator.state.topic"}) {
            all.put(topic + ".replication.factor", "1");
            all.put(topic + ".num.partitions", "1");
        }
        all.put("transaction.state.log.min.isr", "1");
        all.put("share.coordinator.state.topic.min.isr", "1");
        all.put("default.replication.factor", "1");
        all.put("min.insync.replicas", "1");

        // Groups and a restart after a kill do not wait.
        all.put("group.initial.rebalance.delay.ms", "0");
        // The next transaction often begins while the last one's markers are being written; it waits this long at a
        // time.
        all.put("add.partitions.to.txn.retry.backoff.ms", "1");
        all.put("group.min.session.timeout.ms", "1000");
        all.put("broker.session.timeout.ms", "4000");
        all.put("broker.heartbeat.interval.ms", "500");
        all.put("controller.quorum.election.timeout.ms", "300");

        // Virtual time: record timestamps may lie far from this machine's clock, and must not expire by it.
        all.put("log.message.timestamp.before.max.ms", Long.toString(Long.MAX_VALUE));
        all.put("log.message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE));
        all.put("log.retention.ms", "-1");
        all.put("log.roll.hours", "1000000");

        // Small.
        all.put("log.cleaner.dedupe.buffer.size", "4194304");
        all.put("log.cleaner.io.buffer.size", "131072");
        all.put("log.index.size.max.bytes", "1048576");
        all.put("num.network.threads", "2");
        all.put("num.io.threads", "4");
        all.put("background.threads", "2");
        all.put("num.recovery.threads.per.data.dir", "2");
        return all;
    }
}
