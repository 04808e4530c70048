package io.weir.standalone.bench;

/**
 * How fast records that waited were taken in.
 *
 * @param records how many
 * @param use what it took
 */
public record Drain(long records, MachineUse use) {
    /** Returns how many were taken in a second. */
    public double perSecond() {
        return records / use.seconds();
    }
}
