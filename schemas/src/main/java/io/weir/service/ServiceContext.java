package io.weir.service;

import io.micrometer.core.instrument.MeterRegistry;

/**
 * What a running service is given.
 *
 * @param config its settings
 * @param lifecycle where it registers what it opened and reports what fails
 * @param readiness where it declares what has to be true before it is ready
 * @param meters where it registers its metrics
 */
public record ServiceContext(
        ServiceConfig config, ServiceLifecycle lifecycle, Readiness readiness, MeterRegistry meters) {}
