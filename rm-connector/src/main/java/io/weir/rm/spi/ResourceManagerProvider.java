package io.weir.rm.spi;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Opens resource managers of one kind. Found by {@link java.util.ServiceLoader}; has no state. */
public interface ResourceManagerProvider {

    /** Returns the value of {@code rm.type} that means this provider: lower case, unique. */
    String type();

    /** Returns the settings it knows; the connector refuses all others. */
    List<RmSetting> settings();

    /**
     * Opens a resource manager. All that is wrong with the settings is reported at once.
     *
     * @throws RmException if the settings are not usable
     */
    ResourceManager open(RmContext context);

    /** Returns the file that the resource manager's scripts write to when it is time to look; empty for none. */
    default Optional<Path> pokeFile() {
        return Optional.empty();
    }
}
