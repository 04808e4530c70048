package io.weir.nonstop.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Where the failure service is.
 *
 * @param urls its addresses in the order in which they are tried
 * @param connectTimeout longest wait for a connection
 * @param readTimeout longest wait for an answer
 */
public record ServiceAddress(List<String> urls, Duration connectTimeout, Duration readTimeout) {
    private static final int DEFAULT_PORT = 6820;
    private static final long DEFAULT_TIMEOUT_MS = 10_000;

    public ServiceAddress {
        urls = List.copyOf(urls);
    }

    /**
     * Reads it from {@code nonstop.conf}: ControlAddr, BackupAddr, Port, ReadTimeout and WriteTimeout.
     *
     * @throws IOException when the file cannot be read, or has no ControlAddr
     */
    public static ServiceAddress read(Path file) throws IOException {
        List<String> hosts = new ArrayList<>();
        String backup = "";
        int port = DEFAULT_PORT;
        long read = DEFAULT_TIMEOUT_MS;
        long write = DEFAULT_TIMEOUT_MS;
        for (String line : Files.readAllLines(file)) {
            String[] pair = line.replaceFirst("#.*", "").strip().split("=", 2);
            String value = pair.length < 2 ? "" : pair[1].strip();
            try {
                switch (pair[0].strip().toLowerCase(Locale.ROOT)) {
                    case "controladdr" -> hosts.add(0, value);
                    case "backupaddr" -> backup = value;
                    case "port" -> port = Integer.parseInt(value);
                    case "readtimeout" -> read = Long.parseLong(value);
                    case "writetimeout" -> write = Long.parseLong(value);
                    default -> {
                        // Of no concern to a client.
                    }
                }
            } catch (NumberFormatException e) {
                throw new IOException(file + ": " + line.strip() + ": a number is needed", e);
            }
        }
        if (hosts.isEmpty()) {
            throw new IOException(file + " has no ControlAddr");
        }
        if (!backup.isEmpty()) {
            hosts.add(backup);
        }
        int at = port;
        return new ServiceAddress(
                hosts.stream().map(host -> url(host, at)).toList(), Duration.ofMillis(write), Duration.ofMillis(read));
    }

    /** Returns the same addresses over TLS. */
    public ServiceAddress secured() {
        return new ServiceAddress(
                urls.stream().map(url -> url.replaceFirst("^http:", "https:")).toList(), connectTimeout, readTimeout);
    }

    private static String url(String host, int port) {
        return "http://" + (host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port;
    }
}
