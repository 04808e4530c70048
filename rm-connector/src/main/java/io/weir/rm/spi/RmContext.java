package io.weir.rm.spi;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a provider is given to open a resource manager.
 *
 * @param cluster name of the cluster; every report carries it
 * @param connector id of the connector, unique in the cluster
 * @param dataDirectory directory of this connector for files of its own; exists
 * @param settings every setting of the provider, without the prefix {@code rm.<type>.}
 */
public record RmContext(String cluster, String connector, Path dataDirectory, Map<String, String> settings) {
    public RmContext {
        settings = Collections.unmodifiableMap(new TreeMap<>(settings));
    }
}
