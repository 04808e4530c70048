package io.weir.rm.spi;

/**
 * A setting that a provider knows, for the connector to accept and to document.
 *
 * @param key name without the prefix {@code rm.<type>.}
 * @param defaultValue value when none is given
 * @param description one sentence with unit and range
 */
public record RmSetting(String key, String defaultValue, String description) {}
