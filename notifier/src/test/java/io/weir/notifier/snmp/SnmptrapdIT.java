package io.weir.notifier.snmp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.notifier.server.DebianServer;
import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.Deliveries;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.notifier.spi.SecretFile;
import io.weir.schemas.Severity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snmp4j.security.AuthHMAC192SHA256;
import org.snmp4j.security.PrivAES128;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;

/** Traps and informs to Debian's snmptrapd, which names their objects by our MIB. */
class SnmptrapdIT {

    private static final String SNMPTRAPD = "/usr/sbin/snmptrapd";
    private static final String ENGINE = "80001F880477656972";

    @TempDir
    private Path directory;

    private final int port = DebianServer.freePort();
    private DebianServer snmptrapd;

    @BeforeEach
    void start() throws IOException {
        DebianServer.requireInstalled(SNMPTRAPD);
        Path mibs = Files.createDirectory(directory.resolve("mibs"));
        try (InputStream mib = SnmpProvider.class.getResourceAsStream("WEIR-MIB.txt")) {
            Files.copy(Objects.requireNonNull(mib), mibs.resolve("WEIR-MIB.txt"));
        }
        // Debian does not distribute the modules of the standards.
        for (String module : List.of("SNMPv2-SMI", "SNMPv2-TC", "SNMPv2-CONF")) {
            try (InputStream mib = SnmptrapdIT.class.getResourceAsStream("/mibs/" + module + ".txt")) {
                Files.copy(Objects.requireNonNull(mib), mibs.resolve(module + ".txt"));
            }
        }
        Path config = Files.writeString(directory.resolve("snmptrapd.conf"), """
            disableAuthorization no
            authCommunity log,execute,net cluster-only
            createUser -e 0x%1$s weir SHA-256 auth-password AES priv-password
            createUser weir SHA-256 auth-password AES priv-password
            authUser log weir priv
            """.formatted(ENGINE));
        snmptrapd = startTrapd(config);
    }

    private DebianServer startTrapd(Path config) {
        DebianServer started = DebianServer.start(
                directory.resolve("trapd.log"),
                List.of(
                        "env",
                        "SNMP_PERSISTENT_DIR=" + directory.resolve("persistent"),
                        SNMPTRAPD,
                        "-f",
                        "-Lo",
                        "-C",
                        "-c",
                        config.toString(),
                        "-m",
                        "WEIR-MIB",
                        "-M",
                        directory.resolve("mibs").toString(),
                        "-F",
                        "%N|%W|%v\\n",
                        "udp:127.0.0.1:" + port));
        started.awaitThat(() -> started.said().contains("NET-SNMP version"));
        return started;
    }

    @AfterEach
    void stop() {
        if (snmptrapd != null) {
            snmptrapd.close();
        }
    }

    @Test
    void shouldSendTrapsAndInformsOfVersion2c() throws Exception {
        Notifier trap = open(Map.of(SnmpProvider.VERSION, "2c", SnmpProvider.COMMUNITY_FILE, secret("cluster-only")));
        Notifier inform = open(Map.of(
                SnmpProvider.VERSION,
                "2c",
                SnmpProvider.COMMUNITY_FILE,
                secret("cluster-only"),
                SnmpProvider.INFORM,
                "true"));

        trap.deliver(Deliveries.nodeDown("tiny/trap"));
        assertThat(inform.deliver(Deliveries.nodeDown("tiny/inform")).message()).startsWith("acknowledged by");

        snmptrapd.awaitThat(() ->
                snmptrapd.said().contains("\"tiny/trap\"") || snmptrapd.said().contains("tiny/trap"));
        snmptrapd.awaitThat(() -> snmptrapd.said().contains("tiny/inform"));
    }

