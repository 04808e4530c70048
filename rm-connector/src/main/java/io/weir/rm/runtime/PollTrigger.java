package io.weir.rm.runtime;

import io.weir.rm.spi.RmException;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the next poll forward when something has happened at the resource manager. It fires when a file is written
 * to, or when a datagram arrives; the content does not matter, and the sender never waits. A lost trigger costs no more
 * than the rest of the poll interval. It may fire on any thread and is read by the runner's.
 */
final class PollTrigger implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PollTrigger.class);

    /** Never fires. */
    static final PollTrigger NONE = new PollTrigger(null, null);

    private final @Nullable Path file;
    private final @Nullable DatagramSocket socket;
    private final AtomicBoolean fired = new AtomicBoolean();
    private @Nullable FileTime seen;

    private PollTrigger(@Nullable Path file, @Nullable DatagramSocket socket) {
        this.file = file;
        this.socket = socket;
    }

    /**
     * Opens what is wanted.
     *
     * @param file made if missing, with its directory, writable by its owner; null for none
     * @param address where to receive datagrams; null for nowhere
     */
    static PollTrigger open(@Nullable Path file, @Nullable InetSocketAddress address) {
        if (file == null && address == null) {
            return NONE;
        }
        try {
            if (file != null) {
                make(file);
            }
            PollTrigger trigger = new PollTrigger(file, address == null ? null : new DatagramSocket(address));
            trigger.seen = trigger.lastWritten();
            if (trigger.socket != null) {
                Thread thread = new Thread(trigger::receive, "poke");
                thread.setDaemon(true);
                thread.start();
            }
            return trigger;
        } catch (IOException e) {
            throw new RmException(
                    "cannot wait for pokes at " + (file == null ? address : file) + ": " + e.getMessage()
                            + "; see connector.poke.file and connector.poke.port",
                    e);
        }
    }

    /** Says whether that file can be watched, making it if it is missing. */
    static boolean canWatch(Path file) {
        try {
            make(file);
            return true;
        } catch (IOException e) {
            log.info("{} cannot be watched ({}): what happens is seen by polling alone", file, e.toString());
            return false;
        }
    }

    private static void make(Path file) throws IOException {
        if (Files.exists(file)) {
            return;
        }
        // A directory such as /run/weir is gone after each boot.
        if (file.getParent() != null) {
            Files.createDirectories(file.getParent());
        }
        Files.createFile(file);
    }

    private void receive() {
        DatagramSocket from = socket;
        while (from != null && !from.isClosed()) {
            try {
                from.receive(new DatagramPacket(new byte[1], 1));
                fired.set(true);
            } catch (IOException e) {
                if (!from.isClosed()) {
                    log.debug("a poke was not received", e);
                }
            }
        }
    }

    /** Returns whether it can fire at all. */
    boolean isExpected() {
        return file != null || socket != null;
    }

    /** Returns whether it fired since the last call, and resets it. */
    boolean take() {
        boolean heard = fired.getAndSet(false);
        @Nullable FileTime written = lastWritten();
        if (written != null && !written.equals(seen)) {
            seen = written;
            heard = true;
        }
        return heard;
    }

    private @Nullable FileTime lastWritten() {
        try {
            return file == null ? null : Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return seen;
        }
    }

    @Override
    public void close() {
        if (socket != null) {
            socket.close();
        }
    }
}
