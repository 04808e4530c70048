package io.weir.command;

/** How a command presents what it found. */
public enum OutputFormat {
    /** For people. */
    TEXT,
    /** For programs. */
    JSON
}
