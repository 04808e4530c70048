package io.weir.command.terminal;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Numbers above 0, for options of which none and less make no sense. */
public final class Positive {
    private Positive() {}

    private static TypeConversionException refusal(String text, String form) {
        return new TypeConversionException("'" + text + "' is not " + form + " above 0");
    }

    /** Whole numbers up to some two thousand millions. */
    public static final class Count implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            long number = new Amount().convert(text);
            if (number > Integer.MAX_VALUE) {
                throw new TypeConversionException("'" + text + "' is more than " + Integer.MAX_VALUE);
            }
            return (int) number;
        }
    }

    /** Whole numbers. */
    public static final class Amount implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            try {
                long number = Long.parseLong(text);
                if (number > 0) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // Said below.
            }
            throw refusal(text, "a whole number");
        }
    }

    /** Numbers with or without a fraction. */
    public static final class Factor implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            try {
                double number = Double.parseDouble(text);
                if (number > 0 && Double.isFinite(number)) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // Said below.
            }
            throw refusal(text, "a number");
        }
    }
}
