package io.weir.topics;

import java.nio.charset.StandardCharsets;

/**
 * Key of a record: the cluster, which alone decides the partition, and the entity within it. Written as
 * {@code cluster/entity} in UTF-8; a key about the cluster as a whole is the bare {@code cluster}.
 *
 * @param cluster name of the cluster; holds no '/'
 * @param entity id within the cluster, '/' allowed; empty for the cluster as a whole
 */
public record EntityKey(String cluster, String entity) {

    private static final char SEPARATOR = '/';

    /** Refuses a cluster name that could not be told from the entity. */
    public EntityKey {
        if (cluster.indexOf(SEPARATOR) >= 0) {
            throw new IllegalArgumentException("Cluster name '" + cluster + "' holds a '/'; choose one without");
        }
    }

    /** Returns the key of {@code cluster} as a whole. */
    public static EntityKey ofCluster(String cluster) {
        return new EntityKey(cluster, "");
    }

    /** Reads {@code cluster/entity}; without '/' the whole text is the cluster. Never throws. */
    public static EntityKey parse(String text) {
        int separator = text.indexOf(SEPARATOR);
        return separator < 0
                ? new EntityKey(text, "")
                : new EntityKey(text.substring(0, separator), text.substring(separator + 1));
    }

    /** Reads the UTF-8 form. Never throws: malformed bytes become replacement characters. */
    public static EntityKey parse(byte[] utf8) {
        return parse(new String(utf8, StandardCharsets.UTF_8));
    }

    /** Returns the UTF-8 form. */
    public byte[] toBytes() {
        return toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return entity.isEmpty() ? cluster : cluster + SEPARATOR + entity;
    }
}
