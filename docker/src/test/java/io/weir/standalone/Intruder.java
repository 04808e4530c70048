package io.weir.standalone;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A process of some user of the machine that tries what a launcher must not let everybody do. It prints a line for each
 * attempt: {@code granted} or {@code refused}, a tab, and what was tried.
 */
final class Intruder {
    private static final int TIMEOUT_MS = 30_000;
    private static final short METADATA = 3;

    private final Map<String, Object> client = new HashMap<>();
    private final int patience;

    private Intruder(String bootstrapServers, Map<String, String> login) {
        client.putAll(login);
        client.put("bootstrap.servers", bootstrapServers);
        // Who has no login gets no answer; who has one is to get that of the broker, however busy.
        patience = login.isEmpty() ? 3_000 : 60_000;
        client.put("default.api.timeout.ms", patience);
        client.put("request.timeout.ms", patience - 1_000);
        client.put("max.block.ms", patience);
    }

    /** Arguments: bootstrap servers, URLs of registry and API, data directory, launcher's process, login file or -. */
    public static void main(String[] args) {
        Map<String, String> login = args[5].equals("-") ? Map.of() : PropertiesFile.read(Path.of(args[5]));
        Intruder intruder = new Intruder(args[0], login);
        attempt("list topics", intruder::listTopics);
        attempt("read topic", intruder::readTopic);
        attempt("write topic", intruder::writeTopic);
        attempt("broker by socket", () -> metadataBySocket(args[0]));
        attempt("registry", () -> http("GET", args[1] + "/subjects", null));
        attempt("registry write", () -> http("POST", args[1] + "/subjects/x/versions", "{\"schema\":\"\\\"int\\\"\"}"));
        attempt("registry by socket", () -> httpBySocket(URI.create(args[1])));
        attempt("API", () -> http("GET", args[2] + "/v1/clusters", null));
        attempt("API request", () -> http("POST", args[2] + "/v1/demo/requests", "{\"kind\":\"SHOW_CONFIG\"}"));
        attempt("environment", () -> readable(Path.of("/proc", args[4], "environ")));
        attempt("new file", () -> Files.exists(Files.createFile(Path.of(args[3], "planted"))));
        files(Path.of(args[3]));
    }

    private static void attempt(String what, Callable<Boolean> deed) {
        boolean granted;
        try {
            granted = deed.call();
        } catch (Exception e) {
            granted = false;
        }
        System.out.println((granted ? "granted\t" : "refused\t") + what);
    }

    private boolean listTopics() throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(client)) {
            return !admin.listTopics().names().get().isEmpty();
        }
    }

    private boolean readTopic() {
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition("weir.rm.nodes", 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            return !consumer.poll(Duration.ofMillis(patience)).isEmpty();
        }
    }

    private boolean writeTopic() throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
            return producer.send(new ProducerRecord<>("weir.requests", new byte[] {1}, new byte[] {1}))
                    .get(patience + 1_000L, TimeUnit.MILLISECONDS)
                    .hasOffset();
        }
    }

    /** Asks for all topics without a login, as no well-behaved client would. */
    private static boolean metadataBySocket(String address) throws IOException {
        ByteBuffer request = ByteBuffer.allocate(18)
                .putInt(14)
                .putShort(METADATA)
                .putShort((short) 1)
                .putInt(7)
                .putShort((short) -1)
                .putInt(-1);
        int colon = address.lastIndexOf(':');
        try (Socket socket = socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)))) {
            socket.getOutputStream().write(request.array());
            return socket.getInputStream().read() >= 0;
        }
    }

    private static boolean http(String method, String url, String body) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) new URL(url).openConnection();
        connection.setConnectTimeout(TIMEOUT_MS);
        connection.setReadTimeout(TIMEOUT_MS);
        connection.setRequestMethod(method);
        if (body != null) {
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", "application/json");
            connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
        }
        return connection.getResponseCode() != HttpURLConnection.HTTP_UNAUTHORIZED;
    }

    private static boolean httpBySocket(URI address) throws IOException {
        try (Socket socket = socket(address.getHost(), address.getPort())) {
            socket.getOutputStream()
                    .write(
                            "GET /subjects HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic\r\nConnection: close\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            try (InputStream in = socket.getInputStream()) {
                String answer = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                return answer.startsWith("HTTP/1.1 2") || answer.contains("weir.");
            }
        }
    }

    private static Socket socket(String host, int port) throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(host, port), TIMEOUT_MS);
        socket.setSoTimeout(TIMEOUT_MS);
        return socket;
    }

    private static boolean readable(Path file) throws IOException {
        Files.readAllBytes(file);
        return true;
    }

    /** Tells of every file below {@code root} whether it can be read or written. */
    private static void files(Path root) {
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    attempt("read " + file, () -> readable(file));
                    attempt("write " + file, () -> Files.isWritable(file));
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) {
                    System.out.println("refused\tenter " + file);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            System.out.println("refused\tenter " + root);
        }
    }
}
