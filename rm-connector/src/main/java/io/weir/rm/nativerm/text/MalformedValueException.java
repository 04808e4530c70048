package io.weir.rm.nativerm.text;

/** A value is not what its attribute wants. The message says what is wanted, without the attribute's name. */
final class MalformedValueException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedValueException(String message) {
        super(message);
    }
}
