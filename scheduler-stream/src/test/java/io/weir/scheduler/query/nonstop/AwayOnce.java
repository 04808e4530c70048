package io.weir.scheduler.query.nonstop;

import io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import io.confluent.kafka.schemaregistry.testutil.MockSchemaRegistry;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A schema registry that does not answer its first question. */
final class AwayOnce {
    private final AtomicInteger asked = new AtomicInteger();

    /** Returns a codec that asks it and knows no schema yet; {@code scope} names the registry's content. */
    AvroCodec codec(String scope) {
        SchemaRegistryClient content = MockSchemaRegistry.getClientForScope(scope);
        SchemaRegistryClient line = (SchemaRegistryClient) Proxy.newProxyInstance(
                SchemaRegistryClient.class.getClassLoader(),
                new Class<?>[] {SchemaRegistryClient.class},
                (proxy, method, arguments) -> ask(content, method, arguments));
        return new AvroCodec(new TopicNames("weir."), Map.of("schema.registry.url", "mock://" + scope), line);
    }

    /** Returns how many questions were not answered. */
    int refused() {
        return Math.min(1, asked.get());
    }

    private Object ask(SchemaRegistryClient content, Method method, Object[] arguments) throws Throwable {
        if (asked.getAndIncrement() == 0) {
            throw new IOException("Connection refused");
        }
        try {
            return method.invoke(content, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
