package io.weir.notifier.runtime.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.Notification;
import io.weir.schemas.Severity;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

public class RoutingTest {

    private static final RoutingRule URGENT = new RoutingRule(
            "urgent", List.of("nodedown", "rm*"), Severity.ERROR, List.of(), List.of(), Set.of("pager"));
    private static final RoutingRule ALL =
            new RoutingRule("all", List.of(), Severity.INFO, List.of(), List.of(), Set.of("file", "mail"));

    @Test
    void shouldSendEverythingEverywhereWithoutRules() {
        assertThat(new Routing(List.of()).sends(delivery("jobstart", Severity.INFO), "pager"))
                .isTrue();
    }

    @Test
    void shouldSendWhatAnyRuleSends() {
        Routing routing = new Routing(List.of(URGENT, ALL));

        assertThat(routing.sends(delivery("nodedown", Severity.ERROR), "pager")).isTrue();
        assertThat(routing.sends(delivery("nodedown", Severity.ERROR), "file")).isTrue();
        assertThat(routing.sends(delivery("jobstart", Severity.INFO), "pager")).isFalse();
        assertThat(routing.sends(delivery("jobstart", Severity.INFO), "mail")).isTrue();
        assertThat(routing.sends(delivery("jobstart", Severity.INFO), "chat")).isFalse();
    }

    @Test
    void shouldMatchEventsByNameOrBeginningInAnyCase() {
        assertThat(URGENT.sends(delivery("NodeDown", Severity.ERROR), "pager")).isTrue();
        assertThat(URGENT.sends(delivery("rmdown", Severity.ERROR), "pager")).isTrue();
        assertThat(URGENT.sends(delivery("rm", Severity.ERROR), "pager")).isTrue();
        assertThat(URGENT.sends(delivery("nodedowns", Severity.ERROR), "pager")).isFalse();
        assertThat(URGENT.sends(delivery("alarm", Severity.ERROR), "pager")).isFalse();
    }

    @Test
    void shouldLetTheLeastSeverityAndMoreThrough() {
        RoutingRule warnings = new RoutingRule("w", List.of(), Severity.WARNING, List.of(), List.of(), Set.of());

        assertThat(warnings.sends(delivery("x", Severity.INFO), "any")).isFalse();
        assertThat(warnings.sends(delivery("x", Severity.WARNING), "any")).isTrue();
        assertThat(warnings.sends(delivery("x", Severity.ERROR), "any")).isTrue();
    }

    @Test
    void shouldNotHoldBackWhatIsOfUnknownSeverity() {
        assertThat(URGENT.sends(delivery("nodedown", Severity.UNKNOWN), "pager"))
                .isTrue();
    }

    @Test
    void shouldMatchObjectsByTypeAndIdAndOwnersByName() {
        RoutingRule gpus = new RoutingRule("g", List.of(), Severity.INFO, List.of("node:gpu*"), List.of(), Set.of());
        RoutingRule anns =
                new RoutingRule("a", List.of(), Severity.INFO, List.of(), List.of("ann", "proj-*"), Set.of());

        assertThat(gpus.sends(about("node", "gpu7", null), "any")).isTrue();
        assertThat(gpus.sends(about("node", "n1", null), "any")).isFalse();
        assertThat(gpus.sends(about("job", "gpu7", null), "any")).isFalse();
        assertThat(anns.sends(about("job", "1", "ann"), "any")).isTrue();
        assertThat(anns.sends(about("job", "1", "proj-x"), "any")).isTrue();
        assertThat(anns.sends(about("job", "1", "anna"), "any")).isFalse();
        assertThat(anns.sends(about("node", "n1", null), "any")).isFalse();
    }

    public static Notification delivery(String event, Severity severity) {
        return notification(event, severity, "node", "n1", null);
    }

    private static Notification about(String type, String id, String owner) {
        return notification("nodedown", Severity.ERROR, type, id, owner);
    }

    private static Notification notification(String event, Severity severity, String type, String id, String owner) {
        return Notification.newBuilder()
                .setCluster("tiny")
                .setNotificationId("tiny/7/0")
                .setIteration(7)
                .setTime(Instant.EPOCH)
                .setSeverity(severity)
                .setEvent(event)
                .setObjectType(type)
                .setObjectId(id)
                .setOwner(owner)
                .setSubject(event)
                .setText(event)
                .build();
    }
}
