/**
 * A Kafka broker inside this JVM: one node, broker and controller at once, durable in a directory. Kafka's server
 * classes are internal API and are imported here and nowhere else. Nothing about Weir's topics belongs here.
 */
@NullMarked
package io.weir.standalone.broker;

import org.jspecify.annotations.NullMarked;
