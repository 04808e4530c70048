package io.weir.rm.runtime.command;

import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.RmCommand;

/** Takes the results of commands: those about one job in the order of their numbers, all in the order they were finished. */
public interface ResultSink {

    /** The resource manager answered {@code command}. */
    void answered(RmCommand command, RmAnswer answer);

    /** {@code command} came too late and was not tried; {@code message} says by how much. */
    void expired(RmCommand command, String message);
}
