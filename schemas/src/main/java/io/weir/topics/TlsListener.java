package io.weir.topics;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.utils.Utils;

/**
 * Recognises a broker that speaks TLS to a client that does not. Kafka's own client takes the first bytes of a TLS alert for
 * the size of an answer, and fails for want of memory.
 */
public final class TlsListener {
    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final int TLS_ALERT = 0x15;

    /** The question for the versions that a broker speaks, which all of them answer before any login. */
    private static final byte[] API_VERSIONS = {0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 0, 0, 0};

    private TlsListener() {}

    /**
     * Asks the brokers that a client would ask first.
     *
     * @param client properties of the client
     * @return whether it can be said: none has answered when it is false
     * @throws UnfitBrokerException when one speaks TLS and the client would not
     */
    public static boolean refuse(Map<String, ?> client) {
        if (speaksTls(client)) {
            return true;
        }
        for (String server : servers(client)) {
            int first = firstByte(server);
            if (first == TLS_ALERT) {
                throw new UnfitBrokerException(List.of("The listener at " + server
                        + " speaks TLS, and this client does not. Set security.protocol"
                        + " (of a service, kafka.security.protocol) to SSL, or to SASL_SSL with a login, and what else the"
                        + " listener wants, such as ssl.truststore.location"));
            }
            if (first >= 0) {
                return true;
            }
        }
        return false;
    }

    private static boolean speaksTls(Map<String, ?> client) {
        Object protocol = client.get(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG);
        return protocol != null && protocol.toString().toUpperCase(Locale.ROOT).endsWith("SSL");
    }

    private static List<String> servers(Map<String, ?> client) {
        Object servers = client.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG);
        Stream<?> named = servers instanceof Collection<?> several
                ? several.stream()
                : Stream.of(servers == null ? new String[0] : servers.toString().split(",", -1));
        return named.map(server -> server.toString().strip()).toList();
    }

    /** Returns the first byte of an answer; -1 when there is none. */
    private static int firstByte(String server) {
        String host = Utils.getHost(server);
        Integer port = Utils.getPort(server);
        if (host == null || port == null) {
            return -1;
        }
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), (int) LIMIT.toMillis());
            socket.setSoTimeout((int) LIMIT.toMillis());
            OutputStream out = socket.getOutputStream();
            out.write(API_VERSIONS);
            out.flush();
            InputStream in = socket.getInputStream();
            return in.read();
        } catch (IOException | IllegalArgumentException e) {
            return -1;
        }
    }
}
