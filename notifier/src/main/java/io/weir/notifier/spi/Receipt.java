package io.weir.notifier.spi;

/**
 * What the receiver said when it took a delivery. Immutable.
 *
 * @param message one line for people, such as an HTTP status; it is recorded with the result
 */
public record Receipt(String message) {}
