package io.weir.loop.log;

/**
 * What the broker leaves out of its duties, to see who notices. All false is Kafka.
 *
 * @param noFencing an older producer of a transactional id, and a member of an older generation, may go on writing
 */
public record LogFaults(boolean noFencing) {
    /** A broker that does what Kafka does. */
    public static final LogFaults NONE = new LogFaults(false);
}
