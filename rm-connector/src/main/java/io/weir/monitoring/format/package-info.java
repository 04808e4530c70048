/**
 * The formats in which monitoring systems of others say what they measured: each is read into observations and alerts,
 * whatever it came over. Pure; no Kafka, no clock and no settings may go in here.
 */
@NullMarked
package io.weir.monitoring.format;

import org.jspecify.annotations.NullMarked;
