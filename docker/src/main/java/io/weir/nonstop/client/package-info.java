/**
 * Client of the failure service, for applications. It is packed into a jar of its own (classifier {@code nonstop-client},
 * Apache-2.0) and needs nothing but Jackson and the JDK: no class of Weir's services, no Kafka.
 */
@NullMarked
package io.weir.nonstop.client;

import org.jspecify.annotations.NullMarked;
