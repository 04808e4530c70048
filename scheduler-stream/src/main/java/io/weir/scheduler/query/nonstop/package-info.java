/**
 * How applications are told of what befalls the nodes of their jobs: the latest records of the topic {@code nonstop-events},
 * for those who wait for them, and callbacks to addresses that the configuration allows.
 */
@NullMarked
package io.weir.scheduler.query.nonstop;

import org.jspecify.annotations.NullMarked;
