package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.automation.AutomaticRequests;
import io.weir.scheduler.core.automation.Recipients;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobCredentials;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.trigger.Substitution;
import io.weir.scheduler.core.trigger.Substitution.Place;
import io.weir.scheduler.core.trigger.TriggerTemplate;
import io.weir.scheduler.core.trigger.action.JobOrder;
import io.weir.scheduler.core.trigger.action.UnfitActionException;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import io.weir.schemas.Severity;
import io.weir.schemas.bound.Bound;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * AType jobaction and jobpreempt: {@code cancel}, {@code requeue}, {@code hold}, {@code suspend}, {@code checkpoint} (which is
 * to requeue: a job writes its checkpoints itself), {@code notify[:TEXT]}, {@code signal:N} or {@code modify:ATTR=VALUE}, to
 * the jobs on the object; behind semicolons which, as in {@code ;class=long;user=ann}.
 */
final class JobAction implements TriggerAction {
    /** Event of the messages to owners. */
    private static final String EVENT = "jobnotify";

    /** Owners who are told by one action. */
    private static final int MOST_OWNERS = 500;

    private static final Bound.Prose TEXT = new Bound.Prose(1_000, true);

    private final AutomaticRequests requests;
    private final Recipients recipients;
    private final IterationOutputs outputs;

    JobAction(AutomaticRequests requests, Recipients recipients, IterationOutputs outputs) {
        this.outputs = outputs;
        this.requests = requests;
        this.recipients = recipients;
    }

    @Override
    public TriggerOutcome begin(TriggerOccasion occasion) throws UnfitActionException {
        JobOrder order = JobOrder.read(occasion.spec().action());
        List<NameValue> arguments = new ArrayList<>();
        TriggerTemplate by = occasion.due().template();
        List<Job> jobs = recipients.jobs(occasion.objectType(), occasion.objectId()).stream()
                .filter(job -> matches(job, order.filters(), occasion.substitution()))
                .toList();
        RequestKind kind;
        switch (order.word()) {
            case "cancel" -> kind = RequestKind.CANCEL_JOB;
            case "requeue", "checkpoint" -> kind = RequestKind.REQUEUE_JOB;
            case "hold" -> kind = RequestKind.HOLD_JOB;
            case "suspend" -> kind = RequestKind.SUSPEND_JOB;
            case "signal" -> {
                kind = RequestKind.SIGNAL_JOB;
                arguments.add(new NameValue("signal", occasion.substitution().expand(order.argument(), Place.LINE)));
            }
            case "modify" -> {
                kind = RequestKind.MODIFY_JOB;
                NameValue change = order.change();
                arguments.add(new NameValue(
                        change.getName(), occasion.substitution().expand(change.getValue(), Place.VALUE)));
            }
            case "notify" -> {
                return tellOwners(occasion, jobs, occasion.substitution().expand(order.argument(), Place.LINE));
            }
            default -> throw new IllegalArgumentException(order.word() + " is no action on jobs");
        }
        return TriggerOutcome.of(requests.makeEach(by.actor(), by.actorLevel(), kind, jobs, arguments), jobs);
    }

    /** One message to each owner, who may have several of the jobs. */
    private TriggerOutcome tellOwners(TriggerOccasion occasion, List<Job> jobs, String text) {
        SortedMap<String, List<String>> byOwner = new TreeMap<>();
        for (Job job : jobs) {
            String owner = job.request().credentials().user();
            if (owner != null) {
                byOwner.computeIfAbsent(owner, some -> new ArrayList<>()).add(job.id());
            }
        }
        if (byOwner.size() > MOST_OWNERS) {
            return new TriggerOutcome.Done(
                    false, byOwner.size() + " owners are to be told; at most " + MOST_OWNERS + " are");
        }
        byOwner.forEach((owner, ids) -> outputs.notices()
                .tell(
                        Severity.WARNING,
                        EVENT,
                        occasion.objectType(),
                        occasion.objectId(),
                        TEXT.cut((text.isBlank() ? occasion.triggerId() : text) + " (jobs " + String.join(", ", ids)
                                + ")"),
                        List.of(recipients.address(owner)),
                        owner,
                        1));
        return new TriggerOutcome.Done(true, "told " + byOwner.size() + " owners");
    }

    private static boolean matches(Job job, List<NameValue> filters, Substitution substitution) {
        JobCredentials credentials = job.request().credentials();
        for (NameValue filter : filters) {
            String has = switch (filter.getName()) {
                case "class" -> credentials.jobClass();
                case "user" -> credentials.user();
                case "group" -> credentials.group();
                case "account" -> credentials.account();
                case "qos" -> job.qos();
                default -> throw new IllegalArgumentException(filter.getName() + " is no credential of jobs");
            };
            if (!substitution.expand(filter.getValue(), Place.LINE).equals(has)) {
                return false;
            }
        }
        return true;
    }
}
