package io.weir.scheduler;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** What a class logs during a test, from a level on. */
public final class CapturedLog extends AppenderBase<ILoggingEvent> implements BeforeEachCallback, AfterEachCallback {
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final Level from;
    private @Nullable Level before;

    public CapturedLog(Class<?> source, Level from) {
        logger = (Logger) LoggerFactory.getLogger(source);
        this.from = from;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        before = logger.getLevel();
        logger.setLevel(from);
        start();
        logger.addAppender(this);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        logger.detachAppender(this);
        logger.setLevel(before);
    }

    @Override
    protected void append(ILoggingEvent event) {
        events.add(event);
    }

    /** Returns what was logged so far, oldest first. */
    public List<ILoggingEvent> events() {
        return List.copyOf(events);
    }

    /** Returns the lines of what was logged so far, oldest first. */
    public List<String> lines() {
        return events.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /** Forgets what was logged so far. */
    public void clear() {
        events.clear();
    }
}
