package io.weir.scheduler.plugin;

import io.weir.schemas.PluginAnswer;
import io.weir.schemas.PluginChoice;
import io.weir.schemas.PluginQuestion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The plug-ins of a site. Every question gets an answer within its time, if only that there is none: whatever a plug-in
 * does, the caller goes on. Thread-safe; blocks while a plug-in works.
 */
public final class Plugins {
    private final ClassPlugins classes = new ClassPlugins();
    private final ProgramCall programs;

    /** Plug-ins whose programs see {@code environment}, which paths may name variables of. */
    public Plugins(Map<String, String> environment) {
        programs = new ProgramCall(environment);
    }

    /** Asks the plug-in of {@code question}; {@code now} is what the answer is dated. */
    public PluginAnswer ask(PluginQuestion question, Instant now) throws InterruptedException {
        PluginAnswer.Builder answer = PluginAnswer.newBuilder()
                .setCluster(question.getCluster())
                .setQuestionId(question.getQuestionId())
                .setJobId(question.getJobId())
                .setTime(now);
        try {
            return answer.setChoices(choose(question).stream()
                            .map(choice -> new PluginChoice(choice.node(), choice.mostTasks()))
                            .toList())
                    .build();
        } catch (PluginFailure e) {
            return answer.setFailure(e.getMessage()).build();
        }
    }

    private List<NodeAllocationPlugin.Choice> choose(PluginQuestion question)
            throws PluginFailure, InterruptedException {
        Duration limit = Duration.ofSeconds(question.getTimeoutSeconds());
        AllocationQuestion asked = AllocationQuestion.of(question);
        String className = question.getClassName();
        String program = question.getProgram();
        if (className != null) {
            return classes.choose(className, asked, limit);
        }
        if (program != null) {
            return programs.choose(program, asked, limit);
        }
        throw new PluginFailure("neither a class nor a program");
    }
}
