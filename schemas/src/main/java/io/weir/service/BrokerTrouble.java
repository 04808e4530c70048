package io.weir.service;

import java.util.Optional;
import java.util.TreeSet;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;

/**
 * Says what a failed exchange with the brokers is about, and what to do where they refuse. Clients wrap what happened in words
 * that name neither, such as that a producer is in an error state. Stateless.
 */
public final class BrokerTrouble {
    private static final int DEEPEST_CAUSE = 20;

    private BrokerTrouble() {}

    /** Returns what happened in one line: the failure, what Kafka's own wrappers hide, and the remedy where there is one. */
    public static String describe(Throwable failure) {
        StringBuilder text = new StringBuilder(failure.toString());
        Throwable told = failure;
        for (int depth = 0; told != null && told.getClass() == KafkaException.class && depth < DEEPEST_CAUSE; depth++) {
            told = told.getCause();
            if (told != null && text.indexOf(told.toString()) < 0) {
                text.append(": ").append(told);
            }
        }
        remedy(failure).ifPresent(remedy -> text.append(". ").append(remedy));
        return text.toString();
    }

    /** Returns what to do where brokers refuse the login, a right or a record; empty where they do not. */
    public static Optional<String> remedy(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof AuthorizationException refusal) {
                return Optional.of("The account of this service lacks a right" + object(refusal)
                        + ": grant it what 'weir acls' prints");
            }
            if (cause instanceof AuthenticationException) {
                return Optional.of(
                        "The brokers refuse the login of this service: correct kafka.sasl.* and kafka.ssl.* of"
                                + " its settings and start it again, or let the brokers take this login again");
            }
            if (cause instanceof RecordTooLargeException) {
                return Optional.of(
                        "A topic takes no record of this size any more: 'weir topics --create' says which, and the"
                                + " command that sets its max.message.bytes again");
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }

    /** Returns what the right is on, as far as the brokers' answer tells it. */
    private static String object(AuthorizationException refusal) {
        if (refusal instanceof TopicAuthorizationException topics
                && !topics.unauthorizedTopics().isEmpty()) {
            return " on topic " + String.join(", ", new TreeSet<>(topics.unauthorizedTopics()));
        }
        if (refusal instanceof GroupAuthorizationException group && group.groupId() != null) {
            return " on group " + group.groupId();
        }
        if (refusal instanceof TransactionalIdAuthorizationException) {
            return " on its transactional id";
        }
        return refusal instanceof ClusterAuthorizationException ? " on the cluster" : "";
    }
}
