package io.weir.service;

import org.apache.kafka.common.config.ConfigDef;

/**
 * One service, started by {@link ServiceMain} as a process of its own or by a launcher beside others.
 *
 * <p>{@link #start} connects, starts its threads and returns; it blocks no longer than that takes. Whatever it opens it
 * registers with the context's lifecycle, and what goes wrong later on its threads it reports there.
 */
public interface Service {

    /** Returns the name used in logs and metrics, such as {@code scheduler}. */
    String name();

    /** Returns the settings it knows, those of {@link ServiceConfig#baseDefinition()} included. */
    ConfigDef definition();

    /** Starts the service. */
    void start(ServiceContext context) throws Exception;
}
