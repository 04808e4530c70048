/**
 * The whole loop in one JVM and one thread of time, from a seed: the real scheduler shell and connector on a simulated
 * broker, in front of a simulated resource manager, with hostile users, faults at every boundary, and judges that look on. Sites do not need it; whoever changes Weir does. Nothing in the services knows of it.
 */
@NullMarked
package io.weir.loop;

import org.jspecify.annotations.NullMarked;
