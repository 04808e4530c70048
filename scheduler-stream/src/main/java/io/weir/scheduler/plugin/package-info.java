/**
 * Asking a site's own code, a class or a program, which nodes a job gets. Questions come from a topic and answers go to
 * one, so that the core and a replay only ever see recorded answers. What decides anything may not go in here.
 */
@NullMarked
package io.weir.scheduler.plugin;

import org.jspecify.annotations.NullMarked;
