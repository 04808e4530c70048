/**
 * The HTTP server under the API, under health and metrics and under the embedded registry: Jetty, set up in one place, with
 * limits on everything a client can make it hold. What is asked and who may ask it does not belong here.
 */
@NullMarked
package io.weir.service.http;

import org.jspecify.annotations.NullMarked;
