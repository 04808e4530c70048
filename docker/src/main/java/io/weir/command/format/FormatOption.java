package io.weir.command.format;

import picocli.CommandLine.Option;

/** The option that chooses between text and JSON. */
public final class FormatOption {
    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "TEXT",
            description = "text or json (default: text).")
    private OutputFormat format = OutputFormat.TEXT;

    /** Says whether JSON was asked for. */
    public boolean isJson() {
        return format == OutputFormat.JSON;
    }
}
