/**
 * Process plumbing every service shares: configuration, health, metrics, graceful stop. No domain knowledge belongs here.
 */
@NullMarked
package io.weir.service;

import org.jspecify.annotations.NullMarked;
