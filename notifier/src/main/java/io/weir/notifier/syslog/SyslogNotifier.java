package io.weir.notifier.syslog;

import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.notifier.spi.TimeLimit;
import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * Sends each delivery as one syslog message. Over TCP and TLS it has a connection of its own, which is closed on this side
 * and then by the server: only when the server has closed it, too, has it read the message.
 */
final class SyslogNotifier implements Notifier {

    private final String host;
    private final int port;
    private final SyslogTransport transport;
    private final SSLContext tls;
    private final Duration timeout;
    private final SyslogMessage message;

    SyslogNotifier(
            String host, int port, SyslogTransport transport, SSLContext tls, Duration timeout, SyslogMessage message) {
        this.host = host;
        this.port = port;
        this.transport = transport;
        this.tls = tls;
        this.timeout = timeout;
        this.message = message;
    }

    @Override
    public Receipt deliver(Delivery delivery) throws DeliveryException, InterruptedException {
        byte[] bytes = message.of(delivery);
        switch (transport) {
            case UDP -> datagram(bytes);
            case TCP, TLS -> stream(bytes);
        }
        return new Receipt(bytes.length + " bytes to " + host + ":" + port + " by " + transport);
    }

    @Override
    public boolean recognisesRepetitions() {
        return false;
    }

    @Override
    public void close() {
        // Each attempt closes its own socket.
    }

    private void datagram(byte[] bytes) throws DeliveryException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(address());
            socket.send(new DatagramPacket(bytes, bytes.length));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private void stream(byte[] bytes) throws DeliveryException {
        boolean begun = false;
        try (Socket plain = new Socket()) {
            plain.connect(address(), Math.toIntExact(timeout.toMillis()));
            try (TimeLimit limit = TimeLimit.of(plain, timeout)) {
                try (Socket socket = transport == SyslogTransport.TLS ? encrypted(plain) : plain) {
                    begun = true;
                    send(bytes, socket);
                    if (limit.isOver()) {
                        throw new SocketException("closed on this side");
                    }
                } catch (IOException e) {
                    throw limit.isOver() ? tooLate(e) : e;
                }
            }
        } catch (IOException e) {
            if (begun) {
                throw RetriableDeliveryException.inDoubt(
                        host + ":" + port + " did not confirm by closing the connection: " + e, e);
            }
            throw failed(e);
        }
    }

    private static void send(byte[] bytes, Socket socket) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write((bytes.length + " ").getBytes(StandardCharsets.US_ASCII));
        out.write(bytes);
        out.flush();
        socket.shutdownOutput();
        while (socket.getInputStream().read() >= 0) {
            // A syslog server says nothing; should this one do, it is not for us.
        }
    }

    private SocketTimeoutException tooLate(IOException cause) {
        SocketTimeoutException late = new SocketTimeoutException("not within " + timeout.toMillis() + " ms");
        late.initCause(cause);
        return late;
    }

    private Socket encrypted(Socket plain) throws IOException {
        SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(plain, host, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    private InetSocketAddress address() throws IOException {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new IOException("the name " + host + " is not known");
        }
        return address;
    }

    private RetriableDeliveryException failed(IOException e) {
        return new RetriableDeliveryException(host + ":" + port + " cannot be reached: " + e, e);
    }
}
