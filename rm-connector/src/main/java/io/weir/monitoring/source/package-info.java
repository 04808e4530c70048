/**
 * The monitoring source: takes what monitoring systems of others publish, from their topics and over HTTP, and turns it into
 * measurements and events of the cluster. What formats look like is the business of the package of formats.
 */
@NullMarked
package io.weir.monitoring.source;

import org.jspecify.annotations.NullMarked;
