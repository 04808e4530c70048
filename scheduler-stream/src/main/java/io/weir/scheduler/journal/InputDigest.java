package io.weir.scheduler.journal;

import org.apache.kafka.common.header.Header;

/**
 * The chain over the inputs: {@code d(n) = SHA-256(d(n-1), sequence, origin, headers, key, payload)}. It begins at the
 * digest of the previous iteration, so that inputs and iterations form one chain. Stateless.
 */
final class InputDigest {
    private InputDigest() {}

    /** Returns the digest of {@code input} at {@code sequence} behind {@code previous}. */
    static byte[] next(byte[] previous, long sequence, Input input) {
        Sha256 digest = new Sha256()
                .add(previous)
                .add(sequence)
                .add(input.topic())
                .add(input.partition())
                .add(input.offset())
                .add(input.timestamp());
        Header[] headers = input.headers().toArray();
        digest.add(headers.length);
        for (Header header : headers) {
            digest.add(header.key()).add(header.value());
        }
        return digest.add(input.key()).add(AvroBinary.payload(input.value())).finish();
    }
}
