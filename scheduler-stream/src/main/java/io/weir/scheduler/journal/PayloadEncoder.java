package io.weir.scheduler.journal;

import org.apache.avro.specific.SpecificRecord;

/**
 * Encodes the records that a journal's digests are made over. The stream encodes by the schemas of its build; whoever
 * replays a journal of another build encodes by the schemas that one wrote with, so that a field added since changes no
 * digest. Stateless.
 */
@FunctionalInterface
public interface PayloadEncoder {
    /** Returns the binary form of {@code value}, without schema id. */
    byte[] encode(SpecificRecord value);
}
