package io.weir.rm.runtime.fact;

/**
 * Where a fact comes from; it travels in headers.
 *
 * @param connector id of the connector
 * @param epoch its epoch: the offset of its HELLO
 * @param sequence number of the record within its topic and epoch, from 1
 */
public record FactOrigin(String connector, long epoch, long sequence) {}
