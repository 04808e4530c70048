package io.weir.scheduler.core.placement.history;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.state.ApplicationRecord;
import io.weir.scheduler.state.NodeRecord;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Remembers of every node how long it had work, how often it failed, and how long jobs of each application and size ran
 * there for the limit they asked for. Sums are whole numbers, so that a rebuild gives the same. Owned by the core's thread.
 */
public final class NodeUsageHistory implements NodeHistory {
    /** Completed jobs below which nothing is concluded. */
    private static final long ENOUGH = 3;

    private static final double MILLION = 1_000_000;

    /** Applications, each in jobs of one size, that are remembered of a node; one more replaces what ran longest ago. */
    private static final int MOST_APPLICATIONS = 64;

    private final NodeTable nodes;
    /** By node; iterated only to sort. */
    private final Map<String, Account> accounts = new LinkedHashMap<>();

    /** Sums over all nodes by application and size. */
    private final Map<String, Tally> everywhere = new LinkedHashMap<>();

    /** Nodes whose record changed since {@link #drain}, some perhaps twice. */
    private final List<String> changed = new ArrayList<>();

    private long layout = -1;

    /** The same by position, while the nodes are as at {@link #layout}. */
    private Account[] placed = {};

    /** Creates a ledger of {@code nodes}. */
    public NodeUsageHistory(NodeTable nodes) {
        this.nodes = nodes;
    }

    /** Begins to watch nodes that came since. */
    public void watch(long now) {
        if (layout == nodes.layout()) {
            return;
        }
        layout = nodes.layout();
        for (int position = 0; position < nodes.size(); position++) {
            String id = nodes.at(position).id();
            if (!accounts.containsKey(id)) {
                Account account = new Account(now);
                account.downSince = nodes.at(position).node().state() == NodeState.DOWN ? now : Job.NONE;
                account.busySince = nodes.jobsAt(position) > 0 && account.downSince == Job.NONE ? now : Job.NONE;
                accounts.put(id, account);
                changed.add(id);
            }
        }
        placed = new Account[nodes.size()];
        for (int position = 0; position < placed.length; position++) {
            placed[position] =
                    Objects.requireNonNull(accounts.get(nodes.at(position).id()));
        }
    }

    /** Returns what is remembered of the node with {@code id} at {@code position}; null for nothing. */
    private @Nullable Account account(int position, String id) {
        return position >= 0 && layout == nodes.layout() ? placed[position] : accounts.get(id);
    }

    /** Follows a job from one version to the next, after the node table did. */
    public void follow(@Nullable Job before, Job after, long now) {
        boolean was = before != null && before.active();
        if (was == after.active()) {
            return;
        }
        if (after.active()) {
            int[] positions = after.positions(nodes);
            for (int i = 0; i < positions.length; i++) {
                NodeShare share = after.shares().get(i);
                Account account = account(positions[i], share.nodeId());
                if (account != null && account.busySince == Job.NONE && account.downSince == Job.NONE) {
                    account.busySince = Math.max(account.trackedSince, now);
                    changed.add(share.nodeId());
                }
            }
            return;
        }
        if (before == null) {
            return;
        }
        long end = after.end() == Job.NONE ? now : after.end();
        int[] positions = before.positions(nodes);
        for (int i = 0; i < positions.length; i++) {
            NodeShare share = before.shares().get(i);
            int position = positions[i];
            Account account = account(position, share.nodeId());
            if (account != null) {
                if (position >= 0 && nodes.jobsAt(position) == 0 && account.busySince != Job.NONE) {
                    account.idle(end);
                }
                learn(account, before, after, end);
                changed.add(share.nodeId());
            }
        }
    }

    /** Follows a node whose state changed. */
    public void follow(String node, boolean wasDown, boolean isDown, long now) {
        Account account = accounts.get(node);
        if (account == null || wasDown == isDown) {
            return;
        }
        if (isDown) {
            account.failures++;
            account.downSince = now;
            account.idle(now);
        } else if (account.downSince != Job.NONE) {
            account.downSeconds += Math.max(0, now - account.downSince);
            account.downSince = Job.NONE;
            int position = nodes.position(node);
            account.busySince = position >= 0 && nodes.jobsAt(position) > 0 ? now : Job.NONE;
        }
        changed.add(node);
    }

