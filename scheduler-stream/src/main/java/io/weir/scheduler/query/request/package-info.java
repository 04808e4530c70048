/**
 * Requests as a client of the topic of requests makes them: sent once, remembered by their id, matched with their answers.
 */
@NullMarked
package io.weir.scheduler.query.request;

import org.jspecify.annotations.NullMarked;
