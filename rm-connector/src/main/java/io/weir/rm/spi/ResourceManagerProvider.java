package io.weir.rm.spi;

/** Opens resource managers of one kind. Found by {@link java.util.ServiceLoader}; has no state. */
public interface ResourceManagerProvider {

    /** Returns the value of {@code rm.type} that means this provider: lower case, unique. */
    String type();

    /**
     * Opens a resource manager. All that is wrong with the settings is reported at once.
     *
     * @throws RmException if the settings are not usable
     */
    ResourceManager open(RmContext context);
}
