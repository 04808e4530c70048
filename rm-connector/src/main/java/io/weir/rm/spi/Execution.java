package io.weir.rm.spi;

/** What became of a command when it was carried out: an answer, or something that is still going on. */
public sealed interface Execution permits RmAnswer, Ongoing {}
