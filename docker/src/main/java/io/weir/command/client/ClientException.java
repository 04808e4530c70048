package io.weir.command.client;

/** Why a command got nothing; ends it with {@link #exitCode}. */
public class ClientException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /** Ends the command with {@code exitCode}, one of {@link io.weir.command.terminal.ExitCode}. */
    public ClientException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** Returns what to tell the shell. */
    public int exitCode() {
        return exitCode;
    }
}
