package io.weir.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.junit.jupiter.api.Test;

class BrokerTroubleTest {

    @Test
    void shouldNameTheTopicAndTheRemedyWhereAProducerOnlySaysThatItIsInAnErrorState() {
        KafkaException failure = new KafkaException(
                "Cannot execute transactional method because we are in an error state",
                new TopicAuthorizationException("Not authorized to access topics: [weir.delivery-results]"));

        assertThat(BrokerTrouble.describe(failure)).contains("[weir.delivery-results]", "weir acls");
    }

    /** Nobody finds the one right that is missing among all those that a service needs. */
    @Test
    void shouldSayWhatTheMissingRightIsOn() {
        assertThat(BrokerTrouble.remedy(
                        new KafkaException("no records", new TopicAuthorizationException(Set.of("weir.b", "weir.a")))))
                .hasValueSatisfying(remedy -> assertThat(remedy).contains("lacks a right on topic weir.a, weir.b:"));
        assertThat(BrokerTrouble.remedy(GroupAuthorizationException.forGroupId("weir-scheduler")))
                .hasValueSatisfying(remedy -> assertThat(remedy).contains("lacks a right on group weir-scheduler:"));
        assertThat(BrokerTrouble.remedy(new TransactionalIdAuthorizationException("failed")))
                .hasValueSatisfying(remedy -> assertThat(remedy).contains("lacks a right on its transactional id:"));
        assertThat(BrokerTrouble.remedy(new ClusterAuthorizationException("failed")))
                .hasValueSatisfying(remedy -> assertThat(remedy).contains("lacks a right on the cluster:"));
    }

    @Test
    void shouldSayWhatToDoAboutARefusedLogin() {
        assertThat(BrokerTrouble.describe(new SaslAuthenticationException("invalid credentials")))
                .contains("invalid credentials", "kafka.sasl.*");
    }

    /** Also where what hides it is no wrapper of Kafka's. */
    @Test
    void shouldSayWhatToDoAboutATopicThatTakesNoRecordOfThisSize() {
        KafkaException failure = new KafkaException(
                "Cannot write to weir.requests",
                new ExecutionException(new RecordTooLargeException("larger than the max message size")));

        assertThat(BrokerTrouble.describe(failure))
                .contains(
                        "weir.requests",
                        "larger than the max message size",
                        "weir topics --create",
                        "max.message.bytes");
    }

    @Test
    void shouldLeaveOtherFailuresAsTheyAre() {
        TimeoutException away = new TimeoutException("no answer");

        assertThat(BrokerTrouble.describe(away)).isEqualTo(away.toString());
        assertThat(BrokerTrouble.remedy(away)).isEmpty();
    }
}
