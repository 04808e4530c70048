package io.weir.notifier.webhook;

import io.weir.notifier.spi.SecretFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs a body so that its receiver can tell who sent it, and when: {@code t=SECONDS,v1=HEX}, the HMAC-SHA256 of the seconds,
 * a dot and the body. A receiver refuses what is older than a few minutes, and so what somebody sends again. Immutable.
 *
 * @param key file of the key that both sides know
 * @param clock of the time in the signature
 */
record RequestSignature(SecretFile key, Clock clock) {

    private static final String ALGORITHM = "HmacSHA256";

    /** Returns the signature of {@code body}. */
    String of(byte[] body) throws IOException {
        long seconds = clock.instant().getEpochSecond();
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key.read().getBytes(StandardCharsets.UTF_8), ALGORITHM));
            mac.update((seconds + ".").getBytes(StandardCharsets.US_ASCII));
            return "t=" + seconds + ",v1=" + HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has " + ALGORITHM, e);
        }
    }
}
