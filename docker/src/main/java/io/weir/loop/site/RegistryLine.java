package io.weir.loop.site;

import io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The way of one process to the schema registry. A call takes no time, so that no lock is held over a turn. */
public final class RegistryLine implements InvocationHandler {
    private static final int NOT_FOUND = 404;
    private static final int NO_SUBJECT = 40_401;

    private final SchemaRegistryClient registry;
    private final BooleanSupplier away;
    private final boolean denies;

    private RegistryLine(SchemaRegistryClient registry, BooleanSupplier away, boolean denies) {
        this.registry = registry;
        this.away = away;
        this.denies = denies;
    }

    /**
     * Opens a line to {@code registry}, which does not answer while it is {@code away}; if it {@code denies}, it says
     * instead that it has no such schema.
     */
    public static SchemaRegistryClient open(SchemaRegistryClient registry, BooleanSupplier away, boolean denies) {
        return (SchemaRegistryClient) Proxy.newProxyInstance(
                SchemaRegistryClient.class.getClassLoader(),
                new Class<?>[] {SchemaRegistryClient.class},
                new RegistryLine(registry, away, denies));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getName().equals("close")) {
            return null;
        }
        if (away.getAsBoolean()) {
            throw denies
                    ? new RestClientException("There is no such subject", NOT_FOUND, NO_SUBJECT)
                    : new IOException("Connection refused");
        }
        try {
            return method.invoke(registry, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
