package io.weir.scheduler.core.fact;

/**
 * Why a fact cannot be applied.
 *
 * @param cause short code in upper case, such as UNKNOWN_NODE
 * @param message the offending value, its place and what to do
 */
public record Rejection(String cause, String message) {}
