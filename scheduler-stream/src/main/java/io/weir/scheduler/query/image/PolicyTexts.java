package io.weir.scheduler.query.image;

import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.schemas.PolicyVersion;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The versions of each cluster's policy that may still matter: the one in force and those that came after it. The topic
 * keeps every version for ever; of a cluster that puts none in force, no more than {@link #MOST} are held, the latest.
 */
final class PolicyTexts {
    static final int MOST = 64;

    /** By cluster, then by record key in the order of arrival. */
    private final SortedMap<String, Map<String, PolicyVersion>> texts = new TreeMap<>();

    /** Record keys of what is in force, by cluster. */
    private final SortedMap<String, String> inForce = new TreeMap<>();

    /** What the texts in force were found to say, by cluster; by those who look at the same time. */
    private final Map<String, Read> readings = new ConcurrentHashMap<>();

    /** A text and what it says. */
    private record Read(String text, SitePolicy.Reading reading) {}

    /** Reads the text in force of a cluster, unless it was read before: that takes long where it is long. */
    SitePolicy.Reading reading(String cluster, String text) {
        Read known = readings.get(cluster);
        if (known == null || !known.text().equals(text)) {
            known = new Read(text, SitePolicy.read(text));
            readings.put(cluster, known);
        }
        return known.reading();
    }

    /** Takes a record of the policy topic; null removes what has that key. */
    void put(String key, @Nullable PolicyVersion version) {
        if (version == null) {
            texts.values().forEach(ofCluster -> ofCluster.remove(key));
            return;
        }
        Map<String, PolicyVersion> ofCluster =
                texts.computeIfAbsent(version.getCluster(), cluster -> new LinkedHashMap<>());
        ofCluster.remove(key);
        ofCluster.put(key, version);
        if (ofCluster.size() > MOST) {
            Iterator<String> oldest = ofCluster.keySet().iterator();
            if (oldest.next().equals(inForce.get(version.getCluster()))) {
                oldest.next();
            }
            oldest.remove();
        }
    }

    /** Says which version is in force; those before it are not needed any longer. */
    void inForce(String cluster, String version) {
        String key = cluster + "/" + version;
        if (key.equals(inForce.put(cluster, key))) {
            return;
        }
        Map<String, PolicyVersion> ofCluster = texts.get(cluster);
        if (ofCluster != null && ofCluster.containsKey(key)) {
            Iterator<String> each = ofCluster.keySet().iterator();
            while (!each.next().equals(key)) {
                each.remove();
            }
        }
    }

    /** Returns a version; empty when it is not known. */
    Optional<PolicyVersion> of(String cluster, String version) {
        Map<String, PolicyVersion> ofCluster = texts.get(cluster);
        return ofCluster == null ? Optional.empty() : Optional.ofNullable(ofCluster.get(cluster + "/" + version));
    }

    /** Returns the record keys of all versions held. */
    Set<String> keys() {
        Set<String> keys = new TreeSet<>();
        texts.values().forEach(ofCluster -> keys.addAll(ofCluster.keySet()));
        return keys;
    }
}
