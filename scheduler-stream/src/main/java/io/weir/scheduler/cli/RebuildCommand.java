package io.weir.scheduler.cli;

import io.weir.scheduler.audit.StateRebuilder;
import io.weir.scheduler.audit.StateRebuilder.RebuiltState;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir rebuild}: the state from the journal alone, and whether it is the one the state topics hold. */
@Command(
        name = "rebuild",
        description = "Rebuild the state from the journal and compare its hash with that of the state topics.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example: weir rebuild --data ./run",
            "",
            "Exit codes: 0 the same hash, 1 a different hash, 2 bad usage or input, 3 the journal's beginning",
            "has expired."
        })
public final class RebuildCommand implements Callable<Integer> {
    private static final String OTHER_BUILD = "(where another build made iterations of the journal, this one may decide"
            + " otherwise: rebuild with that build)";

    @Mixin
    private final TopicsOptions topics = new TopicsOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final BrokerAccess.OfDirectory directories;

    /** Creates the command; {@code directories} opens what {@code --data} names. */
    public RebuildCommand(BrokerAccess.OfDirectory directories) {
        this.directories = directories;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (TopicsOptions.Topics open = topics.open(directories)) {
            List<RebuiltState> states = new StateRebuilder(open.log(), open.names(), open.decoder()).rebuild();
            boolean cutShort = false;
            for (RebuiltState state : states) {
                if (state.begins().isPresent()) {
                    cutShort = true;
                    out.printf(
                            "cluster %s: %s; the state cannot be rebuilt without them%n",
                            state.cluster(),
                            ReplayCommand.beginsAt(state.begins().getAsLong()));
                    continue;
                }
                out.printf(
                        "cluster %s: iteration %d, %d entities%n  from the journal %s%n  on the topics    %s: %s%n",
                        state.cluster(),
                        state.iteration(),
                        state.entities(),
                        state.derivedHash(),
                        state.heldHash(),
                        state.firstDifference()
                                .map(first -> "DIFFERS, first at " + first + "\n  " + OTHER_BUILD)
                                .orElse("the same"));
            }
            out.flush();
            if (states.stream().anyMatch(state -> state.firstDifference().isPresent())) {
                return 1;
            }
            return cutShort ? ReplayCommand.CUT_SHORT : 0;
        } catch (IOException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}
