/**
 * Client of the failure service, for applications. It needs nothing but Jackson and the JDK: no class of Weir's services, no
 * Kafka.
 */
@NullMarked
package io.weir.nonstop.client;

import org.jspecify.annotations.NullMarked;
