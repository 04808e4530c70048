package io.weir.rm.nativerm;

import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.ResourceManagerProvider;
import io.weir.rm.spi.RmContext;
import io.weir.rm.spi.RmSetting;
import java.time.InstantSource;
import java.util.List;

/** Provides resource managers that a site describes by scripts, {@code rm.type=native}. */
public final class NativeProvider implements ResourceManagerProvider {
    /** The value of {@code rm.type}. */
    public static final String TYPE = "native";

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public List<RmSetting> settings() {
        return NativeConfig.DEFINITION.configKeys().values().stream()
                .map(key -> new RmSetting(key.name, String.valueOf(key.defaultValue), key.documentation))
                .toList();
    }

    @Override
    public ResourceManager open(RmContext context) {
        return new NativeResourceManager(
                context, NativeConfig.read(context.settings(), System::getenv), InstantSource.system());
    }
}
