package io.weir.scheduler.core.request;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.request.form.SchedulerAction;
import io.weir.scheduler.core.request.form.StatisticsKind;
import io.weir.scheduler.core.reservation.TimeArgument;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.DomainState;
import io.weir.scheduler.core.state.SchedulerStatus;
import io.weir.scheduler.core.trigger.TriggerEvent;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Severity;
import java.time.Instant;

/**
 * Requests about the scheduler itself: {@code action} is {@code pause}, {@code resume} (from {@code at} on), {@code stop}
 * (after {@code iteration}, or after this one), {@code step} ({@code count} iterations, then stop), {@code shutdown},
 * {@code message} ({@code text} for everybody), {@code unmessage} ({@code index}, the first being 1), {@code gevent} (an
 * event of the scheduler), {@code clear} ({@code statistics}: {@code usage}, {@code fairshare} or {@code all} of both) or
 * {@code loglevel} ({@code level}, 0 to 9).
 * Paused or stopped means that no job is started, nor a reservation for one made or moved; everything else goes on.
 */
public final class SchedulerRequests {
    private static final String OBJECT = "scheduler";
    private static final int MOST_MESSAGES = 50;
    private static final int LONGEST_MESSAGE = 1_000;
    private static final int LONGEST_NUMBER = 15;
    private static final int MOST_DETAILED = 9;

    private final ClusterState state;
    private final DomainState domain;
    private final IterationOutputs outputs;
    private final long now;

    SchedulerRequests(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.domain = state.domain;
        this.outputs = outputs;
        this.now = now;
    }

    void carryOut(AuthorisedRequest request) {
        SchedulerAction action = request.form().choice("action", SchedulerAction.class);
        if (action == null) {
            outputs.refused(
                    request,
                    "no action is named; pause, resume, stop, step, shutdown, message, unmessage, gevent, clear or"
                            + " loglevel is needed");
            return;
        }
        switch (action) {
            case PAUSE -> pause(request);
            case RESUME -> resume(request);
            case STOP -> stop(request);
            case STEP -> step(request);
            case SHUTDOWN -> shutDown(request);
            case MESSAGE -> message(request);
            case UNMESSAGE -> forgetMessage(request);
            case GEVENT -> raise(request);
            case CLEAR -> clear(request);
            case LOGLEVEL -> logLevel(request);
        }
    }

    /** Goes on when the time to do so has come, and says whether it did; called before any request of an iteration. */
    public static boolean resumeWhenDue(DomainState domain, String cluster, long now) {
        boolean due = domain.standing.resumeAt() != Job.NONE && domain.standing.resumeAt() <= now;
        if (due) {
            domain.standing = domain.standing.resumed();
            domain.notice(Severity.INFO, "schedresume", OBJECT, cluster, "scheduling resumed as planned");
        }
        return due;
    }

    /** Stops when this iteration was to be the last; called at its end. */
    public static void stopWhenDue(ClusterState state, long now) {
        DomainState domain = state.domain;
        long last = domain.standing.stopAfter();
        if (last > 0 && domain.nextIteration() >= last) {
            state.watch.scheduler(state.cluster, TriggerEvent.END);
            domain.standing = domain.standing.halted(SchedulerStatus.State.STOPPED, now, domain.standing.by());
            domain.notice(
                    Severity.WARNING, "schedstop", OBJECT, state.cluster, "scheduling stopped after iteration " + last);
        }
    }

    private void pause(AuthorisedRequest request) {
        if (domain.standing.state() == SchedulerStatus.State.PAUSED) {
            outputs.accepted(request, "scheduling is paused already");
            return;
        }
        if (domain.standing.state() == SchedulerStatus.State.SUSPENDED) {
            outputs.refused(request, "scheduling is suspended already");
            return;
        }
        domain.standing = domain.standing.halted(SchedulerStatus.State.PAUSED, now, request.principal());
        notice(Severity.WARNING, "schedpause", "scheduling paused", request);
        outputs.accepted(request, "scheduling paused");
    }

    private void resume(AuthorisedRequest request) {
        String text = request.text("at");
        long at = text.isEmpty() ? now : TimeArgument.instant(text, now);
        if (at == TimeArgument.INVALID) {
            outputs.refused(
                    request,
                    "at is '" + text + "'; HH:MM[:SS][_MM/DD[/YY]], seconds since 1970 or +[[[DD:]HH:]MM:]SS is"
                            + " needed");
        } else if (domain.standing.schedules() && domain.standing.stopAfter() == 0) {
            outputs.accepted(request, "scheduling goes on already");
        } else if (at > now) {
            domain.standing = domain.standing.until(at);
            String when = "scheduling resumes at " + Instant.ofEpochSecond(at);
            notice(Severity.INFO, "schedresume", when, request);
            outputs.accepted(request, when);
        } else {
            goOn(domain.standing.resumed());
            notice(Severity.INFO, "schedresume", "scheduling resumed", request);
            outputs.accepted(request, "scheduling resumed");
        }
    }

