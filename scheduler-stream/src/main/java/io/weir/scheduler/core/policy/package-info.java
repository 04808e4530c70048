/**
 * The site's configuration: {@code SitePolicy} as a whole and the readers that make it out of settings. Its parts are in
 * one package for each area, its syntax is in {@code language}. Decides nothing.
 */
@NullMarked
package io.weir.scheduler.core.policy;

import org.jspecify.annotations.NullMarked;
