package io.weir.notifier.mail;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.time.Duration;
import org.eclipse.angus.mail.util.WriteTimeoutSocket;

/**
 * A connection that is at an end when the server has sent more than any answers to a letter take: the mail library keeps an
 * answer whole, however long it is. One reader.
 */
final class LimitedSocket extends WriteTimeoutSocket {

    /** Room for the answers to a letter to all its recipients, and for the certificates of the server. */
    static final int MOST_BYTES = 1 << 20;

    private long received;

    /**
     * Limits {@code connection}.
     *
     * @param writing how long a write may take
     */
    LimitedSocket(Socket connection, Duration writing) throws IOException {
        super(connection, (int) writing.toMillis());
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new Limited(super.getInputStream());
    }

    private final class Limited extends FilterInputStream {

        private Limited(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int octet = super.read();
            count(octet < 0 ? 0 : 1);
            return octet;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int read = super.read(target, offset, length);
            count(Math.max(0, read));
            return read;
        }

        private void count(int more) throws IOException {
            received += more;
            if (received > MOST_BYTES) {
                throw new IOException("the server sent more than " + MOST_BYTES + " bytes");
            }
        }
    }
}
