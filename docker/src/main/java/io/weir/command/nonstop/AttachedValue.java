package io.weir.command.nonstop;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Lets an option whose value may be missing have none but the one attached to it, as {@code getopt} does:
 * {@code --handle-failed=SPEC} or {@code -HSPEC}. What stands apart behind the option is an argument of its own.
 */
final class AttachedValue implements IParameterPreprocessor {
    private static final String APART = " ";

    @Override
    @SuppressWarnings("JdkObsolete") // picocli's stack
    public boolean preprocess(Stack<String> arguments, CommandSpec command, ArgSpec option, Map<String, Object> info) {
        if (APART.equals(info.get("separator"))) {
            arguments.push("");
        }
        return false;
    }
}
