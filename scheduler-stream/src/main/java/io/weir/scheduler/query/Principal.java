package io.weir.scheduler.query;

import java.util.Optional;

/**
 * Who asks.
 *
 * @param name name by which requests are recorded
 * @param fixed level given with the token; empty takes that of the cluster's ADMINCFG
 */
record Principal(String name, Optional<AccessLevel> fixed) {}
