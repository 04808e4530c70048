package io.weir.scheduler.core.request;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobEdit;
import io.weir.scheduler.core.job.OperatorOverrides;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.policy.language.value.SignalName;
import io.weir.scheduler.core.policy.scheduler.Mode;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.request.form.WalltimeChange;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.DomainState;
import io.weir.schemas.CommandKind;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Requests about a job. */
final class JobRequests {
    /** System priorities are no further from 0. */
    private static final int HIGHEST_LEVEL = 1_000_000_000;

    private static final String CHANGEABLE =
            "qos, wclimit, hostlist, nodelist, nodesetdelay, resfailpolicy, variable, gmetric[NAME], gevent and message";

    /** A name, with or without SIG, or a number. */
    private final ClusterState state;

    private final DomainState domain;
    private final IterationOutputs outputs;
    private final long now;

    JobRequests(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.domain = state.domain;
        this.outputs = outputs;
        this.now = now;
    }

    /** Makes {@code change} to the job that a request names, unless there is none or it has ended. */
    void ofLiving(AuthorisedRequest request, BiConsumer<AuthorisedRequest, Job> change) {
        Job job = state.jobs.get(request.objectId());
        if (job == null || job.finished()) {
            outputs.refused(request, job == null ? "no job " + request.objectId() : "job " + job.id() + " has ended");
        } else {
            change.accept(request, job);
        }
    }

    void cancel(AuthorisedRequest request, Job job) {
        command(request, job, CommandKind.CANCEL_JOB, DecisionKind.CANCEL);
    }

    void requeue(AuthorisedRequest request, Job job) {
        if (job.active()) {
            command(request, job, CommandKind.REQUEUE_JOB, DecisionKind.REQUEUE);
        } else {
            outputs.refused(request, "job " + job.id() + " is not running but " + job.state());
        }
    }

    void suspend(AuthorisedRequest request, Job job) {
        if (job.state() == JobState.RUNNING) {
            command(request, job, CommandKind.SUSPEND_JOB, DecisionKind.SUSPEND);
        } else {
            outputs.refused(request, "job " + job.id() + " is not running but " + job.state());
        }
    }

    void resume(AuthorisedRequest request, Job job) {
        if (job.state() == JobState.SUSPENDED) {
            command(request, job, CommandKind.RESUME_JOB, DecisionKind.RESUME);
        } else {
            outputs.refused(request, "job " + job.id() + " is not suspended but " + job.state());
        }
    }

    /** Sets a system priority, or changes it by a signed amount; 0 and NONE take it away. */
    void prioritise(AuthorisedRequest request, Job job) {
        String text = request.value("priority");
        Integer before = job.systemPriority();
        Integer level;
        if (text == null || text.equalsIgnoreCase("NONE")) {
            level = text == null ? null : Integer.valueOf(0);
        } else {
            boolean relative = text.startsWith("+") || text.startsWith("-");
            level = number(text);
            level = level != null && relative && before != null ? Integer.valueOf(level + before) : level;
        }
        if (level == null || level < -HIGHEST_LEVEL || level > HIGHEST_LEVEL) {
            outputs.refused(
                    request,
                    "priority is '" + text + "'; a number up to " + HIGHEST_LEVEL + ", +N, -N or NONE is needed");
            return;
        }
        Integer after = level == 0 ? null : level;
        if (!Objects.equals(before, after)) {
            state.emit(job.edit().systemPriority(after));
            outputs.decision(
                    DecisionKind.MODIFY,
                    job,
                    Job.NONE,
                    Job.NONE,
                    "system priority " + (after == null ? "taken away" : after) + " by " + request.principal());
        }
        outputs.accepted(request, after == null ? "has no system priority" : "has system priority " + after);
    }

