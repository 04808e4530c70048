package io.weir.notifier.jdbc;

import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Writes each delivery by one statement, whose conflict clause recognises repetitions. */
final class JdbcNotifier implements Notifier {

    /** ISO 8601 with all three digits, so that texts sort as the times do. */
    private static final DateTimeFormatter TIME =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

    private final Database database;
    private final BoundStatement statement;

    /** Makes what the statement needs; empty when that is the site's business. */
    private final Optional<String> preparation;

    /** Whether that is there, as far as is known. */
    private boolean prepared;

    private final boolean recognisesRepetitions;

    JdbcNotifier(
            Database database, BoundStatement statement, Optional<String> preparation, boolean recognisesRepetitions) {
        this.database = database;
        this.statement = statement;
        this.preparation = preparation;
        this.recognisesRepetitions = recognisesRepetitions;
    }

    @Override
    public Receipt deliver(Delivery delivery) throws DeliveryException, InterruptedException {
        if (preparation.isPresent() && !prepared) {
            database.update(preparation.get(), List.of());
            prepared = true;
        }
        List<Object> values = new ArrayList<>();
        for (String name : statement.names()) {
            values.add(value(delivery, name).orElseThrow(() -> new DeliveryException("no such parameter: " + name)));
        }
        int rows;
        try {
            rows = database.update(statement.sql(), values);
        } catch (RetriableDeliveryException e) {
            // Whatever is wrong, a table that was taken away is made again before the next attempt.
            prepared = false;
            throw e;
        }
        return new Receipt(rows == 0 ? "already there, or nothing to change" : rows + (rows == 1 ? " row" : " rows"));
    }

    @Override
    public boolean recognisesRepetitions() {
        return recognisesRepetitions;
    }

    @Override
    public void close() {
        database.close();
    }

    /** Returns the value of the parameter {@code name}; empty when there is none of that name. */
    static Optional<Object> value(Delivery delivery, String name) {
        return Optional.ofNullable(
                switch (name) {
                    case "id" -> delivery.id();
                    case "cluster" -> delivery.cluster();
                    case "time" -> TIME.format(delivery.time());
                    case "epoch_millis" -> delivery.time().toEpochMilli();
                    case "severity" -> delivery.severity().name().toLowerCase(Locale.ROOT);
                    case "event" -> delivery.event();
                    case "object_type" -> delivery.objectType();
                    case "object_id" -> delivery.objectId();
                    case "subject" -> delivery.subject();
                    case "text" -> delivery.text();
                    case "recipients" -> String.join(",", delivery.recipients());
                    case "possible_duplicate" -> delivery.possibleDuplicate() ? 1 : 0;
                    default -> null;
                });
    }
}
