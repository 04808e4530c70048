package io.weir.rm.simulated;

import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.ResourceManagerProvider;
import io.weir.rm.spi.RmContext;
import io.weir.rm.spi.RmSetting;
import java.util.List;

/** Provides the simulated resource manager, {@code rm.type=simulated}. */
public final class SimulatedProvider implements ResourceManagerProvider {
    /** The value of {@code rm.type}. */
    public static final String TYPE = "simulated";

    /** File in the connector's data directory that holds what really happened. */
    public static final String LEDGER_FILE = "ledger.log";

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public List<RmSetting> settings() {
        return SimulatedConfig.DEFINITION.configKeys().values().stream()
                .map(key -> new RmSetting(key.name, String.valueOf(key.defaultValue), key.documentation))
                .toList();
    }

    @Override
    public ResourceManager open(RmContext context) {
        return SimulatedResourceManager.open(
                context.cluster(),
                SimulatedConfig.read(context.settings()),
                context.dataDirectory().resolve(LEDGER_FILE),
                System::nanoTime);
    }
}
