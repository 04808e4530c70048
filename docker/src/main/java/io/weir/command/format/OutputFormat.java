package io.weir.command.format;

/** How a command presents what it found. */
public enum OutputFormat {
    /** For people. */
    TEXT,
    /** For programs. */
    JSON
}