    @Test
    void shouldSendTrapsOfVersion3AlsoAfterARestart() throws Exception {
        userOf3(false).deliver(Deliveries.nodeDown("tiny/first"));
        snmptrapd.awaitThat(() -> snmptrapd.said().contains("tiny/first"));

        Thread.sleep(1_100); // the second after which a restarted notifier is newer for the receiver
        userOf3(false).deliver(Deliveries.nodeDown("tiny/second"));

        snmptrapd.awaitThat(() -> snmptrapd.said().contains("tiny/second"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-03-01T10:00:00Z", "2040-03-01T10:00:00Z"})
    void shouldSendTrapsOfVersion3WhenTheClockIsSetBack(Instant begin) throws Exception {
        AtomicReference<Instant> time = new AtomicReference<>(begin);
        Notifier notifier = new SnmpNotifier(
                "127.0.0.1",
                port,
                new SnmpSecurity.User(
                        "weir",
                        new OctetString(HexFormat.of().parseHex(ENGINE)),
                        AuthHMAC192SHA256.ID,
                        Optional.of(new SecretFile(Path.of(secret("auth-password")))),
                        PrivAES128.ID,
                        Optional.of(new SecretFile(Path.of(secret("priv-password"))))),
                false,
                Duration.ofSeconds(5),
                new WeirMib(new OID("1.3.6.1.4.1.8072.9999.9999.9345")),
                time::get,
                System::nanoTime);
        notifier.deliver(Deliveries.nodeDown("tiny/before"));
        snmptrapd.awaitThat(() -> snmptrapd.said().contains("tiny/before"));

        time.set(begin.minus(Duration.ofHours(1)));
        notifier.deliver(Deliveries.nodeDown("tiny/after"));

        snmptrapd.awaitThat(() -> snmptrapd.said().contains("tiny/after"));
    }

    @Test
    void shouldSendInformsOfVersion3() throws Exception {
        userOf3(true).deliver(Deliveries.nodeDown("tiny/inform"));

        snmptrapd.awaitThat(() -> snmptrapd.said().contains("tiny/inform"));
    }

    @Test
    void shouldSayThatNobodyAcknowledged() throws Exception {
        Notifier wrong = open(Map.of(
                SnmpProvider.VERSION,
                "2c",
                SnmpProvider.COMMUNITY_FILE,
                secret("public"),
                SnmpProvider.INFORM,
                "true",
                SnmpProvider.TIMEOUT_MS,
                "1000"));
        snmptrapd.close();

        assertThatThrownBy(() -> wrong.deliver(Deliveries.nodeDown("tiny/1")))
                .isInstanceOf(RetriableDeliveryException.class)
                .hasMessageContaining("did not acknowledge");
        assertThat(snmptrapd.said()).doesNotContain("tiny/1");
    }

    @Test
    void shouldPutNothingInAnotherPlace() throws Exception {
        String hostile = "x\nSNMPv2-MIB::snmpTrapOID.0 = evil\" WEIR-MIB::weirSeverity.0 = 0 \u001b[2J";
        open(Map.of(SnmpProvider.VERSION, "2c", SnmpProvider.COMMUNITY_FILE, secret("cluster-only")))
                .deliver(Deliveries.of("tiny/1", hostile, Severity.ERROR, hostile, hostile));

        snmptrapd.awaitThat(() -> snmptrapd.said().contains("evil"));
        assertThat(snmptrapd.said().lines().filter(line -> line.contains("evil")))
                .hasSize(1);
        assertThat(snmptrapd.said())
                .contains("weirSeverity.0 = INTEGER: error(3)")
                .doesNotContain("\u001b");
    }

    @Test
    void shouldNameEveryObjectByTheMib() throws Exception {
        open(Map.of(SnmpProvider.VERSION, "2c", SnmpProvider.COMMUNITY_FILE, secret("cluster-only")))
                .deliver(Deliveries.nodeDown("tiny/7/0"));

        snmptrapd.awaitThat(() -> snmptrapd.said().contains("weirPossibleDuplicate"));
        assertThat(snmptrapd.said())
                .contains(
                        "OID: WEIR-MIB::weirNotification",
                        "WEIR-MIB::weirId.0 = STRING: tiny/7/0",
                        "WEIR-MIB::weirCluster.0 = STRING: tiny",
                        "WEIR-MIB::weirSeverity.0 = INTEGER: error(3)",
                        "WEIR-MIB::weirEvent.0 = STRING: nodedown",
                        "WEIR-MIB::weirObjectId.0 = STRING: n1",
                        "WEIR-MIB::weirPossibleDuplicate.0 = INTEGER: false(2)")
                .doesNotContain("Cannot find module", "Undefined identifier");
    }

    @Test
    void shouldSendTheTrapOfATriggerToTheHostThatItNames() throws Exception {
        String hostile = "x\nWEIR-MIB::weirSeverity.0 = 0 \u001b[2J";
        try (Actor actor = actor(List.of("127.0.0.1:" + port))) {
            ActionResult sent = actor.carryOut(action("tiny/trap", "127.0.0.1:" + port, "fan stopped " + hostile));
            assertThat(sent.outcome()).as(sent.message()).isEqualTo(ActionResult.Outcome.DONE);
        }

        snmptrapd.awaitThat(() -> snmptrapd.said().contains("fan stopped"));
        assertThat(snmptrapd.said())
                .contains(
                        "SNMPv2-SMI::enterprises.99999.7",
                        "WEIR-MIB::weirId.0 = STRING: action/tiny/trap",
                        "WEIR-MIB::weirEvent.0 = STRING: fan",
                        "WEIR-MIB::weirObjectType.0 = STRING: node",
                        "WEIR-MIB::weirObjectId.0 = STRING: n1",
                        "WEIR-MIB::weirSeverity.0 = INTEGER: error(3)")
                .doesNotContain("\u001b", "public-words");
        assertThat(snmptrapd.said().lines().filter(line -> line.contains("fan stopped")))
                .hasSize(1);
    }

    @Test
    void shouldRefuseAHostThatOnlyTheTriggerNames() throws Exception {
        try (Actor actor = actor(List.of())) {
            ActionResult refused = actor.carryOut(action("tiny/trap", "127.0.0.1:" + port, "fan stopped"));

            assertThat(refused.outcome()).isEqualTo(ActionResult.Outcome.REFUSED);
            assertThat(refused.message()).contains("action.snmp.hosts does not list 127.0.0.1:" + port);
            ActionResult listed = actor.carryOut(action("tiny/other", "", "fan stopped"));
            assertThat(listed.outcome()).as("no host at all").isEqualTo(ActionResult.Outcome.REFUSED);
        }
        assertThat(snmptrapd.said()).doesNotContain("fan stopped");
    }

    @Test
    void shouldRefuseATrapWithoutAnObjectIdentifier() throws Exception {
        try (Actor actor = actor(List.of("127.0.0.1:" + port))) {
            for (String oid : List.of("public", "1.3.6.1; reboot", "9.9.9", "1.3.99999999999", "1.3.4294967296")) {
                ActionResult refused = actor.carryOut(action("tiny/trap", "127.0.0.1:" + port, "fan stopped", oid));
                assertThat(refused.outcome()).as(oid).isEqualTo(ActionResult.Outcome.REFUSED);
            }
        }
        assertThat(snmptrapd.said()).doesNotContain("fan stopped");
    }

    /** Returns an actor whose own receiver is not there, with {@code hosts} besides. */
    private Actor actor(List<String> hosts) throws IOException {
        SnmpActorProvider provider = new SnmpActorProvider();
        return provider.open(new AbstractConfig(
                provider.settings(),
                Map.of(
                        SnmpProvider.VERSION,
                        "2c",
                        SnmpProvider.COMMUNITY_FILE,
                        secret("cluster-only"),
                        SnmpProvider.HOST,
                        "localhost",
                        SnmpProvider.PORT,
                        String.valueOf(DebianServer.freePort()),
                        SnmpActorProvider.HOSTS,
                        hosts),
                false));
    }

    private static Action action(String id, String target, String text) {
        return action(id, target, text, "1.3.6.1.4.1.99999.7");
    }

    private static Action action(String id, String target, String text, String oid) {
        return new Action(
                id,
                "tiny",
                "t1",
                Instant.EPOCH,
                target,
                List.of("public-words"),
                Map.of("oid", oid, "event", "fan"),
                Map.of(),
                Optional.of(text),
                List.of(),
                Optional.empty(),
                Duration.ZERO,
                List.of(),
                Severity.ERROR,
                "gevent",
                "node",
                "n1",
                Optional.empty(),
                false);
    }

    private Notifier userOf3(boolean inform) throws IOException {
        return open(Map.of(
                SnmpProvider.USER,
                "weir",
                SnmpProvider.AUTH_PASSWORD_FILE,
                secret("auth-password"),
                SnmpProvider.PRIV_PASSWORD_FILE,
                secret("priv-password"),
                SnmpProvider.ENGINE_ID,
                ENGINE,
                SnmpProvider.INFORM,
                String.valueOf(inform)));
    }

    private String secret(String text) throws IOException {
        return Files.writeString(directory.resolve("secret-" + text), text).toString();
    }

    private Notifier open(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put(SnmpProvider.HOST, "127.0.0.1");
        settings.put(SnmpProvider.PORT, String.valueOf(port));
        SnmpProvider provider = new SnmpProvider();
        return provider.open("traps", new AbstractConfig(provider.settings(), settings, false));
    }
}
