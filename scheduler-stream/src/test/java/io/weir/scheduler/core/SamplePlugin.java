package io.weir.scheduler.core;

import io.weir.scheduler.core.placement.plugin.AllocationQuestion;
import io.weir.scheduler.core.placement.plugin.NodeAllocationPlugin;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;

/** Does what its arguments say: takes nodes of even index, or breaks a rule. */
@NullUnmarked
public final class SamplePlugin implements NodeAllocationPlugin {
    @Override
    public List<Choice> choose(AllocationQuestion question) {
        return switch (question.arguments()) {
            case "throw" -> throw new IllegalStateException("broken");
            case "stranger" -> List.of(new Choice("nowhere", 1));
            case "greedy" -> List.of(new Choice(question.candidates().get(0).id(), 99));
            case "none" -> List.of();
            default ->
                question.candidates().stream()
                        .filter(node -> node.index() % 2 == 0)
                        .sorted(java.util.Comparator.comparingInt(AllocationQuestion.Node::index))
                        .map(node -> new Choice(node.id(), 1))
                        .toList();
        };
    }
}
