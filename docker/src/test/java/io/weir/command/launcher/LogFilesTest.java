package io.weir.command.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFilesTest {
    @TempDir
    private Path directory;

    private final LoggerContext context = new LoggerContext();
    private final ListAppender<ILoggingEvent> terminal = new ListAppender<>();

    @BeforeEach
    void showWarnings() {
        ThresholdFilter warnings = new ThresholdFilter();
        warnings.setLevel(Level.WARN.toString());
        warnings.start();
        terminal.setContext(context);
        terminal.setName("STDERR");
        terminal.addFilter(warnings);
        terminal.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(terminal);
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void shouldLeaveErrorsToTheTerminal() {
        Path file = directory.resolve("weir.log");

        assertThat(LogFiles.open(context, file)).isEqualTo(file.toString());
        context.getLogger("io.weir.Service").info("it runs");
        context.getLogger("io.weir.Service").error("it failed");

        assertThat(terminal.list).extracting(ILoggingEvent::getMessage).containsExactly("it failed");
    }

    @Test
    void shouldLeaveAllToTheTerminalAndSaySoWhereTheFileCannotBeWritten() throws IOException {
        Path file = Files.createDirectory(directory.resolve("weir.log"));

        assertThat(LogFiles.open(context, file)).isEqualTo("on the terminal");
        context.getLogger("io.weir.Service").info("it runs");

        assertThat(terminal.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        file + " cannot be written: the log goes to the terminal alone, and is not kept", "it runs");
    }
}
