package io.weir.notifier.spi;

/** A delivery that this channel will never take, however often it is tried. The message says what the receiver said. */
public class DeliveryException extends Exception {

    private static final long serialVersionUID = 1L;

    public DeliveryException(String message) {
        super(message);
    }

    public DeliveryException(String message, Throwable cause) {
        super(message, cause);
    }
}
