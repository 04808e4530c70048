package io.weir.service.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;

/**
 * Closes connections that hold a place for nothing. Each has a set time from its opening, or from its last answer, to
 * deliver the next request, however slowly its bytes drip; beyond the greatest number, the one that is idle for longest
 * goes. An answer has to be taken in a time that depends on its size. So neither half-open connections nor slow readers pile
 * up or keep others out. Thread-safe.
 */
final class ConnectionGuard implements Connection.Listener {
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

    /** A connection's answers under way, and since when there are none. */
    private static final class Use {
        private int answering;
        private boolean sending;
        private long sendUntil;
        private long idleSince = System.nanoTime();
    }

    @Override
    public void onOpened(Connection connection) {
        EndPoint socket = socket(connection);
        List<EndPoint> surplus = List.of();
        synchronized (open) {
            open.computeIfAbsent(socket, unknown -> new Use());
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
                use.sending = false;
                use.idleSince = System.nanoTime();
            }
        }
    }

    /** Returns the connection to give up, taken out of the map; none when all of them are answered. */
    private List<EndPoint> longestIdle() {
        long now = System.nanoTime();
        List<EndPoint> found = open.entrySet().stream()
                .filter(entry -> entry.getValue().answering == 0)
                .min(Comparator.comparingLong(entry -> entry.getValue().idleSince - now))
                .map(Map.Entry::getKey)
                .stream()
                .toList();
        found.forEach(open::remove);
        return found;
    }

    private static EndPoint socket(Connection connection) {
        EndPoint endPoint = connection.getEndPoint();
        while (endPoint instanceof EndPoint.Wrapper wrapper) {
            endPoint = wrapper.unwrap();
        }
        return endPoint;
    }
}
