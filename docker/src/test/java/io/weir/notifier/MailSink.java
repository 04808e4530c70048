package io.weir.notifier;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Takes mail by SMTP, without encryption or a login, and keeps the text of each. Thread-safe. */
final class MailSink implements AutoCloseable {
    private final ServerSocket server;
    private final List<String> mails = new ArrayList<>();
    private final Thread thread = new Thread(this::serve, "mail-sink");

    MailSink() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return server.getLocalPort();
    }

    synchronized List<String> mails() {
        return List.copyOf(mails);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    private void serve() {
        while (!server.isClosed()) {
            try (Socket client = server.accept()) {
                talk(client);
            } catch (IOException e) {
                // The next client, or the end.
            }
        }
    }

    private void talk(Socket client) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
        Writer out = new OutputStreamWriter(client.getOutputStream(), StandardCharsets.UTF_8);
        say(out, "220 sink");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String command = line.toUpperCase(Locale.ROOT);
            if (command.startsWith("DATA")) {
                say(out, "354 go on");
                take(in);
                say(out, "250 taken");
            } else if (command.startsWith("QUIT")) {
                say(out, "221 bye");
                return;
            } else {
                say(out, "250 sink");
            }
        }
    }

    /** Takes a mail; what breaks off before its last line, the full stop, is none. */
    private void take(BufferedReader in) throws IOException {
        StringBuilder mail = new StringBuilder();
        for (String line = in.readLine(); !".".equals(line); line = in.readLine()) {
            if (line == null) {
                throw new EOFException("in the middle of a mail");
            }
            mail.append(line).append('\n');
        }
        synchronized (this) {
            mails.add(mail.toString());
        }
    }

    private static void say(Writer out, String line) throws IOException {
        out.write(line + "\r\n");
        out.flush();
    }
}
