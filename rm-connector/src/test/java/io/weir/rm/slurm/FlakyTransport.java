package io.weir.rm.slurm;

import io.weir.rm.slurm.client.RestTransport;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A slurmrestd that, now and then, answers garbage, 500 or nothing, with or without having done what was asked. */
final class FlakyTransport implements RestTransport {
    private final RestTransport real;
    private final Random random;
    private final double share;
    private int failures;

    FlakyTransport(RestTransport real, long seed, double share) {
        this.real = real;
        this.random = new Random(seed);
        this.share = share;
    }

    int failures() {
        return failures;
    }

    @Override
    public Reply send(String method, String target, byte @Nullable [] body, Duration limit) throws IOException {
        if (random.nextDouble() >= share) {
            return real.send(method, target, body, limit);
        }
        failures++;
        boolean done = random.nextBoolean();
        if (done) {
            real.send(method, target, body, limit);
        }
        return switch (random.nextInt(5)) {
            case 0 -> throw new EOFException("closed");
            case 1 -> throw new SocketTimeoutException("silent");
            case 2 -> new Reply(200, "<html>busy</html>".getBytes(StandardCharsets.UTF_8));
            case 3 -> new Reply(500, new byte[0]);
            default -> new Reply(500, "{\"errors\":[{\"error\":\"boom\"}]}".getBytes(StandardCharsets.UTF_8));
        };
    }

    @Override
    public String toString() {
        return "flaky " + real;
    }
}
