package io.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.stream.store.Stores;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberAssignment;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class OtherSchedulersTest {
    private static final Set<String> INPUTS = Set.of("weir.rm.jobs", "weir.requests");

    @Test
    void shouldKnowSchedulersByTheirChangelogs() {
        List<String> topics = new ArrayList<>(List.of("weir.rm.jobs", "weir-reduction-readings-changelog"));
        topics.addAll(Stores.changelogs("weir-scheduler"));
        topics.addAll(Stores.changelogs("weir-two"));

        assertThat(OtherSchedulers.applications(topics)).containsExactly("weir-scheduler", "weir-two");
    }

    @Test
    void shouldNameASchedulerOfAnotherApplicationOnTheSameInputs() {
        assertThat(OtherSchedulers.problems("weir-two", List.of(group("weir-scheduler", "weir.requests")), INPUTS))
                .singleElement()
                .asString()
                .contains("application.id weir-scheduler (client on /10.0.0.7)")
                .contains("this one has application.id weir-two");
    }

    @Test
    void shouldLetAnotherInstallationAndOneThatIsStoppedBe() {
        assertThat(OtherSchedulers.problems(
                        "weir-two", List.of(group("weir-scheduler", "test.requests"), group("weir-old")), INPUTS))
                .isEmpty();
    }

    private static ConsumerGroupDescription group(String id, String... assigned) {
        List<MemberDescription> members = new ArrayList<>();
        for (String topic : assigned) {
            members.add(new MemberDescription(
                    "member",
                    Optional.of("scheduler-1-1"),
                    Optional.empty(),
                    "client",
                    "/10.0.0.7",
                    new MemberAssignment(Set.of(new TopicPartition(topic, 0))),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty()));
        }
        return new ConsumerGroupDescription(
                id,
                false,
                members,
                "stream",
                GroupType.CLASSIC,
                GroupState.STABLE,
                new Node(1, "broker", 9092),
                Set.of(),
                Optional.empty(),
                Optional.empty());
    }
}
