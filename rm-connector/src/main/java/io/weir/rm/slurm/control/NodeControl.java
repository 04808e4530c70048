package io.weir.rm.slurm.control;

import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmError;
import io.weir.rm.slurm.client.SlurmNode;
import io.weir.rm.slurm.client.SlurmRefusal;
import io.weir.rm.spi.CommandArguments;
import io.weir.rm.spi.NodeOrder;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.NameValue;
import io.weir.schemas.RmCommand;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Takes nodes out of service and back, switches them off and on where Slurm saves power, and changes their features. One thread.
 *
 * @param commands slurmrestd of 22.05 cannot change nodes
 */
public record NodeControl(SlurmCommands commands) {
    private static final String DOWN = "DOWN";
    private static final String ON = "ON";
    private static final String OFF = "OFF";
    private static final Set<String> SWITCHED_OFF = Set.of("POWERED_DOWN", "POWERING_DOWN", "POWER_DOWN");
    private static final Set<String> DRAINED = Set.of("DRAIN", "DRAINED", "DRAINING");

    /** Carries out a command about a node. */
    public RmAnswer carryOut(RmCommand command, Instant now) throws SlurmRefusal {
        String node = String.valueOf(command.getObjectId());
        switch (NodeOrder.require(command.getKind())) {
            case DRAIN -> drain(node, command.getReason());
            case RESUME -> resume(node);
            case MODIFY -> modify(node, command);
        }
        return RmAnswer.done(now);
    }

    /** Says whether the node is as the command wants it. */
    static boolean isInEffect(RmCommand command, SlurmNode node) {
        return NodeOrder.of(command.getKind())
                .filter(order -> switch (order) {
                    case DRAIN -> node.hasAny(DRAINED);
                    case RESUME -> !node.hasAny(DRAINED) && !node.hasAny(Set.of(DOWN));
                    case MODIFY ->
                        !command.getArguments().isEmpty()
                                && command.getArguments().stream().allMatch(argument -> isInEffect(argument, node));
                })
                .isPresent();
    }

    private static List<String> names(String list) {
        return List.of(list.split(",", -1)).stream()
                .filter(name -> !name.isBlank())
                .toList();
    }

    private void modify(String node, RmCommand command) throws SlurmRefusal {
        if (command.getArguments().isEmpty()) {
            throw new SlurmRefusal(new SlurmError(0, "there is nothing to change"));
        }
        for (NameValue argument : command.getArguments()) {
            boolean down = is(argument, CommandArguments.STATE, DOWN);
            boolean power = is(argument, CommandArguments.POWER, ON) || is(argument, CommandArguments.POWER, OFF);
            if (!down && !power && !argument.getName().equalsIgnoreCase(CommandArguments.FEATURES)) {
                throw new SlurmRefusal(new SlurmError(
                        0,
                        argument.getName() + "=" + argument.getValue()
                                + " of a node cannot be set, only features, state=Down and power=On or Off can"));
            }
        }
        Optional<String> power = CommandArguments.find(command, CommandArguments.POWER);
        if (power.isPresent()) {
            power(node, power.get().equalsIgnoreCase(ON));
        }
        Optional<String> features = CommandArguments.find(command, CommandArguments.FEATURES);
        if (features.isPresent()) {
            setFeatures(node, names(features.get()));
        }
        if (CommandArguments.find(command, CommandArguments.STATE).isPresent()) {
            down(node, command.getReason());
        }
    }

    private static boolean is(NameValue argument, String name, String value) {
        return argument.getName().equalsIgnoreCase(name) && argument.getValue().equalsIgnoreCase(value);
    }

    /** Switches a node on, or off when its jobs have ended and without taking others, by the programs of the site that save power. */
    private void power(String node, boolean on) throws SlurmRefusal {
        if (!savesPower(commands.config())) {
            throw new SlurmRefusal(new SlurmError(
                    0, "Slurm switches no nodes here: slurm.conf has no SuspendProgram and ResumeProgram"));
        }
        commands.updateNode(node, List.of("State=" + (on ? "POWER_UP" : "POWER_DOWN_ASAP")));
    }

    /** Says whether a configuration names the programs without which Slurm switches no node, whatever it answers. */
    static boolean savesPower(String config) {
        return Stream.of("SuspendProgram", "ResumeProgram")
                .allMatch(name -> config.lines()
                        .filter(line -> line.startsWith(name + " "))
                        .map(line -> line.substring(line.indexOf('=') + 1).strip())
                        .anyMatch(value -> !value.isEmpty() && !value.equals("(null)")));
    }

    private static boolean isInEffect(NameValue argument, SlurmNode node) {
        if (is(argument, CommandArguments.POWER, ON)) {
            return !node.hasAny(SWITCHED_OFF);
        }
        if (is(argument, CommandArguments.POWER, OFF)) {
            return node.hasAny(SWITCHED_OFF);
        }
        if (argument.getName().equalsIgnoreCase(CommandArguments.FEATURES)) {
            return new TreeSet<>(names(argument.getValue())).equals(new TreeSet<>(node.features()));
        }
        return argument.getName().equalsIgnoreCase(CommandArguments.STATE) && node.hasAny(Set.of(DOWN));
    }

    /** Takes a node out of service at once; what runs there ends. Slurm wants a reason. */
    public void down(String node, String reason) throws SlurmRefusal {
        commands.updateNode(node, List.of("State=DOWN", "Reason=" + (reason.isBlank() ? "Weir" : reason)));
    }

    /** Lets running jobs end and takes no more. Slurm wants a reason. */
    public void drain(String node, String reason) throws SlurmRefusal {
        commands.updateNode(node, List.of("State=DRAIN", "Reason=" + (reason.isBlank() ? "Weir" : reason)));
    }

    /** Puts a drained or downed node back into service. */
    public void resume(String node) throws SlurmRefusal {
        commands.updateNode(node, List.of("State=RESUME"));
    }

    /** Replaces the features of a node. */
    public void setFeatures(String node, List<String> features) throws SlurmRefusal {
        String list = String.join(",", features);
        commands.updateNode(node, List.of("AvailableFeatures=" + list, "ActiveFeatures=" + list));
    }
}
