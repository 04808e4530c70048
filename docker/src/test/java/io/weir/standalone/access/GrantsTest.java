package io.weir.standalone.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.runtime.ConnectorService;
import io.weir.scheduler.SchedulerConfig;
import io.weir.topics.Grant;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writing a topic is a power: who has it. */
class GrantsTest {
    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);
    private static final Grants GRANTS = Grants.of(
            NAMES, "weir-scheduler", List.of(new Grants.Connector("c1", "rm"), new Grants.Connector("c2", "rm")));

    @ParameterizedTest
    @CsvSource({
        "requests,          weir-api",
        "policy,            weir-api",
        "request-results,   weir-scheduler",
        "commands,          weir-scheduler",
        "plugin-questions,  weir-scheduler",
        "plugin-answers,    weir-scheduler",
        "journal,           weir-scheduler",
        "decisions,         weir-scheduler",
        "explanations,      weir-scheduler",
        "jobs,              weir-scheduler",
        "nodes,             weir-scheduler",
        "reservations,      weir-scheduler",
        "notifications,     weir-scheduler",
        "delivery-results,  weir-notifier",
        "rm.jobs,           weir-connector.c1.rm weir-connector.c2.rm",
        "rm.nodes,          weir-connector.c1.rm weir-connector.c2.rm",
        "rm.heartbeats,     weir-connector.c1.rm weir-connector.c2.rm",
        "results,           weir-connector.c1.rm weir-connector.c2.rm",
        "snapshots,         weir-audit",
        "monitoring.events, weir-connector.c1.rm weir-connector.c2.rm weir-monitoring weir-reduction",
        "monitoring.metrics, weir-connector.c1.rm weir-connector.c2.rm weir-monitoring"
    })
    void shouldLetOnlyItsWriterWriteATopic(String topic, String writers) {
        assertThat(writersOf(topic)).containsExactlyInAnyOrder(writers.split(" ", -1));
    }

    @Test
    void shouldLetReadersReadEveryTopicAndWriteNone() {
        Set<String> read = bindings(Account.READER, ResourceType.TOPIC)
                .filter(binding -> binding.entry().operation() == AclOperation.READ)
                .map(binding -> binding.pattern().name())
                .collect(Collectors.toSet());

        assertThat(read).isEqualTo(Topics.all().stream().map(NAMES::full).collect(Collectors.toSet()));
        assertThat(bindings(Account.READER, ResourceType.TOPIC))
                .extracting(binding -> binding.entry().operation())
                .containsOnly(AclOperation.READ, AclOperation.DESCRIBE_CONFIGS);
        assertThat(bindings(Account.READER, ResourceType.TRANSACTIONAL_ID)).isEmpty();
    }

    /** A prefix would also let one write what another service owns. */
    @Test
    void shouldNameEachTopicOfTheCatalogueInFull() {
        assertThat(GRANTS.bindings())
                .filteredOn(binding -> binding.pattern().patternType() == PatternType.PREFIXED)
                .extracting(binding -> binding.pattern().name())
                .noneMatch(
                        prefix -> Topics.all().stream().map(NAMES::full).anyMatch(topic -> topic.startsWith(prefix)));
    }

    @Test
    void shouldGrantNothingOnTheClusterNorToEverybody() {
        assertThat(GRANTS.bindings()).allSatisfy(binding -> {
            assertThat(binding.pattern().resourceType()).isNotEqualTo(ResourceType.CLUSTER);
            assertThat(binding.pattern().name()).isNotEqualTo("*");
            assertThat(binding.entry().principal()).startsWith("User:weir-").doesNotContain("*");
        });
    }

    @Test
    void shouldLetAMonitoringSourceReadItsTopicsAndWriteFactsOfNodes() {
        Grants.Source source = new Grants.Source("c1", "mon", List.of("telegraf"));
        Account account = Account.monitoringSource("c1", "mon");
        List<AclBinding> bindings = Grants.of(NAMES, source).bindings();

        assertThat(bindings)
                .filteredOn(binding -> binding.entry().principal().equals(account.principal()))
                .filteredOn(binding -> binding.entry().operation() != AclOperation.DESCRIBE_CONFIGS)
                .extracting(binding ->
                        binding.entry().operation() + " " + binding.pattern().name())
                .containsExactlyInAnyOrder(
                        "WRITE weir.monitoring.metrics",
                        "WRITE weir.monitoring.events",
                        "READ telegraf",
                        "READ weir.monitoring-source.c1.mon");
        assertThat(bindings)
                .filteredOn(binding -> binding.entry().principal().equals(Account.MONITORING.principal()))
                .extracting(binding ->
                        binding.entry().operation() + " " + binding.pattern().name())
                .containsExactly("WRITE telegraf");
    }

    @Test
    void shouldKeepConnectorsApart() {
        Set<String> one = groups(Account.connector("c1", "rm"));
        Set<String> other = groups(Account.connector("c2", "rm"));

        assertThat(one).containsExactly("weir.rm-connector.c1.rm");
        assertThat(other).doesNotContainAnyElementsOf(one);
        assertThat(bindings(Account.connector("c1", "rm"), ResourceType.GROUP)
                        .filter(binding -> binding.entry().operation() == AclOperation.DESCRIBE)
                        .map(binding -> binding.pattern().name()))
                .containsExactly("weir-scheduler");
        assertThat(bindings(Account.connector("c1", "rm"), ResourceType.TRANSACTIONAL_ID))
                .as("it has no transactions")
                .isEmpty();
    }

    @Test
    void shouldKeepConnectorsApartWhoseNamesHaveDots() {
        List<Grants.Connector> connectors =
                List.of(new Grants.Connector("a.b", "rm"), new Grants.Connector("a", "b.rm"));
        Map<Account, List<Grant>> accounts =
                Grants.of(NAMES, "weir-scheduler", connectors).accounts();

        assertThat(accounts.get(Account.connector("a.b", "rm"))).contains(Grant.group("weir.rm-connector.a.b.rm"));
        assertThat(accounts.get(Account.connector("a", "b.rm")))
                .contains(Grant.group("weir.rm-connector.a.b%2Erm"))
                .doesNotContain(Grant.group("weir.rm-connector.a.b.rm"));
    }

    @Test
    void shouldLookForTheSchedulerWhereItIsUnlessTold() {
        assertThat(new ConnectorService().definition().defaultValues().get("application.id"))
                .isEqualTo(SchedulerConfig.definition().defaultValues().get("application.id"));
    }

    private static Set<String> writersOf(String topic) {
        Topic<?> known = Topics.byName(topic).orElseThrow();
        return GRANTS.bindings().stream()
                .filter(binding -> binding.entry().operation() == AclOperation.WRITE)
                .filter(binding -> binding.pattern().resourceType() == ResourceType.TOPIC)
                .filter(binding -> binding.pattern().name().equals(NAMES.full(known)))
                .map(binding -> binding.entry().principal().substring("User:".length()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> groups(Account account) {
        return bindings(account, ResourceType.GROUP)
                .filter(binding -> binding.entry().operation() == AclOperation.READ)
                .map(binding -> binding.pattern().name())
                .collect(Collectors.toSet());
    }

    private static Stream<AclBinding> bindings(Account account, ResourceType type) {
        return GRANTS.bindings().stream()
                .filter(binding -> binding.entry().principal().equals(account.principal()))
                .filter(binding -> binding.pattern().resourceType() == type);
    }
}
