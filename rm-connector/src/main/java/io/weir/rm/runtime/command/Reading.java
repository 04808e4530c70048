package io.weir.rm.runtime.command;

import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reading what the resource manager says of nodes and jobs. */
public final class Reading {
    private static final Logger log = LoggerFactory.getLogger(Reading.class);

    private Reading() {}

    /** Takes a fault in the reading of what the resource manager says for its silence: what it says next may be readable. */
    public static <T> T of(Supplier<T> look) {
        try {
            return look.get();
        } catch (RmException e) {
            throw e;
        } catch (RuntimeException e) {
            log.error("a fault of the connector in the poll", e);
            throw new RetriableRmException("a fault of the connector in the poll: " + e, e);
        }
    }
}
