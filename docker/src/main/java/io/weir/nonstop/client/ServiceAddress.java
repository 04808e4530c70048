package io.weir.nonstop.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where the failure service is.
 *
 * @param urls its addresses in the order in which they are tried
 * @param connectTimeout longest wait for a connection
 * @param readTimeout longest wait for an answer
 */
public record ServiceAddress(List<String> urls, Duration connectTimeout, Duration readTimeout) {
    private static final int DEFAULT_PORT = 6820;
    private static final int MOST_PORT = 65_535;
    private static final int DEFAULT_TIMEOUT_MS = 10_000;
    private static final int MOST_TIMEOUT_MS = 3_600_000;

    public ServiceAddress {
        urls = List.copyOf(urls);
    }

    /**
     * Reads it from {@code nonstop.conf}: ControlAddr, BackupAddr, Port, ReadTimeout and WriteTimeout, of each the last one.
     *
     * @throws IOException when the file cannot be read, has no ControlAddr, or a number in it is none that is legal
     */
    public static ServiceAddress read(Path file) throws IOException {
        String control = "";
        String backup = "";
        int port = DEFAULT_PORT;
        int read = DEFAULT_TIMEOUT_MS;
        int write = DEFAULT_TIMEOUT_MS;
        for (String line : Files.readAllLines(file)) {
            Optional<ServiceSetting> setting = ServiceSetting.read(line);
            String value = setting.map(ServiceSetting::value).orElse("");
            switch (setting.map(ServiceSetting::key).orElse("")) {
                case "controladdr" -> control = value;
                case "backupaddr" -> backup = value;
                case "port" -> port = number(file, line, value, MOST_PORT);
                case "readtimeout" -> read = number(file, line, value, MOST_TIMEOUT_MS);
                case "writetimeout" -> write = number(file, line, value, MOST_TIMEOUT_MS);
                default -> {
                    // Of no concern to a client.
                }
            }
        }
        if (control.isEmpty()) {
            throw new IOException(file + " has no ControlAddr");
        }
        List<String> urls = new ArrayList<>();
        urls.add(url(control, port));
        if (!backup.isEmpty()) {
            urls.add(url(backup, port));
        }
        return new ServiceAddress(urls, Duration.ofMillis(write), Duration.ofMillis(read));
    }

    private static int number(Path file, String line, String value, int most) throws IOException {
        boolean digits =
                !value.isEmpty() && value.length() <= 9 && value.chars().allMatch(c -> c >= '0' && c <= '9');
        int number = digits ? Integer.parseInt(value) : 0;
        if (number < 1 || number > most) {
            throw new IOException(file + ": " + line.strip() + ": a number from 1 to " + most + " is needed");
        }
        return number;
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
