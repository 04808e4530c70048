package io.weir.notifier;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.schemas.Charge;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.NameValue;
import io.weir.schemas.TriggerFiring;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The notifier's process is killed while it carries out actions of triggers and hands over charges. Set
 * -Dweir.notifier.kills for more kills, -Dweir.notifier.seed to play a drill again.
 */
class ActionKillIT {
    private static final int KILLS = Integer.getInteger("weir.notifier.kills", 3);
    private static final int ROUND = 8;

    /** The lanes of http, in each of which one request may be under way. */
    private static final int LANES = 4;

    private static final List<String> TYPES = List.of("dbupdate", "http", "mail", "snmp");
    private static final Pattern MARK = Pattern.compile("mark ([0-9]+) over");

    @TempDir
    private Path directory;

    private final List<Integer> traps = Collections.synchronizedList(new ArrayList<>());
    private HookReceiver hook;
    private MailSink mail;
    private DatagramSocket socket;
    private NotifierSite site;
    private NotifierTopics topics;
    private Process process;

    @BeforeEach
    void start() throws Exception {
        hook = new HookReceiver();
        mail = new MailSink();
        socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        Thread listener = new Thread(this::listen, "traps");
        listener.setDaemon(true);
        listener.start();
        try (java.sql.Connection sql = DriverManager.getConnection(database());
                Statement statement = sql.createStatement()) {
            statement.execute("create table marks (mark text)");
        }
        site = new NotifierSite(directory, settings());
        topics = site.topics();
        process = site.start("notifier");
    }

    @AfterEach
    void stop() throws Exception {
        hook.close();
        mail.close();
        socket.close();
        site.close();
    }

    @Test
    void shouldLoseNoActionAndNoChargeAndRepeatNothingUnmarkedWhenItIsKilled() throws Exception {
        long seed = Long.getLong("weir.notifier.seed", new Random().nextInt(1_000_000));
        System.out.println("action kills: -Dweir.notifier.kills=" + KILLS + " -Dweir.notifier.seed=" + seed);
        Random random = new Random(seed);
        for (int kill = 0; kill < KILLS; kill++) {
            killIn(kill, random);
            process = site.start("notifier");
            settled((kill + 1) * ROUND);
        }
        publish(KILLS);
        int all = (KILLS + 1) * ROUND;
        settled(all);

        Set<Integer> marks = new TreeSet<>(IntStream.range(0, all).boxed().toList());
        assertThat(topics.deadLetters()).isEmpty();
        for (String type : TYPES) {
            assertThat(results(type))
                    .as("each firing of type " + type + " is answered once")
                    .extracting(DeliveryResult::getDeliveryId)
                    .containsExactlyInAnyOrderElementsOf(
                            marks.stream().map(mark -> firingId(type, mark)).toList());
        }
        assertDoneOnce("dbupdate", 1, rows());
        assertDoneOnce("http", LANES, requested());
        assertMarked("mail", mails(false), mails(true));
        assertMarked("snmp", List.of(), traps);
        assertThat(new TreeSet<>(traps)).isEqualTo(marks);
        assertCharges(marks);
    }

    /** What nobody could recognise as a repetition is not repeated; what may not have been done is answered as uncertain. */
    private void assertDoneOnce(String type, int most, List<Integer> done) {
        Set<Integer> sure = new TreeSet<>();
        Set<Integer> unsure = new TreeSet<>();
        for (DeliveryResult result : results(type)) {
            (result.getOutcome() == DeliveryOutcome.DELIVERED ? sure : unsure).add(mark(result));
            assertThat(result.getOutcome()).isIn(DeliveryOutcome.DELIVERED, DeliveryOutcome.UNCERTAIN);
        }
        assertThat(done).as(type).doesNotHaveDuplicates().containsAll(sure);
        assertThat(unsure).as("uncertain " + type).hasSizeLessThanOrEqualTo(most * KILLS);
        System.out.println("action kills: " + type + " done " + done.size() + ", uncertain " + unsure);
    }

