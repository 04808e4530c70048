package io.weir.rm.slurm;

import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.ResourceManagerProvider;
import io.weir.rm.spi.RmContext;
import io.weir.rm.spi.RmSetting;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Provides Slurm, {@code rm.type=slurm}. */
public final class SlurmProvider implements ResourceManagerProvider {
    /** The value of {@code rm.type}. */
    public static final String TYPE = "slurm";

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public List<RmSetting> settings() {
        return SlurmConfig.DEFINITION.configKeys().values().stream()
                .map(key -> new RmSetting(key.name, String.valueOf(key.defaultValue), key.documentation))
                .toList();
    }

    @Override
    public ResourceManager open(RmContext context) {
        return SlurmResourceManager.open(context.cluster(), SlurmConfig.read(context.settings()));
    }

    @Override
    public Optional<Path> pokeFile() {
        return Optional.of(Path.of("/run/weir/poke"));
    }
}
