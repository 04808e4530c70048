package io.weir.notifier;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;

/** Takes HTTP requests and does with each what it was told to do next for its key; then it answers 200. Thread-safe. */
final class FickleReceiver implements AutoCloseable {

    /** What it does with a request that it has read to its end. */
    enum Turn {
        HANG_UP,
        STALL,
        REDIRECT,
        FAULT,
        LATER,
        TAKE
    }

    /**
     * A request.
     *
     * @param key its {@code Idempotency-Key}
     * @param path where it went
     * @param nanos when it was there, {@link System#nanoTime}
     * @param turn what was done with it
     */
    record Request(String key, String path, long nanos, Turn turn) {}

    /** Seconds that {@link Turn#LATER} asks for. */
    static final int RETRY_AFTER = 2;

    private final ServerSocket server;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Map<String, Deque<Turn>> turns = new TreeMap<>();
    private final List<Request> requests = new ArrayList<>();

    FickleReceiver() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::serve);
    }

    String authority() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    /** Tells what to do with the requests of {@code key}, one after the other. */
    synchronized void plan(String key, Turn... next) {
        turns.put(key, new ArrayDeque<>(List.of(next)));
    }

    synchronized List<Request> requests() {
        return List.copyOf(requests);
    }

    @Override
    public void close() throws IOException {
        over.countDown();
        server.close();
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "fickle-receiver");
        thread.setDaemon(true);
        thread.start();
    }

    private void serve() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                start(() -> take(client));
            } catch (IOException e) {
                // The end.
            }
        }
    }

    private void take(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            String path = line(in).split(" ", -1)[1];
            String key = "";
            int length = 0;
            for (String header = line(in); !header.isEmpty(); header = line(in)) {
                String name = header.substring(0, header.indexOf(':')).toLowerCase(Locale.ROOT);
                String value = header.substring(header.indexOf(':') + 1).strip();
                key = name.equals("idempotency-key") ? value : key;
                length = name.equals("content-length") ? Integer.parseInt(value) : length;
            }
            in.readNBytes(length);
            answer(client, note(key, path));
        } catch (IOException e) {
            // Whoever asked is gone.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Turn note(String key, String path) {
        Turn planned = turns.getOrDefault(key, new ArrayDeque<>()).poll();
        Turn turn = planned == null ? Turn.TAKE : planned;
        requests.add(new Request(key, path, System.nanoTime(), turn));
        return turn;
    }

    private void answer(Socket client, Turn turn) throws IOException, InterruptedException {
        String head = switch (turn) {
            case HANG_UP -> "";
            case STALL -> {
                over.await();
                yield "";
            }
            case REDIRECT -> "302 Found\r\nLocation: http://" + authority() + "/elsewhere";
            case FAULT -> "500 Internal Server Error";
            case LATER -> "503 Service Unavailable\r\nRetry-After: " + RETRY_AFTER;
            case TAKE -> "200 OK";
        };
        if (!head.isEmpty()) {
            String text = "HTTP/1.1 " + head + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            client.getOutputStream().flush();
        }
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("no more");
            }
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }
}
