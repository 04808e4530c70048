package io.weir.scheduler.core.recovery;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.nonstop.NodeLoss;
import io.weir.scheduler.core.nonstop.NonstopJob;
import io.weir.scheduler.core.nonstop.PendingReplacement;
import io.weir.scheduler.core.policy.nonstop.NonstopSettings;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.NameValue;
import java.util.ArrayList;
import java.util.List;

/** Requests that ask the failure service what it knows, and change nothing. */
final class RecoveryQueries {
    private final ClusterState state;
    private final RecoveryAnswers answers;

    RecoveryQueries(ClusterState state, RecoveryAnswers answers) {
        this.state = state;
        this.answers = answers;
    }

    /** Answers with the failed and failing nodes of a job, and with what it waits for. */
    boolean failures(AuthorisedRequest request, Job job) {
        NonstopJob record = state.nonstop.get(job.id());
        PendingReplacement waits = record == null ? null : record.pending();
        List<NodeLoss> losses = record == null ? List.of() : record.losses();
        List<NameValue> details = new ArrayList<>();
        details.add(new NameValue("state", job.state().name()));
        details.add(new NameValue("nodes", RecoveryText.nodes(job.allocation())));
        details.add(new NameValue("nodeCount", Integer.toString(job.allocation().size())));
        details.add(new NameValue("cpusPerNode", RecoveryText.procs(job.allocation())));
        details.add(new NameValue("lostCount", Integer.toString(losses.size())));
        details.add(new NameValue("pendingDelay", Long.toString(waits == null ? 0 : waits.delay())));
        details.add(new NameValue("pendingId", waits == null ? "" : KeptNodes.awaitedBy(job.id())));
        details.add(new NameValue("pendingNode", waits == null ? "" : waits.replacement()));
        details.add(new NameValue("pendingTime", waits == null ? "" : Long.toString(waits.time())));
        details.add(new NameValue("replacedCount", Integer.toString(record == null ? 0 : record.replacedCount())));
        details.add(new NameValue("balance", Long.toString(record == null ? 0 : record.balance())));
        for (NodeLoss loss : losses) {
            details.add(new NameValue("lost", loss.nodeId() + " " + loss.procs() + " " + loss.kind()));
        }
        if (record != null) {
            record.endpoints().forEach(endpoint -> details.add(new NameValue("endpoint", endpoint)));
        }
        return answers.grant(request, losses.size() + " failed or failing nodes", details);
    }

    /** Answers with the settings in force. */
    boolean configuration(AuthorisedRequest request, NonstopSettings settings) {
        String backup = settings.backupAddress();
        String spares = String.join(
                ",",
                settings.hotSpares().entrySet().stream()
                        .map(entry -> entry.getKey() + ":" + entry.getValue())
                        .toList());
        return answers.grant(
                request,
                "settings of the failure service",
                List.of(
                        new NameValue("ControlAddr", settings.controlAddress()),
                        new NameValue("BackupAddr", backup == null ? "" : backup),
                        new NameValue("Port", Integer.toString(settings.port())),
                        new NameValue("Debug", Integer.toString(settings.debug())),
                        new NameValue("HotSpareCount", spares),
                        new NameValue("MaxSpareNodeCount", Integer.toString(settings.mostSpares())),
                        new NameValue("TimeLimitDelay", Integer.toString(settings.delayMinutes())),
                        new NameValue("TimeLimitExtend", Integer.toString(settings.extendMinutes())),
                        new NameValue("TimeLimitDrop", Integer.toString(settings.dropMinutes())),
                        new NameValue(
                                "UserDrainAllow",
                                String.join(",", settings.drainers().allowed())),
                        new NameValue(
                                "UserDrainDeny",
                                String.join(",", settings.drainers().denied())),
                        new NameValue("ReadTimeout", Integer.toString(settings.readTimeoutMillis())),
                        new NameValue("WriteTimeout", Integer.toString(settings.writeTimeoutMillis()))));
    }
}
