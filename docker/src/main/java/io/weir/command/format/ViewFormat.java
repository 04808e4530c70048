package io.weir.command.format;

/** How an operator's command presents what it found. */
public enum ViewFormat {
    /** For people. */
    TEXT,
    /** For programs. */
    JSON,
    /** For programs that read what Moab's commands print; not every command has it. */
    XML
}
