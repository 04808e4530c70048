package io.weir.notifier.exec;

import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.OneLine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the program that an action names, once: success is exit code 0, and of its output the lines {@code NAME=value} of
 * wanted variables are read.
 */
final class ExecActor implements Actor {

    private static final Logger log = LoggerFactory.getLogger(ExecActor.class);
    private static final int OUTPUT_BYTES = 4_096;

    private final ProgramList programs;
    private final ProgramRunner runner;
    private final Duration timeout;
    private final Duration longest;
    private final OtherUsers users;
    private final EnvironmentNames names;
    private final RunningPrograms running = new RunningPrograms();

    ExecActor(
            ProgramList programs,
            ProgramRunner runner,
            Duration timeout,
            Duration longest,
            OtherUsers users,
            EnvironmentNames names) {
        this.programs = programs;
        this.runner = runner;
        this.timeout = timeout;
        this.longest = longest;
        this.users = users;
        this.names = names;
    }

    @Override
    public ActionResult carryOut(Action action) throws InterruptedException {
        Optional<Path> program = programs.find(action.target());
        if (program.isEmpty()) {
            return refused("action.exec.programs does not list " + action.target());
        }
        List<String> before;
        try {
            before = before(action);
        } catch (OtherUsers.Refusal e) {
            return refused(String.valueOf(e.getMessage()));
        }
        for (String name : action.environment().keySet()) {
            if (!names.permit(name)) {
                return refused("action.exec.environment does not list " + name);
            }
        }
        Optional<String> obstacle = ProgramList.obstacle(program.get());
        if (obstacle.isPresent()) {
            return refused(obstacle.get());
        }
        if (running.isStopped(action.id())) {
            return ActionResult.of(ActionResult.Outcome.FAILED, "not begun: its object is over");
        }
        try {
            return result(run(before, program.get(), action), action);
        } catch (IOException | IllegalArgumentException e) {
            return refused(program.get() + " cannot be started: " + e.getMessage());
        } finally {
            running.ended(action.id());
        }
    }

    @Override
    public void stop(String id) {
        running.stop(id);
    }

    /** A program whose notifier is gone is read by nobody any more, and nobody would end it with its object. */
    @Override
    public void endRemains(Action action) {
        if (LeftPrograms.end(action.target(), marks(action)) > 0) {
            log.warn("firingId={}: ended a program that a killed notifier had left", action.id());
        }
    }

    @Override
    public boolean lengthy() {
        return true;
    }

    /** A program that was begun before a crash may have done anything: it is reported and not run again. */
    @Override
    public boolean repeatable() {
        return false;
    }

    @Override
    public void close() {
        // Every program has ended, or was killed, before carryOut came back.
    }

    /** Nothing stands before a program that is run as the notifier's own user. */
    private List<String> before(Action action) throws OtherUsers.Refusal {
        Optional<String> user = action.runAs().filter(name -> !name.equals(System.getProperty("user.name")));
        return user.isEmpty() ? List.of() : users.before(user.get());
    }

    private ProgramEnd run(List<String> before, Path program, Action action) throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(action.environment());
        environment.putAll(marks(action));
        environment.put("WEIR_ETYPE", action.event());
        environment.put("WEIR_OTYPE", action.objectType());
        environment.put("WEIR_OID", action.objectId());
        ProgramCall call = new ProgramCall(
                before,
                program,
                action.arguments(),
                environment,
                action.body().orElse(""),
                action.timeout(timeout, longest),
                OUTPUT_BYTES);
        return runner.run(call, kill -> running.begun(action.id(), kill));
    }

    /** What tells the processes of one action from all others. */
    private static Map<String, String> marks(Action action) {
        return Map.of("WEIR_FIRING", action.id(), "WEIR_CLUSTER", action.cluster());
    }

    private ActionResult result(ProgramEnd end, Action action) {
        boolean stopped = end.exitCode() != 0 && running.isStopped(action.id());
        String how = end.timedOut()
                ? "killed after " + action.timeout(timeout, longest).toMillis() + " ms" + cut(action)
                : "exit code " + end.exitCode();
        String message = (stopped ? "ended, as its object is over" : how) + end.words();
        return new ActionResult(
                end.exitCode() == 0 && !end.timedOut() ? ActionResult.Outcome.DONE : ActionResult.Outcome.FAILED,
                message,
                end.timedOut() ? Optional.empty() : Optional.of(end.exitCode()),
                Optional.of(end.output()),
                Optional.of(end.errors()),
                variables(end.output(), action));
    }

    /** What a trigger says and does not get is not kept quiet about. */
    private String cut(Action action) {
        return action.timeout().compareTo(longest) > 0
                ? ", the most that action.exec.longest.ms allows; its trigger says "
                        + action.timeout().toMillis() + " ms"
                : "";
    }

    private static Map<String, String> variables(String output, Action action) {
        Map<String, String> variables = new LinkedHashMap<>();
        output.lines().forEach(line -> {
            int sign = line.indexOf('=');
            if (sign > 0 && action.wanted().contains(line.substring(0, sign))) {
                variables.put(line.substring(0, sign), line.substring(sign + 1));
            }
        });
        return variables;
    }

    private static ActionResult refused(String why) {
        return ActionResult.of(ActionResult.Outcome.REFUSED, OneLine.of(why));
    }
}
