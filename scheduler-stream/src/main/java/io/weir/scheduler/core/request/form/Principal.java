package io.weir.scheduler.core.request.form;

import java.util.Optional;

/**
 * Who asks.
 *
 * @param name name by which requests are recorded
 * @param fixed level given with the token; empty takes that of the cluster's ADMINCFG
 */
public record Principal(String name, Optional<AccessLevel> fixed) {}
