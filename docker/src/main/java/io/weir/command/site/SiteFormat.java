package io.weir.command.site;

/** How an operator's command presents what it found. */
enum SiteFormat {
    /** For people. */
    TEXT,
    /** For programs. */
    JSON,
    /** For programs that read what Moab's commands print; not every command has it. */
    XML
}