    /** Forgets what is known of a node; while it is there it is watched anew. */
    public void forget(String node) {
        Account account = accounts.remove(node);
        if (account != null) {
            layout = -1;
            account.applications.forEach(this::takeBack);
            changed.add(node);
        }
    }

    /** Takes over a stored record. */
    public void restore(NodeRecord record) {
        Account account = new Account(record.getTrackedSince());
        account.busySeconds = record.getBusySeconds();
        account.busySince = instant(record.getBusySince());
        account.failures = record.getFailures();
        account.downSeconds = record.getDownSeconds();
        account.downSince = instant(record.getDownSince());
        for (ApplicationRecord application : record.getApplications()) {
            Tally tally = new Tally();
            tally.completed = application.getCompleted();
            tally.ratioMillionths = application.getRatioMillionths();
            tally.failed = application.getFailed();
            String key = key(application.getApplication(), application.getSize());
            account.applications.put(key, tally);
            everywhere(key).add(tally, 1);
        }
        accounts.put(record.getNodeId(), account);
        layout = -1;
    }

    /** Returns the record of {@code node}; null when there is none. */
    public @Nullable NodeRecord toRecord(String cluster, String node) {
        Account account = accounts.get(node);
        if (account == null) {
            return null;
        }
        List<ApplicationRecord> applications = new ArrayList<>(account.applications.size());
        account.applications.forEach((key, tally) -> {
            int slash = key.lastIndexOf('/');
            applications.add(new ApplicationRecord(
                    key.substring(0, slash),
                    Integer.parseInt(key.substring(slash + 1)),
                    tally.completed,
                    tally.ratioMillionths,
                    tally.failed));
        });
        return new NodeRecord(
                cluster,
                node,
                account.trackedSince,
                account.busySeconds,
                account.busySince == Job.NONE ? null : account.busySince,
                account.failures,
                account.downSeconds,
                account.downSince == Job.NONE ? null : account.downSince,
                applications);
    }

    /** Returns the nodes remembered, sorted. */
    public List<String> ids() {
        List<String> ids = new ArrayList<>(accounts.keySet());
        Collections.sort(ids);
        return ids;
    }

    /** Returns the nodes whose record changed since the last call, sorted. */
    public List<String> drain() {
        if (changed.isEmpty()) {
            return List.of();
        }
        Collections.sort(changed);
        List<String> ids = new ArrayList<>(changed.size());
        String last = "";
        for (String id : changed) {
            if (!id.equals(last)) {
                ids.add(id);
            }
            last = id;
        }
        changed.clear();
        return ids;
    }

    /** Forgets which records changed: nobody stores them. */
    public void forgetChanges() {
        changed.clear();
    }

    /**
     * How a node spent its time since it is watched, in seconds.
     *
     * @param total all of it
     * @param up not down
     * @param busy up and with at least one active job
     * @param failures how often it went down
     */
    public record Times(long total, long up, long busy, long failures) {}

    /** Returns how {@code node} spent its time until {@code now}; null when it is not watched yet. */
    public @Nullable Times times(String node, long now) {
        Account account = accounts.get(node);
        if (account == null) {
            return null;
        }
        long total = Math.max(0, now - account.trackedSince);
        return new Times(total, Math.max(0, total - account.down(now)), account.busy(now), account.failures);
    }

    @Override
    public double usagePercent(String node, long now) {
        Account account = accounts.get(node);
        long tracked = account == null ? 0 : now - account.trackedSince;
        if (account == null || tracked <= 0) {
            return 0;
        }
        return 100.0 * account.busy(now) / tracked;
    }

    @Override
    public double secondsBetweenFailures(String node, long now) {
        Account account = accounts.get(node);
        if (account == null) {
            return 0;
        }
        long tracked = Math.max(0, now - account.trackedSince);
        if (account.failures == 0) {
            return tracked;
        }
        return (double) Math.max(0, tracked - account.down(now)) / account.failures;
    }

