package io.weir.topics;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Something that a service has to be allowed to do on a broker with an authorizer. Each service states the least it needs,
 * beside the code that needs it.
 *
 * @param resource a topic, group or transactional id, or all that begin with a prefix
 * @param operations what is done with it
 */
public record Grant(ResourcePattern resource, Set<AclOperation> operations) {
    private static final String EVERY_HOST = "*";

    public Grant {
        operations = Set.copyOf(operations);
    }

    /** Reading {@code topics}, and looking at how they are configured. */
    public static List<Grant> reading(TopicNames names, Collection<? extends Topic<?>> topics) {
        return onTopics(names, topics, AclOperation.READ);
    }

    /** Writing to {@code topics}, and looking at how they are configured. */
    public static List<Grant> writing(TopicNames names, Collection<? extends Topic<?>> topics) {
        return onTopics(names, topics, AclOperation.WRITE);
    }

    /** Reading a topic that is not Weir's, called {@code name}. */
    public static Grant readingForeign(String name) {
        return of(ResourceType.TOPIC, name, PatternType.LITERAL, AclOperation.READ);
    }

    /** Writing to a topic that is not Weir's, called {@code name}. */
    public static Grant writingForeign(String name) {
        return of(ResourceType.TOPIC, name, PatternType.LITERAL, AclOperation.WRITE);
    }

    /** Being a member of {@code group}, and keeping its positions. */
    public static Grant group(String group) {
        return of(ResourceType.GROUP, group, PatternType.LITERAL, AclOperation.READ);
    }

    /** Seeing the positions of {@code group}. */
    public static Grant seeingGroup(String group) {
        return of(ResourceType.GROUP, group, PatternType.LITERAL, AclOperation.DESCRIBE);
    }

    /** The same as of a member for every group whose name begins with {@code prefix}. */
    public static Grant groups(String prefix) {
        return of(ResourceType.GROUP, prefix, PatternType.PREFIXED, AclOperation.READ);
    }

    /** Transactions under every id that begins with {@code prefix}. */
    public static Grant transactions(String prefix) {
        return of(ResourceType.TRANSACTIONAL_ID, prefix, PatternType.PREFIXED, AclOperation.WRITE);
    }

    /** Making, reading and writing a topic that is the service's own affair. */
    public static Grant ownTopic(String name) {
        return own(name, PatternType.LITERAL);
    }

    /** The same for every topic whose name begins with {@code prefix}. */
    public static Grant ownTopics(String prefix) {
        return own(prefix, PatternType.PREFIXED);
    }

    /** Adding partitions to a topic that is the service's own affair. */
    public static Grant growing(String name) {
        return of(ResourceType.TOPIC, name, PatternType.LITERAL, AclOperation.ALTER);
    }

    /** Returns it as the broker stores it, for {@code principal}, such as {@code User:weir-api}; sorted. */
    public List<AclBinding> bindings(String principal) {
        return new TreeSet<>(operations)
                .stream()
                        .map(operation -> new AclBinding(
                                resource,
                                new AccessControlEntry(principal, EVERY_HOST, operation, AclPermissionType.ALLOW)))
                        .toList();
    }

    private static List<Grant> onTopics(
            TopicNames names, Collection<? extends Topic<?>> topics, AclOperation operation) {
        List<Grant> grants = new ArrayList<>();
        topics.forEach(topic -> grants.add(of(
                ResourceType.TOPIC, names.full(topic), PatternType.LITERAL, operation, AclOperation.DESCRIBE_CONFIGS)));
        return grants;
    }

    private static Grant own(String name, PatternType pattern) {
        return of(
                ResourceType.TOPIC,
                name,
                pattern,
                AclOperation.CREATE,
                AclOperation.READ,
                AclOperation.WRITE,
                AclOperation.DESCRIBE_CONFIGS);
    }

    private static Grant of(ResourceType type, String name, PatternType pattern, AclOperation... operations) {
        return new Grant(new ResourcePattern(type, name, pattern), Set.of(operations));
    }
}
