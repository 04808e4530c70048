package io.weir.monitoring.format;

/** Reads messages of one format. Stateless, and total: whatever the bytes, it returns what could be read of them. */
public interface Format {

    /** Name by which the settings ask for it. */
    String name();

    /** Reads {@code message}, of at most a few megabytes. */
    Reading read(byte[] message);
}
