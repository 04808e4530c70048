package io.weir.service.setting;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * Checks a setting that is a fraction: between two bounds, each included. What is no number at all, which comes through
 * comparisons, is refused.
 *
 * @param least smallest that may be
 * @param most largest that may be
 */
public record Amount(double least, double most) implements ConfigDef.Validator {
    @Override
    public void ensureValid(String key, Object value) {
        if (!(value instanceof Number number && number.doubleValue() >= least && number.doubleValue() <= most)) {
            throw new ConfigException(key, value, "must be a number from " + least + " to " + most);
        }
    }

    @Override
    public String toString() {
        return "[" + least + ",...," + most + "]";
    }
}
