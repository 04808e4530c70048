package io.weir.scheduler.bench;

import io.weir.schemas.NameCount;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A cluster of unlike nodes: of every ten, six have 32 processors and 128 GB, two are fast with 64 processors and 256 GB,
 * one has 64 processors and 1 TB, one has four accelerators. Every 32 nodes share a switch, named by a feature.
 *
 * @param nodes nodes, at least 1
 */
public record MixedCluster(int nodes) {
    private static final int NODES_PER_SWITCH = 32;

    public MixedCluster {
        if (nodes < 1) {
            throw new IllegalArgumentException("a cluster has at least one node, not " + nodes);
        }
    }

    /** Returns what a resource manager would report of the nodes. */
    List<NodeReport> reports(String cluster) {
        List<NodeReport> reports = new ArrayList<>(nodes);
        for (int i = 0; i < nodes; i++) {
            int kind = i % 10;
            List<String> features = new ArrayList<>();
            features.add(switchName(i));
            NodeReport.Builder report = NodeReport.newBuilder()
                    .setCluster(cluster)
                    .setNodeId(nodeName(i))
                    .setIndex(i)
                    .setState(NodeState.IDLE);
            if (kind < 6) {
                report.setProcs(32).setMemoryMb(128_000);
            } else if (kind < 8) {
                features.add("fast");
                report.setProcs(64).setMemoryMb(256_000);
            } else if (kind == 8) {
                features.add("big");
                report.setProcs(64).setMemoryMb(1_000_000);
            } else {
                report.setProcs(32).setMemoryMb(256_000).setGres(List.of(new NameCount("gpu", 4L)));
            }
            features.sort(null);
            reports.add(report.setFeatures(features).build());
        }
        return reports;
    }

    /** Returns the configuration of a standing reservation of {@code percent} of the nodes for every other user. */
    public String reserved(int percent) {
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException("of all nodes 0 to 100 percent can be reserved, not " + percent);
        }
        int last = (int) ((long) nodes * percent / 100) - 1;
        if (last < 0) {
            return "";
        }
        List<String> users = new ArrayList<>();
        for (int user = 0; user < MixedWorkload.USERS; user += 2) {
            users.add("u" + user);
        }
        List<String> hosts = new ArrayList<>();
        for (int i = 0; i <= last; i++) {
            hosts.add(nodeName(i));
        }
        return "SRCFG[reserved] HOSTLIST=" + String.join(",", hosts) + " USERLIST=" + String.join(",", users)
                + " PERIOD=INFINITY\n";
    }

    /** Returns the processors of all nodes. */
    long processors() {
        long sum = 0;
        for (int i = 0; i < nodes; i++) {
            int kind = i % 10;
            sum += kind < 6 || kind == 9 ? 32 : 64;
        }
        return sum;
    }

    private static String nodeName(int node) {
        return String.format(Locale.ROOT, "n%05d", node);
    }

    private static String switchName(int node) {
        return String.format(Locale.ROOT, "sw%04d", node / NODES_PER_SWITCH);
    }
}
