/**
 * What people and programs see of the clusters, and how they ask for something: the HTTP server that gives out views of an
 * image of the state topics and takes requests in. It reads and writes topics like any other
 * client; the core's tables and the stream's stores do not belong here.
 */
@NullMarked
package io.weir.scheduler.query;

import org.jspecify.annotations.NullMarked;
