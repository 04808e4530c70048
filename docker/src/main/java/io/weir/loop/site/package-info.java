/**
 * What a site has besides its scheduler: connectors, and in front of them a machine as unfriendly as a seed wants. What
 * belongs to Weir here is the real thing.
 */
@NullMarked
package io.weir.loop.site;

import org.jspecify.annotations.NullMarked;
