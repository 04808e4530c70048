package io.weir.service.http;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;

/**
 * Closes connections that hold a place for nothing. Each has a set time from its opening, or from its last answer, to
 * deliver the next request, however slowly its bytes drip. Beyond the greatest number one goes of those that wait for their
 * clients, for a request or for the rest of one: of the client with the most of them, that which has waited for longest. An
 * answer has to be taken in a time that depends on its size. So neither half-open connections nor slow readers pile up or keep
 * others out. Thread-safe.
 */
final class ConnectionGuard implements Connection.Listener {
    private static final int NETWORK_BYTES = 8;

    private final int most;
    private final long patienceNanos;
    private final long bytesPerSecond;

    /** Guarded by itself. By the endpoint of the socket, beneath TLS. */
    private final Map<EndPoint, Use> open = new HashMap<>();

    /**
     * Begins with no connection.
     *
     * @param bytesPerSecond how fast answers have to be taken at the least, {@code patience} aside
     */
    ConnectionGuard(int most, Duration patience, long bytesPerSecond) {
        this.most = most;
        this.patienceNanos = patience.toNanos();
        this.bytesPerSecond = bytesPerSecond;
    }

    /** A connection's answers under way, and since when it waits for its client. */
    private static final class Use {
        private final String client;
        private int answering;
        private boolean awaitsBody;
        private boolean sending;
        private long sendUntil;
        private long idleSince = System.nanoTime();

        private Use(String client) {
            this.client = client;
        }

        private boolean isIdle() {
            return answering == 0 || awaitsBody;
        }
    }

    @Override
    public void onOpened(Connection connection) {
        EndPoint socket = socket(connection);
        List<EndPoint> surplus = List.of();
        synchronized (open) {
            open.computeIfAbsent(socket, unknown -> new Use(client(unknown)));
            if (open.size() > most) {
                surplus = longestIdle();
            }
        }
        surplus.forEach(EndPoint::close);
    }

    @Override
    public void onClosed(Connection connection) {
        synchronized (open) {
            open.remove(socket(connection));
        }
    }

    /** Notes that a request is being answered. */
    void begin(Connection connection) {
        change(connection, 1);
    }

    /** Notes whether the rest of a request is waited for. */
    void awaitBody(Connection connection, boolean awaited) {
        synchronized (open) {
            Use use = open.get(socket(connection));
            if (use != null) {
                use.awaitsBody = awaited;
                use.sending = false;
            }
        }
    }

    /** Notes that an answer of so many bytes begins to be sent. */
    void sending(Connection connection, long bytes) {
        synchronized (open) {
            Use use = open.get(socket(connection));
            if (use != null) {
                use.sending = true;
                use.sendUntil =
                        System.nanoTime() + patienceNanos + TimeUnit.SECONDS.toNanos(1) * (1 + bytes / bytesPerSecond);
            }
        }
    }

    /** Notes that an answer is sent. */
    void end(Connection connection) {
        change(connection, -1);
    }

    /** Closes what has been idle for too long, or takes its answer too slowly. */
    void sweep() {
        List<EndPoint> late = new ArrayList<>();
        synchronized (open) {
            open.keySet().removeIf(socket -> !socket.isOpen());
            long now = System.nanoTime();
            open.forEach((socket, use) -> {
                boolean idle = use.answering == 0 && now - use.idleSince > patienceNanos;
                if (idle || (use.sending && now - use.sendUntil > 0)) {
                    late.add(socket);
                }
            });
        }
        late.forEach(EndPoint::close);
    }

    private void change(Connection connection, int by) {
        synchronized (open) {
            Use use = open.get(socket(connection));
            if (use != null) {
                use.answering += by;
                use.awaitsBody = false;
                use.sending = false;
                use.idleSince = System.nanoTime();
            }
        }
    }

    /** Returns the connection to give up, taken out of the map; none when all of them are answered. */
    private List<EndPoint> longestIdle() {
        long now = System.nanoTime();
        Map<String, Long> idle = open.values().stream()
                .filter(Use::isIdle)
                .collect(Collectors.groupingBy(use -> use.client, Collectors.counting()));
        List<EndPoint> found = open.entrySet().stream()
                .filter(entry -> entry.getValue().isIdle())
                .min(Comparator.<Map.Entry<EndPoint, Use>>comparingLong(
                                entry -> -idle.getOrDefault(entry.getValue().client, 0L))
                        .thenComparingLong(entry -> entry.getValue().idleSince - now))
                .map(Map.Entry::getKey)
                .stream()
                .toList();
        found.forEach(open::remove);
        return found;
    }

    /** Returns what stands for a client: its address, or the network that an IPv6 host has to itself. */
    private static String client(EndPoint socket) {
        if (!(socket.getRemoteSocketAddress() instanceof InetSocketAddress remote)) {
            return "";
        }
        byte[] address = remote.getAddress().getAddress();
        return HexFormat.of().formatHex(address, 0, Math.min(address.length, NETWORK_BYTES));
    }

    private static EndPoint socket(Connection connection) {
        EndPoint endPoint = connection.getEndPoint();
        while (endPoint instanceof EndPoint.Wrapper wrapper) {
            endPoint = wrapper.unwrap();
        }
        return endPoint;
    }
}
