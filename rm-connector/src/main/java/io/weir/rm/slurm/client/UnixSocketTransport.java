package io.weir.rm.slurm.client;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * slurmrestd by a unix socket: as much of HTTP/1.1 as slurmrestd speaks, one connection per request. Who calls is told by
 * the socket; no token is needed.
 */
public final class UnixSocketTransport implements RestTransport {
    private static final int LONGEST_HEAD = 64 << 10;
    private static final int AT_A_TIME = 128 << 10;

    private final Path socket;

    public UnixSocketTransport(Path socket) {
        this.socket = socket;
    }

    @Override
    public Reply send(String method, String target, byte @Nullable [] body, Duration limit) throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
                Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, SelectionKey.OP_WRITE);
            ByteBuffer request = request(method, target, body);
            while (request.hasRemaining()) {
                if (channel.write(request) == 0) {
                    await(selector, deadline);
                }
            }
            key.interestOps(SelectionKey.OP_READ);
            return new Reading(channel, selector, deadline).reply();
        }
    }

    private static ByteBuffer request(String method, String target, byte @Nullable [] body) {
        StringBuilder head = new StringBuilder(128)
                .append(method)
                .append(' ')
                .append(target)
                .append(" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept: application/json\r\n");
        if (body != null) {
            head.append("Content-Type: application/json\r\nContent-Length: ")
                    .append(body.length)
                    .append("\r\n");
        }
        byte[] bytes = head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
        ByteBuffer request = ByteBuffer.allocate(bytes.length + (body == null ? 0 : body.length))
                .put(bytes);
        return (body == null ? request : request.put(body)).flip();
    }

    private void await(Selector selector, long deadline) throws IOException {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (left <= 0 || selector.select(left) == 0) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("interrupted");
            }
            if (deadline - System.nanoTime() <= 0) {
                throw new SocketTimeoutException("no whole answer in time");
            }
        }
        selector.selectedKeys().clear();
    }

    /** One answer being read. */
    private final class Reading {
        private final SocketChannel channel;
        private final Selector selector;
        private final long deadline;
        private final ByteBuffer buffer = ByteBuffer.allocate(AT_A_TIME);
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        private Reading(SocketChannel channel, Selector selector, long deadline) {
            this.channel = channel;
            this.selector = selector;
            this.deadline = deadline;
        }

        private Reply reply() throws IOException {
            int bodyStart = -1;
            while (bodyStart < 0) {
                if (!more()) {
                    throw new EOFException("the answer ended within its head, after " + bytes.size() + " bytes");
                }
                bodyStart = endOfHead(bytes.toByteArray());
            }
            String head = new String(bytes.toByteArray(), 0, bodyStart, StandardCharsets.ISO_8859_1);
            int status = status(head);
            int length = contentLength(head, status);
            while (length < 0 || bytes.size() < bodyStart + length) {
                if (!more()) {
                    if (length < 0) {
                        break;
                    }
                    throw new EOFException(
                            "the answer ended after " + (bytes.size() - bodyStart) + " of " + length + " bytes");
                }
            }
            byte[] all = bytes.toByteArray();
            int end = length < 0 ? all.length : bodyStart + length;
            return new Reply(status, Arrays.copyOfRange(all, bodyStart, end));
        }

        /** Reads more; false at the end. */
        private boolean more() throws IOException {
            while (true) {
                buffer.clear();
                int read = channel.read(buffer);
                if (read < 0) {
                    return false;
                }
                if (read > 0) {
                    bytes.write(buffer.array(), 0, read);
                    if (bytes.size() > LONGEST_REPLY) {
                        throw new ProtocolException("the answer is longer than " + LONGEST_REPLY + " bytes");
                    }
                    return true;
                }
                await(selector, deadline);
            }
        }
    }

    private static int endOfHead(byte[] bytes) throws IOException {
        for (int i = 0; i + 3 < bytes.length; i++) {
            if (bytes[i] == '\r' && bytes[i + 1] == '\n' && bytes[i + 2] == '\r' && bytes[i + 3] == '\n') {
                return i + 4;
            }
        }
        if (bytes.length > LONGEST_HEAD) {
            throw new ProtocolException("the answer has no end of its head: this is not HTTP");
        }
        return -1;
    }

    private static int status(String head) throws IOException {
        String[] words = head.split("[ \r]", 3);
        if (words.length < 2 || !words[0].startsWith("HTTP/1.") || !words[1].matches("[1-5]\\d\\d")) {
            throw new ProtocolException(
                    "the answer does not begin like HTTP but with: " + head.substring(0, Math.min(40, head.length())));
        }
        return Integer.parseInt(words[1]);
    }

    /** Returns the length of the body; -1 when only the end of the connection tells. */
    private static int contentLength(String head, int status) throws IOException {
        if (status == 304 || status == 204) {
            return 0;
        }
        for (String line : head.split("\r\n", -1)) {
            String lower = line.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                String value = lower.substring("content-length:".length()).strip();
                if (!value.matches("\\d{1,9}")) {
                    throw new ProtocolException("the answer has a length of " + value);
                }
                return Integer.parseInt(value);
            }
            if (lower.startsWith("transfer-encoding:")) {
                throw new ProtocolException("the answer comes in chunks, which slurmrestd never sends");
            }
        }
        return -1;
    }

    @Override
    public String toString() {
        return "unix:" + socket;
    }
}