    private void stop(AuthorisedRequest request) {
        long current = domain.nextIteration();
        String text = request.text("iteration");
        long last = text.isEmpty() ? current : number(text);
        if (last < current) {
            outputs.refused(
                    request,
                    "iteration is '" + text + "'; the number of an iteration not before " + current + " is needed");
        } else if (!domain.standing.schedules()) {
            outputs.refused(request, "scheduling is halted already; step or resume first");
        } else {
            domain.standing = by(request, domain.standing.stopAfter(last));
            String when = "scheduling stops after iteration " + last;
            notice(Severity.WARNING, "schedstop", when, request);
            outputs.accepted(request, when);
        }
    }

    private void step(AuthorisedRequest request) {
        String text = request.text("count");
        long count = text.isEmpty() ? 1 : number(text);
        if (count < 1) {
            outputs.refused(request, "count is '" + text + "'; a number of iterations, at least 1, is needed");
            return;
        }
        long last = domain.nextIteration() + count - 1;
        goOn(by(request, domain.standing.resumed()).stopAfter(last));
        String until = "scheduling goes on until iteration " + last;
        notice(Severity.INFO, "schedstep", until, request);
        outputs.accepted(request, until);
    }

    /** The process that serves the API ends itself when it has this answer; what is decided does not depend on it. */
    private void shutDown(AuthorisedRequest request) {
        state.watch.scheduler(state.cluster, TriggerEvent.END);
        notice(Severity.WARNING, "schedshutdown", "the scheduler shuts down", request);
        outputs.accepted(request, "the scheduler shuts down");
    }

    private void message(AuthorisedRequest request) {
        String text = request.text("text").strip();
        if (text.isEmpty() || text.length() > LONGEST_MESSAGE) {
            outputs.refused(request, "text has to have 1 to " + LONGEST_MESSAGE + " characters");
        } else if (domain.standing.messages().size() >= MOST_MESSAGES) {
            outputs.refused(request, "there are " + MOST_MESSAGES + " messages already; delete one first");
        } else {
            domain.standing = domain.standing.with(text);
            outputs.accepted(request, "message " + domain.standing.messages().size() + " attached");
        }
    }

    private void forgetMessage(AuthorisedRequest request) {
        long index = number(request.text("index"));
        int known = domain.standing.messages().size();
        if (index < 1 || index > known) {
            outputs.refused(request, "no message " + request.text("index") + "; there are " + known);
        } else {
            domain.standing = domain.standing.without((int) index - 1);
            outputs.accepted(request, "message " + index + " deleted");
        }
    }

    private void raise(AuthorisedRequest request) {
        String text = request.text("gevent");
        GenericEventText event = GenericEventText.parse(text);
        if (event == null) {
            outputs.refused(request, "gevent is '" + text + "'; NAME or NAME:'TEXT' is needed");
            return;
        }
        notice(Severity.INFO, event.name(), event.text().isEmpty() ? event.name() : event.text(), request);
        outputs.accepted(request, "event " + event.name() + " raised");
    }

    private void clear(AuthorisedRequest request) {
        StatisticsKind kind = request.form().choice("statistics", StatisticsKind.class);
        if (kind == null) {
            outputs.refused(request, "statistics is missing; all, fairshare or usage is needed");
            return;
        }
        if (kind != StatisticsKind.USAGE) {
            state.fairshare.clear();
        }
        if (kind != StatisticsKind.FAIRSHARE) {
            state.statistics.clear(now);
        }
        String what = kind == StatisticsKind.ALL
                ? "statistics of usage and fairshare"
                : "statistics of " + request.text("statistics");
        notice(Severity.INFO, "statsclear", what + " cleared", request);
        outputs.accepted(request, what + " cleared");
    }

    /** The process that serves the API sets its level when it has this answer; what is decided does not depend on it. */
    private void logLevel(AuthorisedRequest request) {
        String text = request.text("level");
        long level = number(text);
        if (level < 0 || level > MOST_DETAILED) {
            outputs.refused(
                    request, "level is '" + text + "'; a whole number from 0 to " + MOST_DETAILED + " is needed");
            return;
        }
        notice(Severity.INFO, "schedloglevel", "log level " + level, request);
        outputs.accepted(request, "the log level of the process that serves the API is " + level);
    }

    private void goOn(SchedulerStatus standing) {
        domain.standing = standing;
        state.quarantine.remove(QuarantineKind.CLUSTER, state.cluster);
        state.replan();
    }

    private static SchedulerStatus by(AuthorisedRequest request, SchedulerStatus standing) {
        return new SchedulerStatus(
                standing.state(),
                standing.since(),
                request.principal(),
                standing.resumeAt(),
                standing.stopAfter(),
                standing.messages());
    }

    private void notice(Severity severity, String event, String what, AuthorisedRequest request) {
        domain.notice(severity, event, OBJECT, state.cluster, what + ", requested by " + request.principal());
    }

    /** Returns a whole number, or -1 when {@code text} is none. */
    private static long number(String text) {
        boolean digits = !text.isEmpty()
                && text.length() <= LONGEST_NUMBER
                && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? Long.parseLong(text) : -1;
    }
}
