package io.weir.scheduler.plugin;

import io.weir.schemas.PluginAnswer;
import io.weir.schemas.PluginChoice;
import io.weir.schemas.PluginQuestion;
import io.weir.service.ServiceConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/**
 * The plug-ins of a site. Every question gets an answer within its time, if only that there is none: whatever a plug-in
 * does, the caller goes on. Thread-safe; blocks while a plug-in works.
 */
public final class Plugins {
    private static final String PROGRAMS = "plugin.programs";
    private static final String ENVIRONMENT = "plugin.environment";

    /** No question may keep a thread for longer, whatever it says. */
    private static final long LONGEST_SECONDS = 300;

    private final ClassPlugins classes = new ClassPlugins();
    private final PluginPrograms programs;
    private final ProgramCall calls;

    /** Plug-ins that are classes, or among {@code programs}, which see {@code environment} and nothing else of this one. */
    public Plugins(PluginPrograms programs, Map<String, String> environment) {
        this.programs = programs;
        this.calls = new ProgramCall(environment);
    }

    /** Plug-ins as {@code config} has them; programs see the variables of {@code environment} that it names. */
    public static Plugins from(ServiceConfig config, Map<String, String> environment) {
        Map<String, String> seen = new HashMap<>(environment);
        seen.keySet().retainAll(config.list(ENVIRONMENT));
        return new Plugins(PluginPrograms.of(config.list(PROGRAMS)), seen);
    }

    /** Adds the keys to {@code definition} and returns it. */
    public static ConfigDef define(ConfigDef definition) {
        return definition
                .define(
                        PROGRAMS,
                        Type.LIST,
                        List.of(),
                        ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                        Importance.MEDIUM,
                        "Programs that NODEALLOCPLUGIN[x] EXEC may name, comma-separated: NAME=/path/of/program, or"
                                + " /path/of/directory for every program in it. No other program is started. Only root"
                                + " or the service's user may have write access to them.")
                .define(
                        ENVIRONMENT,
                        Type.LIST,
                        List.of("PATH", "HOME", "LANG", "TZ"),
                        ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                        Importance.LOW,
                        "Environment variables of the service that plug-in programs see, comma-separated.");
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
        Duration limit = Duration.ofSeconds(Math.max(0, Math.min(LONGEST_SECONDS, question.getTimeoutSeconds())));
        AllocationQuestion asked = AllocationQuestion.of(question);
        String className = question.getClassName();
        String program = question.getProgram();
        if (className != null) {
            return classes.choose(className, asked, limit);
        }
        if (program != null) {
            return calls.choose(programs.find(program), asked, limit);
        }
        throw new PluginFailure("neither a class nor a program");
    }
}