    /** Returns how many characters a request attaches to a job; what takes away attaches none. */
    private static long attached(AuthorisedRequest request) {
        long characters = 0;
        for (NameValue argument : request.arguments()) {
            boolean stays = JobAnnotationEdit.isMark(argument.getName())
                    || argument.getName().equals("message")
                    || argument.getName().equals("hostlist");
            characters += stays && !argument.getValue().startsWith("-")
                    ? argument.getValue().length()
                    : 0;
        }
        return characters == 0 ? Long.MIN_VALUE / 2 : characters;
    }

    /** Carries out every change asked for, or none of them. */
    void modify(AuthorisedRequest request, Job job) {
        String nodes = request.value("hostlist");
        if (nodes != null && (job.active() || nodes.startsWith("+") || nodes.startsWith("-"))) {
            new JobResizing(state, outputs, now).carryOut(request, job, nodes);
            return;
        }
        String full = state.jobs.refusal(attached(request));
        if (full != null) {
            outputs.refused(request, full + "; take something away first");
            return;
        }
        JobEdit edit = job.edit();
        long walltime = Job.NONE;
        OperatorOverrides overrides = job.overrides();
        List<String> done = new ArrayList<>();
        JobAnnotationEdit marks = new JobAnnotationEdit(job);
        for (NameValue argument : request.arguments()) {
            String value = argument.getValue();
            if (JobAnnotationEdit.isMark(argument.getName())) {
                String problem = marks.change(argument.getName(), value);
                if (problem != null) {
                    outputs.refused(request, problem);
                    return;
                }
                continue;
            }
            switch (argument.getName()) {
                case "qos" -> {
                    if (!state.qosAccess().allows(job.request().credentials(), value)) {
                        outputs.refused(request, "job " + job.id() + " may not use QOS " + value);
                        return;
                    }
                    edit.requestedQos(value);
                    done.add("QOS " + value
                            + (state.domain.policy.qos().containsKey(value)
                                    ? ""
                                    : ", of which no QOSCFG says anything"));
                }
                case "message" -> {
                    edit.message(value);
                    done.add("message attached");
                }
                case "wclimit" -> {
                    walltime = WalltimeChange.seconds(value, job.request().walltimeSeconds());
                    if (walltime == WalltimeChange.INVALID) {
                        outputs.refused(
                                request,
                                "wclimit is '" + value
                                        + "'; [[[DD:]HH:]MM:]SS of a second or more, with + or - in front"
                                        + " to change it by that much, or INFINITY is needed");
                        return;
                    }
                    done.add("wclimit " + walltime + " s");
                }
                case "hostlist" -> {
                    List<String> hosts = value.isEmpty() ? List.of() : List.of(value.split("[,+:]", -1));
                    String wrong = hosts.stream()
                            .filter(host -> state.nodes.get(host) == null)
                            .findFirst()
                            .orElse(null);
                    if (wrong != null || job.active()) {
                        outputs.refused(
                                request,
                                wrong != null
                                        ? "no node '" + wrong + "'"
                                        : "job " + job.id() + " has its nodes already; it is " + job.state());
                        return;
                    }
                    overrides = overrides.hosts(hosts);
                    done.add("nodes " + (hosts.isEmpty() ? "any" : String.join(",", hosts)));
                }
                case "resfailpolicy" -> {
                    OperatorOverrides changed = overrides.failure(value);
                    if (changed == null) {
                        outputs.refused(
                                request,
                                "resfailpolicy is '" + value + "'; CANCEL, FAIL, HOLD, IGNORE, NOTIFY, REQUEUE or"
                                        + " MIGRATE, with or without *, is needed");
                        return;
                    }
                    overrides = changed;
                    done.add("resfailpolicy " + value);
                }
                case "nodesetdelay" -> {
                    OperatorOverrides changed = overrides.setDelay(value);
                    if (changed == null) {
                        outputs.refused(request, "nodesetdelay is '" + value + "'; [[[DD:]HH:]MM:]SS is needed");
                        return;
                    }
                    overrides = changed;
                    done.add("nodesetdelay " + value);
                }
                default -> {
                    outputs.refused(
                            request, "'" + argument.getName() + "' of a job cannot be changed; " + CHANGEABLE + " can");
                    return;
                }
            }
        }
        if (!overrides.equals(job.overrides())) {
            edit.ordered(overrides);
        }
        edit.marked(marks.annotations());
        done.addAll(marks.done());
        if (done.isEmpty()) {
            outputs.refused(request, "nothing to change is named; " + CHANGEABLE + " can be");
        } else if (walltime == Job.NONE) {
            raise(request, job, marks);
            state.emit(edit);
            outputs.decision(
                    DecisionKind.MODIFY,
                    job,
                    Job.NONE,
                    Job.NONE,
                    String.join(", ", done) + ", requested by " + request.principal());
            outputs.accepted(request, String.join(", ", done));
        } else if (domain.policy.scheduler().mode() == Mode.MONITOR) {
            outputs.refused(request, "MODE MONITOR carries out no commands");
        } else if (job.pending() != null) {
            outputs.refused(request, "job " + job.id() + " has to be done with " + job.pending() + " first");
        } else if (outputs.limit(job, walltime, now, "requested by " + request.principal())) {
            raise(request, job, marks);
            state.emit(edit.commanded(CommandKind.MODIFY_JOB, outputs.lastNumber(job)));
            if (job.active() && domain.policy.nonstop() != null) {
                state.nonstop.edit(job.id()).limitOrdered(walltime, outputs.lastNumber(job));
            }
            outputs.accepted(request, String.join(", ", done) + ", sent to the resource manager");
        } else {
            outputs.refused(request, "no connector answers for job " + job.id());
        }
    }

