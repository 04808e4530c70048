package io.weir.scheduler.core;

import io.weir.scheduler.plugin.AllocationQuestion;
import io.weir.scheduler.plugin.NodeAllocationPlugin;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;

/** Does what its arguments say: takes nodes of even index, or breaks a rule. */
@NullUnmarked
public final class SamplePlugin implements NodeAllocationPlugin {
    /** Ends what heeds no interrupt. */
    static volatile boolean stop;

    @Override
    public List<Choice> choose(AllocationQuestion question) throws InterruptedException {
        return switch (question.arguments()) {
            case "throw" -> throw new IllegalStateException("broken");
            case "stranger" -> List.of(new Choice("nowhere", 1));
            case "greedy" -> List.of(new Choice(question.candidates().get(0).id(), 99));
            case "none" -> List.of();
            case "error" -> throw new NoClassDefFoundError("of something it needs");
            case "hang" -> {
                Thread.sleep(60_000);
                yield List.of();
            }
            case "busy" -> {
                while (question != null) {
                    Thread.onSpinWait();
                    if (stop) {
                        break;
                    }
                }
                yield List.of();
            }
            default ->
                question.candidates().stream()
                        .filter(node -> node.index() % 2 == 0)
                        .sorted(java.util.Comparator.comparingInt(AllocationQuestion.Node::index))
                        .map(node -> new Choice(node.id(), 1))
                        .toList();
        };
    }
}
