package io.weir.notifier.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.OneLine;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.notifier.spi.SecretFile;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One database behind a pool of connections, which is opened with the first use: the database need not be there before.
 * Used by one thread.
 */
final class Database implements AutoCloseable {

    private static final int POOL = 2;
    private static final int LONGEST_WORDS = 400;

    /** How much later than a statement its connection is given up, so that the database has the time to say that it ended it. */
    private static final Duration CONNECTION_LATER = Duration.ofSeconds(5);

    private final String name;
    private final String url;
    private final Optional<String> user;
    private final Optional<SecretFile> password;
    private final Duration timeout;
    private @Nullable HikariDataSource pool;

    Database(String name, String url, Optional<String> user, Optional<SecretFile> password, Duration timeout) {
        this.name = name;
        this.url = url;
        this.user = user;
        this.password = password;
        this.timeout = timeout;
    }

    /**
     * Runs {@code sql} in a transaction of its own with {@code values} bound to its placeholders. What it returns, as a call of a
     * procedure or {@code RETURNING} does, is passed over.
     *
     * @return how many rows it changed or returned
     */
    int update(String sql, List<?> values) throws DeliveryException {
        boolean begun = false;
        try (Connection connection = pool().getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setQueryTimeout(Math.max(1, (int) timeout.toSeconds()));
            limit(connection);
            for (int i = 0; i < values.size(); i++) {
                statement.setObject(i + 1, values.get(i));
            }
            begun = true;
            return rows(statement, statement.execute());
        } catch (SQLException e) {
            throw failure(e, begun);
        } catch (IOException e) {
            throw new RetriableDeliveryException(String.valueOf(e.getMessage()), e);
        } catch (RuntimeException e) {
            // The pool's own: it could not be opened.
            throw new RetriableDeliveryException(name + ": " + OneLine.of(String.valueOf(e.getMessage())), e);
        }
    }

    private static int rows(PreparedStatement statement, boolean returns) throws SQLException {
        int rows = 0;
        boolean more = returns;
        while (true) {
            if (more) {
                try (ResultSet returned = statement.getResultSet()) {
                    while (returned.next()) {
                        rows++;
                    }
                }
            } else {
                int changed = statement.getUpdateCount();
                if (changed < 0) {
                    return rows;
                }
                rows += changed;
            }
            more = statement.getMoreResults();
        }
    }

    /** A database that is not there any more never answers, not even to what ends a statement. */
    private void limit(Connection connection) throws SQLException {
        try {
            connection.setNetworkTimeout(
                    Runnable::run, (int) timeout.plus(CONNECTION_LATER).toMillis());
        } catch (SQLFeatureNotSupportedException e) {
            // It is in this process: nothing is between.
        }
    }

    @Override
    public void close() {
        if (pool != null) {
            pool.close();
            pool = null;
        }
    }

    private HikariDataSource pool() throws IOException {
        HikariDataSource open = pool;
        if (open == null) {
            HikariConfig config = new HikariConfig();
            config.setPoolName("weir-" + name);
            config.setJdbcUrl(url);
            config.setMaximumPoolSize(POOL);
            config.setMinimumIdle(0);
            config.setConnectionTimeout(Math.max(250, timeout.toMillis()));
            config.setValidationTimeout(Math.max(250, Math.min(timeout.toMillis(), 5_000)));
            config.setInitializationFailTimeout(-1);
            user.ifPresent(config::setUsername);
            if (password.isPresent()) {
                config.setPassword(password.get().read());
            }
            if (url.startsWith("jdbc:postgresql:")) {
                config.addDataSourceProperty(
                        "socketTimeout", timeout.plus(CONNECTION_LATER).toSeconds());
                config.addDataSourceProperty("connectTimeout", Math.max(1, timeout.toSeconds()));
                config.addDataSourceProperty("ApplicationName", "weir-notifier");
            }
            open = new HikariDataSource(config);
            pool = open;
        }
        return open;
    }

    /** Classes 22 and 23 are data that this database will never take; everything else may be put right. */
    private DeliveryException failure(SQLException e, boolean begun) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        String said = OneLine.of(words(e));
        String message = name + ": " + OneLine.cut(said, LONGEST_WORDS) + (state.isEmpty() ? "" : " (" + state + ")");
        if (state.startsWith("22") || state.startsWith("23") || isConstraintOfSqlite(e)) {
            return new DeliveryException(message, e);
        }
        if (state.startsWith("28")) {
            close(); // the password may have been changed: it is read again
        }
        boolean lost =
                e instanceof SQLRecoverableException || e instanceof SQLTransientException || state.startsWith("08");
        return begun && lost
                ? RetriableDeliveryException.inDoubt(message, e)
                : new RetriableDeliveryException(message, e);
    }

    /** Returns what went wrong; of a pool that gave no connection, also why the last attempt to open one failed. */
    private static String words(SQLException e) {
        StringBuilder words = new StringBuilder(String.valueOf(e.getMessage()));
        for (@Nullable Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            if (message != null && words.indexOf(message) < 0) {
                words.append(": ").append(message);
            }
        }
        return words.toString();
    }

    private boolean isConstraintOfSqlite(SQLException e) {
        return url.startsWith("jdbc:sqlite:") && (e.getErrorCode() & 0xFF) == 19;
    }
}