    private void raise(AuthorisedRequest request, Job job, JobAnnotationEdit marks) {
        for (GenericEventText event : marks.events()) {
            String said = event.text().isEmpty() ? event.name() : event.text();
            domain.notice(Severity.INFO, event.name(), "job", job.id(), said + ", raised by " + request.principal());
        }
    }

    /** Sends a signal to the processes of a job that has some. */
    void signal(AuthorisedRequest request, Job job) {
        String text = request.value("signal");
        String signal = SignalName.of(text == null ? "" : text);
        if (signal == null) {
            outputs.refused(request, "signal is '" + text + "'; a name such as USR1 or a number up to 64 is needed");
        } else if (!job.active()) {
            outputs.refused(request, "job " + job.id() + " is not running but " + job.state());
        } else if (domain.policy.scheduler().mode() == Mode.MONITOR) {
            outputs.refused(request, "MODE MONITOR carries out no commands");
        } else if (job.pending() != null) {
            outputs.refused(request, "job " + job.id() + " has to be done with " + job.pending() + " first");
        } else if (outputs.signal(job, signal, now, "requested by " + request.principal())) {
            state.emit(job.edit().commanded(CommandKind.SIGNAL_JOB, outputs.lastNumber(job)));
            outputs.accepted(request, "signal " + signal + " sent to the resource manager");
        } else {
            outputs.refused(request, "no connector answers for job " + job.id());
        }
    }

    private static @Nullable Integer number(String text) {
        if (text.chars().anyMatch(c -> c > '9')) {
            return null; // Java takes the digits of all scripts
        }
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private void command(AuthorisedRequest request, Job job, CommandKind kind, DecisionKind decision) {
        if (domain.policy.scheduler().mode() == Mode.MONITOR) {
            outputs.refused(request, "MODE MONITOR carries out no commands");
        } else if (job.pending() == kind) {
            outputs.accepted(request, "already on its way");
        } else if (outputs.command(job, kind, decision, now, "requested by " + request.principal())) {
            state.emit(job.edit().commanded(kind, outputs.lastNumber(job)));
            outputs.accepted(request, "sent to the resource manager");
        } else {
            outputs.refused(request, "no connector answers for job " + job.id());
        }
    }
}