    @Override
    public double suitability(String node, @Nullable String application, int procs) {
        Account account = accounts.get(node);
        if (account == null || application == null) {
            return 1;
        }
        String key = key(application, size(procs));
        Tally here = account.applications.get(key);
        Tally all = everywhere.get(key);
        if (here == null || all == null || here.completed < ENOUGH) {
            return 1;
        }
        if (here.ratioMillionths == 0) {
            return 2;
        }
        double mean = all.ratioMillionths / MILLION / all.completed;
        double mine = here.ratioMillionths / MILLION / here.completed;
        return Math.max(0, Math.min(2, mean / mine));
    }

    @Override
    public double failureRate(String node, @Nullable String application) {
        Account account = accounts.get(node);
        if (account == null || application == null) {
            return 0;
        }
        long failed = 0;
        long all = 0;
        for (Map.Entry<String, Tally> entry : account.applications.entrySet()) {
            int slash = entry.getKey().lastIndexOf('/');
            if (slash == application.length() && entry.getKey().startsWith(application)) {
                failed += entry.getValue().failed;
                all += entry.getValue().failed + entry.getValue().completed;
            }
        }
        return all == 0 ? 0 : (double) failed / all;
    }

    private void learn(Account account, Job before, Job after, long end) {
        String application = after.request().options().application();
        boolean completed = after.state() == JobState.COMPLETED;
        if (application == null || (!completed && after.state() != JobState.FAILED)) {
            return;
        }
        Tally one = new Tally();
        if (completed) {
            one.completed = 1;
            one.ratioMillionths = Math.max(0, end - before.start())
                    * 1_000_000
                    / Math.max(1, before.request().walltimeSeconds());
        } else {
            one.failed = 1;
        }
        String key = key(application, size(after.request().procs()));
        Tally known = account.applications.remove(key);
        if (known == null && account.applications.size() >= MOST_APPLICATIONS) {
            Map.Entry<String, Tally> longestAgo =
                    account.applications.entrySet().iterator().next();
            account.applications.remove(longestAgo.getKey());
            takeBack(longestAgo.getKey(), longestAgo.getValue());
        }
        Tally next = known == null ? new Tally() : known;
        next.add(one, 1);
        account.applications.put(key, next);
        everywhere(key).add(one, 1);
    }

    /** Takes what one node had out of the sums over all nodes. */
    private void takeBack(String key, Tally tally) {
        Tally all = everywhere(key);
        all.add(tally, -1);
        if (all.completed == 0 && all.failed == 0) {
            everywhere.remove(key);
        }
    }

    private Tally everywhere(String key) {
        return everywhere.computeIfAbsent(key, k -> new Tally());
    }

    private static int size(int procs) {
        return procs <= 1 ? 1 : Integer.highestOneBit(procs - 1) << 1;
    }

    private static String key(String application, int size) {
        return application + "/" + size;
    }

    private static long instant(@Nullable Long stored) {
        return stored == null ? Job.NONE : stored;
    }

    /** What is remembered of one node. */
    private static final class Account {
        private final long trackedSince;
        /** By application and size, the one whose job ended last at the end. */
        private final Map<String, Tally> applications = new LinkedHashMap<>();

        private long busySeconds;
        private long busySince = Job.NONE;
        private long failures;
        private long downSeconds;
        private long downSince = Job.NONE;

        Account(long trackedSince) {
            this.trackedSince = trackedSince;
        }

        /** Ends the time it is busy, if it is. A node that is down is not, whatever jobs it had. */
        void idle(long now) {
            if (busySince != Job.NONE) {
                busySeconds += Math.max(0, now - busySince);
                busySince = Job.NONE;
            }
        }

        long busy(long now) {
            return busySeconds + (busySince == Job.NONE ? 0 : now - busySince);
        }

        long down(long now) {
            return downSeconds + (downSince == Job.NONE ? 0 : now - downSince);
        }
    }

    /** Sums over jobs of one application and size. */
    private static final class Tally {
        private long completed;
        private long ratioMillionths;
        private long failed;

        void add(Tally other, int sign) {
            completed += sign * other.completed;
            ratioMillionths += sign * other.ratioMillionths;
            failed += sign * other.failed;
        }
    }
}
