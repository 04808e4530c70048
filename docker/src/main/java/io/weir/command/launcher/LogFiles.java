package io.weir.command.launcher;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the log of this process to files from now on: everything goes to the file, the terminal keeps Weir's own
 * errors. A file is turned at 10 MB, four old ones are kept.
 */
public final class LogFiles {
    private static final String TERMINAL = "STDERR";
    private static final String PATTERN =
            "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX, UTC} %-5level [%thread] %logger{20}: %msg%n";

    private LogFiles() {}

    /**
     * Writes to {@code directory/name.log} and returns where the log is: that file, or the terminal, which gets all of it, where the
     * file cannot be written.
     */
    public static String open(Path directory, String name) {
        Path file = directory.resolve(name + ".log");
        return LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                ? open(context, file)
                : file.toString();
    }

    static String open(LoggerContext context, Path file) {
        ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        Appender<ILoggingEvent> terminal = root.getAppender(TERMINAL);
        Appender<ILoggingEvent> written = appender(context, file);
        if (!written.isStarted()) {
            if (terminal != null) {
                terminal.clearAllFilters();
            }
            context.getLogger(LogFiles.class)
                    .error("{} cannot be written: the log goes to the terminal alone, and is not kept", file);
            return "on the terminal";
        }
        root.addAppender(written);
        if (terminal != null) {
            root.detachAppender(terminal);
            ThresholdFilter errors = new ThresholdFilter();
            errors.setContext(context);
            errors.setLevel(Level.ERROR.toString());
            errors.start();
            terminal.addFilter(errors);
            context.getLogger("io.weir").addAppender(terminal);
        }
        return file.toString();
    }

    private static Appender<ILoggingEvent> appender(LoggerContext context, Path file) {
        RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
        appender.setContext(context);
        appender.setName("FILE");
        appender.setFile(file.toString());

        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        appender.setEncoder(encoder);

        FixedWindowRollingPolicy turned = new FixedWindowRollingPolicy();
        turned.setContext(context);
        turned.setParent(appender);
        turned.setFileNamePattern(file + ".%i");
        turned.setMinIndex(1);
        turned.setMaxIndex(4);
        turned.start();
        appender.setRollingPolicy(turned);

        SizeBasedTriggeringPolicy<ILoggingEvent> size = new SizeBasedTriggeringPolicy<>();
        size.setContext(context);
        size.setMaxFileSize(FileSize.valueOf("10MB"));
        size.start();
        appender.setTriggeringPolicy(size);

        appender.start();
        return appender;
    }
}
