package io.weir.rm.spi;

import io.weir.schemas.CommandKind;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a resource manager is and can do.
 *
 * @param type kind of resource manager, such as {@code simulated}
 * @param version version it reports
 * @param commands kinds of command it understands; the runner refuses all others itself
 */
public record RmCapabilities(String type, String version, Set<CommandKind> commands) {
    public RmCapabilities {
        EnumSet<CommandKind> copy = EnumSet.noneOf(CommandKind.class);
        copy.addAll(commands);
        commands = Collections.unmodifiableSet(copy);
    }
}
