package io.weir.scheduler.journal;

import java.util.List;

/** The digest of an iteration's outputs: topic, key and payload of each, in order. Stateless. */
final class OutputsDigest {
    private OutputsDigest() {}

    /** Returns the digest in hexadecimal. */
    static String of(List<OutputRecord> outputs) {
        Sha256 digest = new Sha256();
        for (OutputRecord output : outputs) {
            digest.add(output.topic().name()).add(output.keyBytes()).add(output.payload());
        }
        return Sha256.hex(digest.finish());
    }
}
