package io.weir.rm.slurm.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One scontrol that takes line after line, as it does from a person: a process and its reading of slurm.conf serve many
 * commands. What it says about a line ends with its next prompt. A process that does not answer in time is ended;
 * one so old that slurm.conf may have changed is replaced when it is needed again. One calling thread.
 */
final class ControlSession implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ControlSession.class);

    private static final String PROMPT = "scontrol: ";
    private static final int LONGEST_ANSWER = 64 << 10;

    /** Longer lines are the business of a process of their own: a build without readline reads 4,096 characters. */
    private static final int LONGEST_LINE = 3_000;

    private static final Duration OLDEST = Duration.ofSeconds(30);
    private static final Duration FIRST_PROMPT = Duration.ofSeconds(5);

    /** How long to do without after a process that did not ask for lines. */
    private static final Duration WITHOUT = Duration.ofMinutes(5);

    private final Supplier<ProcessBuilder> program;
    private final Duration timeout;
    private final LongSupplier nanos;
    private @Nullable Running running;

    /** Since when there is no session to be had; null when that is not known. */
    private @Nullable Long uselessSince;

    /**
     * Creates a session that starts its process when it is needed.
     *
     * @param program scontrol without arguments
     * @param timeout how long to wait for an answer
     * @param nanos a monotonic clock
     */
    ControlSession(Supplier<ProcessBuilder> program, Duration timeout, LongSupplier nanos) {
        this.program = program;
        this.timeout = timeout;
        this.nanos = nanos;
    }

    /** Says whether words can be typed: nothing in them that parts a line, and that a line editor or scontrol would change. */
    static boolean canTake(Collection<String> words) {
        int length = 0;
        for (String word : words) {
            length += word.length() + 1;
            for (int i = 0; i < word.length(); i++) {
                char c = word.charAt(i);
                if (c <= ' ' || c > '~' || c == '"' || c == '\'' || c == '\\' || c == '!') {
                    return false;
                }
            }
        }
        return length <= LONGEST_LINE;
    }

    /**
     * Says the words as one line.
     *
     * @return what scontrol said, empty when it did what it was told; nothing when there is no such session here
     * @throws IOException if nobody knows what became of the line
     */
    Optional<String> say(Collection<String> words) throws IOException {
        Optional<Running> there = running();
        if (there.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(there.get().answer(String.join(" ", words) + '\n', timeout));
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private Optional<Running> running() throws IOException {
        if (running != null && (!running.process.isAlive() || nanos.getAsLong() - running.since > OLDEST.toNanos())) {
            close();
        }
        if (uselessSince != null && nanos.getAsLong() - uselessSince > WITHOUT.toNanos()) {
            uselessSince = null;
        }
        if (running == null && uselessSince == null) {
            Running fresh = new Running(program.get().redirectErrorStream(true).start(), nanos.getAsLong());
            running = fresh;
            if (!fresh.greets(FIRST_PROMPT)) {
                close();
                uselessSince = nanos.getAsLong();
                log.info(
                        "scontrol asked for no lines within {}: each command is a process of its own for {}",
                        FIRST_PROMPT,
                        WITHOUT);
            }
        }
        return Optional.ofNullable(running);
    }

    @Override
    public void close() {
        if (running != null) {
            running.process.destroyForcibly();
            running = null;
        }
    }

    /** The process, with a thread that reads what it says. */
    private static final class Running {
        private final Process process;
        private final OutputStream input;
        /** Nothing is said by one that has ended. */
        private final BlockingQueue<Optional<String>> answers = new LinkedBlockingQueue<>();

        private final long since;

        Running(Process process, long since) {
            this.process = process;
            this.input = process.getOutputStream();
            this.since = since;
            Thread thread = new Thread(this::read, "slurm-control-session");
            thread.setDaemon(true);
            thread.start();
        }

        boolean greets(Duration patience) throws IOException {
            return next(patience).isPresent();
        }

        String answer(String line, Duration patience) throws IOException {
            input.write(line.getBytes(StandardCharsets.US_ASCII));
            input.flush();
            String said = next(patience)
                    .orElseThrow(() -> new IOException(
                            process.isAlive() ? "no answer within " + patience.toMillis() + " ms" : "scontrol ended"));
            // The line comes back first, as far as it fits a terminal.
            return said.substring(said.indexOf('\n') + 1).strip();
        }

        private Optional<String> next(Duration patience) throws IOException {
            try {
                return Objects.requireNonNullElse(
                        answers.poll(patience.toMillis(), TimeUnit.MILLISECONDS), Optional.empty());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }

        private void read() {
            StringBuilder said = new StringBuilder();
            byte[] bytes = new byte[4096];
            try (InputStream output = process.getInputStream()) {
                int read = output.read(bytes);
                while (read >= 0 && said.length() < LONGEST_ANSWER) {
                    said.append(new String(bytes, 0, read, StandardCharsets.ISO_8859_1));
                    if (isWhole(said)) {
                        said.setLength(said.length() - PROMPT.length());
                        answers.add(Optional.of(said.toString()));
                        said.setLength(0);
                    }
                    read = output.read(bytes);
                }
            } catch (IOException e) {
                log.debug("scontrol is gone", e);
            } finally {
                answers.add(Optional.empty());
            }
        }

        private static boolean isWhole(StringBuilder said) {
            int at = said.length() - PROMPT.length();
            return at >= 0 && said.indexOf(PROMPT, at) == at && (at == 0 || said.charAt(at - 1) == '\n');
        }
    }
}