    /** What may be repeated is done at least once, and again only where the answer says that it may be a duplicate. */
    private void assertMarked(String type, List<Integer> unmarked, List<Integer> done) {
        assertThat(unmarked).as("unmarked " + type).doesNotHaveDuplicates();
        Set<Integer> seen = new HashSet<>();
        Set<Integer> again = new TreeSet<>();
        List.copyOf(done).forEach(mark -> {
            if (!seen.add(mark)) {
                again.add(mark);
            }
        });
        Set<Integer> told = new TreeSet<>();
        for (DeliveryResult result : results(type)) {
            assertThat(result.getOutcome()).isEqualTo(DeliveryOutcome.DELIVERED);
            assertThat(seen).as(type).contains(mark(result));
            if (result.getPossibleDuplicate()) {
                told.add(mark(result));
            }
        }
        assertThat(told).as("told as repeated " + type).containsAll(again).hasSizeLessThanOrEqualTo(KILLS);
        System.out.println("action kills: " + type + " done " + done.size() + ", again " + again);
    }

    private void assertCharges(Set<Integer> marks) throws IOException {
        List<String> ids = marks.stream().map(mark -> "tiny/" + chargeId(mark)).toList();
        assertThat(Files.readAllLines(file()))
                .extracting(line -> line.split(" ", -1)[1])
                .containsExactlyInAnyOrderElementsOf(ids);
        List<String> booked =
                hook.keys().stream().filter(key -> key.contains("/job.")).toList();
        assertThat(new TreeSet<>(booked)).isEqualTo(new TreeSet<>(ids));
        assertThat(booked)
                .as("the same id: again at most what was handed over since the last position was recorded")
                .hasSizeLessThanOrEqualTo(ids.size() + KILLS * ROUND);
    }

    private void killIn(int round, Random random) throws Exception {
        int asked = hook.keys().size();
        switch (round % 3) {
            case 0 -> {
                hook.hold();
                publish(round);
                eventually(() -> assertThat(hook.keys()).hasSizeGreaterThan(asked + random.nextInt(2)));
                kill();
                hook.release();
            }
            case 1 -> {
                int before = topics.results().size() + random.nextInt(TYPES.size() * ROUND - 1);
                publish(round);
                eventually(() -> assertThat(topics.results()).hasSizeGreaterThan(before));
                kill();
            }
            default -> {
                kill();
                publish(round);
                process = site.start("notifier");
                eventually(() -> assertThat(hook.keys()).hasSizeGreaterThan(asked));
                kill();
            }
        }
    }

    private void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    private void publish(int round) {
        for (int mark = round * ROUND; mark < (round + 1) * ROUND; mark++) {
            for (String type : TYPES) {
                topics.publish(firing(type, mark));
            }
            topics.publish(Charge.newBuilder()
                    .setCluster("tiny")
                    .setChargeId(chargeId(mark))
                    .setIteration(1)
                    .setObjectType("job")
                    .setObjectId(Integer.toString(mark))
                    .setStart(Instant.EPOCH)
                    .setEnd(Instant.EPOCH.plusSeconds(60))
                    .setReservedProcSeconds(0)
                    .setUsedProcSeconds(60)
                    .setProcessorSeconds(60)
                    .setAmountMillis(60_000)
                    .setTime(Instant.EPOCH)
                    .build());
        }
    }

    private TriggerFiring firing(String type, int mark) {
        TriggerFiring.Builder firing = TriggerFiring.newBuilder()
                .setCluster("tiny")
                .setFiringId(firingId(type, mark))
                .setTriggerId("NODECFG.DEFAULT.1@node:n" + mark)
                .setIteration(1)
                .setTime(Instant.EPOCH)
                .setActionType(type)
                .setAction(type)
                .setObjectType("node")
                .setObjectId("n" + mark)
                .setBody("mark " + mark + " over")
                .setEvent("sick");
        return switch (type) {
            case "http" ->
                firing.setTarget(hook.url())
                        .setSettings(List.of(new NameValue("method", "POST"), new NameValue("content", "event")))
                        .build();
            case "dbupdate" ->
                firing.setTarget("marks")
                        .setSettings(List.of(new NameValue("statement", "insert into marks values (?)")))
                        .setArguments(List.of("mark " + mark + " over"))
                        .build();
            case "snmp" ->
                firing.setTarget("127.0.0.1")
                        .setSettings(List.of(new NameValue("oid", "1.3.6.1.4.1.8072.9999")))
                        .build();
            default -> firing.setRecipients(List.of("ops@example.org")).build();
        };
    }

