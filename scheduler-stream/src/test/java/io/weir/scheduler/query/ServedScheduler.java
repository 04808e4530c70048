package io.weir.scheduler.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.scheduler.core.SchedulerFixture;
import io.weir.scheduler.core.request.form.Principal;
import io.weir.scheduler.query.image.ClusterImage;
import io.weir.scheduler.query.nonstop.NonstopEventLog;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.RequestResult;
import io.weir.schemas.RmCommand;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;

/** The scheduler's core and the API's rules behind the routes, and a resource manager that answers every command alike, but for kinds it refuses. */
@NullUnmarked
final class ServedScheduler implements NonstopRoutes.Asker {
    private static final int ROUNDS = 5;

    private final SchedulerFixture site = new SchedulerFixture();
    private final NonstopEventLog events;
    private final ClusterImage image = ClusterImage.empty();
    private CommandOutcome outcome = CommandOutcome.DONE;
    private final Set<CommandKind> refused = EnumSet.noneOf(CommandKind.class);
    private long clock;

    /** Puts what happens to jobs into {@code events}. */
    ServedScheduler(NonstopEventLog events) {
        this.events = events;
    }

    /** Returns what happens at the site; {@link #goOn} has the scheduler notice. */
    SchedulerFixture site() {
        return site;
    }

    /** The resource manager answers like this from now on. */
    ServedScheduler carriesOut(CommandOutcome other) {
        outcome = other;
        return this;
    }

    /** The resource manager refuses commands of this kind from now on. */
    ServedScheduler refuses(CommandKind kind) {
        refused.add(kind);
        return this;
    }

    ServedScheduler goOn() {
        site.iterate(++clock);
        site.lastNonstopEvents().forEach(events::add);
        site.publishedJobs.forEach((id, job) -> image.jobs().put(SchedulerFixture.CLUSTER + "/" + id, job));
        return this;
    }

    @Override
    public RequestResult ask(Principal principal, JsonNode request) {
        RequestForm form = RequestForm.read(principal, SchedulerFixture.CLUSTER, request, SchedulerFixture.at(clock));
        new RequestRules(image, SchedulerFixture.CLUSTER).checkRequest(principal, form.normal());
        site.fact(form.request());
        for (int round = 0; round < ROUNDS; round++) {
            goOn();
            List<RequestResult> answers = site.lastAnswers();
            if (!answers.isEmpty()) {
                return answers.get(0);
            }
            for (RmCommand command : site.lastCommands()) {
                if (command.getKind() != CommandKind.START_JOB) {
                    boolean refuses = refused.contains(command.getKind());
                    site.answer(command.getJobId(), refuses ? CommandOutcome.REFUSED : outcome, clock);
                }
            }
        }
        throw new AssertionError("No answer to " + request);
    }
}
