/**
 * What crosses a process boundary besides the records themselves: the topic catalogue, names, keys, headers, partitioning,
 * serdes and provisioning. Nothing that decides anything, and no other module, belongs here.
 */
@NullMarked
package io.weir.topics;

import org.jspecify.annotations.NullMarked;
