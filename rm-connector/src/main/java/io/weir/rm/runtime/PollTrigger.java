package io.weir.rm.runtime;

import io.weir.rm.spi.RmException;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the next look forward when something has happened at the resource manager. It fires when a file is written
 * to, or when a datagram arrives; what is appended to the file, or stands in the datagram, may name the jobs it is about
 * ({@link Poke}), and the sender never waits. A lost trigger costs no more than the rest of the poll interval. It may fire on
 * any thread and is read by the runner's.
 */
final class PollTrigger implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PollTrigger.class);

    /** More at once is not read: everything is looked at. */
    private static final int LONGEST = 16 << 10;

    /** A file longer than this is emptied once it was read. */
    private static final int LONG = 64 << 10;

    private static final int LONGEST_DATAGRAM = 256;

    /** Never fires. */
    static final PollTrigger NONE = new PollTrigger(null, null);

    private final @Nullable Path file;
    private final @Nullable DatagramSocket socket;
    private final AtomicReference<Poke> received = new AtomicReference<>(Poke.NONE);
    private @Nullable FileTime seen;

    /** How far the file was read, in bytes. */
    private long read;

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
            if (file != null) {
                trigger.seen = Files.getLastModifiedTime(file);
                trigger.read = Files.size(file);
            }
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
                DatagramPacket packet = new DatagramPacket(new byte[LONGEST_DATAGRAM], LONGEST_DATAGRAM);
                from.receive(packet);
                Poke told = Poke.parse(
                        new String(packet.getData(), 0, packet.getLength(), StandardCharsets.ISO_8859_1).strip()
                                + '\n');
                received.accumulateAndGet(told, Poke::and);
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

    /** Returns what it told since the last call. */
    Poke take() {
        Poke heard = received.getAndSet(Poke.NONE);
        return file == null ? heard : heard.and(written(file));
    }

    private Poke written(Path from) {
        try {
            BasicFileAttributes now = Files.readAttributes(from, BasicFileAttributes.class);
            FileTime written = now.lastModifiedTime();
            long size = now.size();
            if (size == read && Objects.equals(written, seen)) {
                return Poke.NONE;
            }
            Poke told = size > read && size - read <= LONGEST ? appended(from, size) : Poke.MORE;
            seen = written;
            read = size;
            if (size > LONG) {
                // What is written just now is lost with the rest, and looked at with everything.
                told = told.and(Poke.MORE);
                empty(from);
            }
            return told;
        } catch (IOException e) {
            log.debug("{} was not read", from, e);
            return Poke.NONE;
        }
    }

    /** Returns what was appended; where the file cannot be read, that something was. */
    private Poke appended(Path from, long size) {
        try (SeekableByteChannel channel = Files.newByteChannel(from)) {
            channel.position(read);
            byte[] bytes = Channels.newInputStream(channel).readNBytes((int) (size - read));
            return Poke.parse(new String(bytes, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            log.debug("{} cannot be read", from, e);
            return Poke.MORE;
        }
    }

    /** Where that is not allowed the scripts write at the beginning from now on, which triggers polls. */
    private void empty(Path from) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(from, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        } catch (AccessDeniedException e) {
            log.debug("{} cannot be emptied", from, e);
            return;
        }
        seen = Files.getLastModifiedTime(from);
        read = 0;
    }

    @Override
    public void close() {
        if (socket != null) {
            socket.close();
        }
    }
}