    private static String firingId(String type, int mark) {
        return "tiny/" + mark + "/" + TYPES.indexOf(type);
    }

    private static String chargeId(int mark) {
        return "job." + mark + ".0";
    }

    private static int mark(DeliveryResult result) {
        return Integer.parseInt(result.getDeliveryId().split("/", -1)[1]);
    }

    private List<DeliveryResult> results(String type) {
        return topics.results().stream()
                .filter(result -> result.getChannel().equals("action." + type))
                .toList();
    }

    private void settled(int marks) {
        eventually(() -> {
            Map<String, Integer> answered = new TreeMap<>();
            topics.results().stream()
                    .map(DeliveryResult::getChannel)
                    .filter(channel -> channel.startsWith("action."))
                    .forEach(channel -> answered.merge(channel, 1, Integer::sum));
            assertThat(answered.values()).hasSize(TYPES.size()).allMatch(count -> count == marks);
            assertThat(Files.readAllLines(file())).hasSize(marks);
            assertThat(hook.keys().stream()
                            .filter(key -> key.contains("/job."))
                            .distinct()
                            .count())
                    .isEqualTo(marks);
        });
    }

    private List<Integer> requested() {
        return hook.keys().stream()
                .filter(key -> !key.contains("/job."))
                .map(key -> Integer.valueOf(key.split("/", -1)[2]))
                .toList();
    }

    private List<Integer> rows() throws SQLException {
        List<Integer> rows = new ArrayList<>();
        try (java.sql.Connection sql = DriverManager.getConnection(database());
                Statement statement = sql.createStatement();
                ResultSet found = statement.executeQuery("select mark from marks")) {
            while (found.next()) {
                rows.add(marked(found.getString(1)));
            }
        }
        return rows;
    }

    private List<Integer> mails(boolean repeated) {
        return mail.mails().stream()
                .filter(text -> repeated || !text.contains("X-Weir-Possible-Duplicate"))
                .map(ActionKillIT::marked)
                .toList();
    }

    private void listen() {
        try {
            while (!socket.isClosed()) {
                DatagramPacket packet = new DatagramPacket(new byte[4_096], 4_096);
                socket.receive(packet);
                traps.add(marked(new String(packet.getData(), 0, packet.getLength(), StandardCharsets.ISO_8859_1)));
            }
        } catch (IOException e) {
            // The end.
        }
    }

    private static Integer marked(String text) {
        Matcher matcher = MARK.matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return Integer.valueOf(matcher.group(1));
    }

    private Map<String, String> settings() throws IOException {
        Map<String, String> settings = new TreeMap<>();
        settings.put("notifier.actions", String.join(",", TYPES));
        settings.put("action.http.hosts", URI.create(hook.url()).getAuthority());
        settings.put("action.dbupdate.marks.url", database());
        settings.put("action.mail.host", "127.0.0.1");
        settings.put("action.mail.port", Integer.toString(mail.port()));
        settings.put("action.mail.security", "none");
        settings.put("action.mail.from", "weir@example.org");
        settings.put("action.mail.to", "fallback@example.org");
        settings.put("action.snmp.host", "127.0.0.1");
        settings.put("action.snmp.port", Integer.toString(socket.getLocalPort()));
        settings.put("action.snmp.version", "2c");
        settings.put(
                "action.snmp.community.file",
                Files.writeString(directory.resolve("community"), "public\n").toString());
        settings.put("notifier.peers", "am,meter");
        settings.put("peer.am.type", "file");
        settings.put("peer.am.path", file().toString());
        settings.put("peer.meter.type", "http");
        settings.put("peer.meter.url", hook.url());
        return settings;
    }

    private String database() {
        return "jdbc:sqlite:" + directory.resolve("marks.db");
    }

    private Path file() {
        return directory.resolve("charge.dat");
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(120, SECONDS).pollInterval(Duration.ofMillis(200)).untilAsserted(assertion);
    }
}
