package io.weir.scheduler.query;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

class LogLevelTest {
    private final Logger ours = (Logger) LoggerFactory.getLogger("io.weir");
    private final Logger library = (Logger) LoggerFactory.getLogger("org.apache.kafka");
    private Level before;

    @BeforeEach
    void keep() {
        before = ours.getLevel();
    }

    @AfterEach
    void restore() {
        ours.setLevel(before);
    }

    @ParameterizedTest
    @CsvSource({"0, ERROR, 0", "1, WARN, 1", "2, INFO, 3", "3, INFO, 3", "5, DEBUG, 5", "7, DEBUG, 5", "9, TRACE, 8"})
    void shouldSetWhatTheProcessLogsOfItself(int number, String level, int told) {
        assertThat(LogLevel.set(number)).isTrue();

        assertThat(LoggerFactory.getLogger(ApiRoutes.class))
                .isInstanceOfSatisfying(
                        Logger.class,
                        logger -> assertThat(logger.getEffectiveLevel()).isEqualTo(Level.valueOf(level)));
        assertThat(LogLevel.get()).contains(told);
    }

    @Test
    void shouldLeaveLibrariesAsTheyAre() {
        Level quiet = library.getEffectiveLevel();

        LogLevel.set(9);

        assertThat(library.getEffectiveLevel()).isEqualTo(quiet);
    }
}
