package io.weir.scheduler.stream;

import io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import io.confluent.kafka.schemaregistry.testutil.MockSchemaRegistry;
import io.weir.topics.AvroCodec;
import io.weir.topics.Topic;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

/** A schema registry in memory that can be away for some subjects, and says how often it was asked meanwhile. */
final class PartialRegistry {
    private final String scope = UUID.randomUUID().toString();
    private final SchemaRegistryClient registry = MockSchemaRegistry.getClientForScope(scope);
    private final Set<String> away = new TreeSet<>();
    private final Set<String> unreadable = new TreeSet<>();
    private final CountDownLatch speech = new CountDownLatch(1);
    private volatile String silent = "";
    private int refusals;

    /** Returns a codec that asks this registry and knows no schema yet. */
    AvroCodec codec() {
        SchemaRegistryClient line = (SchemaRegistryClient) Proxy.newProxyInstance(
                SchemaRegistryClient.class.getClassLoader(),
                new Class<?>[] {SchemaRegistryClient.class},
                (proxy, method, arguments) -> ask(method, arguments));
        return new AvroCodec(StreamHarness.NAMES, Map.of("schema.registry.url", "mock://" + scope), line);
    }

    void takeAway(Topic<?> topic) {
        away.add(subject(topic));
    }

    /** Has whoever asks for schemas of {@code topic} wait until it is to {@link #speak}. */
    void keepSilent(Topic<?> topic) {
        silent = subject(topic);
    }

    void speak() {
        speech.countDown();
    }

    /** Lets the schemas of {@code topic} be such as the client fails on. */
    void spoil(Topic<?> topic) {
        unreadable.add(subject(topic));
    }

    void bringBack() {
        away.clear();
        refusals = 0;
    }

    int refusals() {
        return refusals;
    }

    private static String subject(Topic<?> topic) {
        return StreamHarness.NAMES.full(topic) + "-value";
    }

    private Object ask(Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("close")) {
            return null;
        }
        if (arguments != null && arguments.length > 0 && away.contains(arguments[0])) {
            refusals++;
            throw new IOException("Connection refused");
        }
        if (arguments != null && arguments.length > 0 && silent.equals(arguments[0])) {
            speech.await();
        }
        if (arguments != null && arguments.length > 0 && unreadable.contains(arguments[0])) {
            throw new IllegalStateException("Schema with two names");
        }
        try {
            return method.invoke(registry, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
