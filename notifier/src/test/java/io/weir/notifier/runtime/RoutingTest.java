package io.weir.notifier.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.notifier.spi.Deliveries;
import io.weir.notifier.spi.Delivery;
import io.weir.schemas.Severity;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoutingTest {

    private static final RoutingRule URGENT =
            new RoutingRule("urgent", List.of("nodedown", "rm*"), Severity.ERROR, Set.of("pager"));
    private static final RoutingRule ALL = new RoutingRule("all", List.of(), Severity.INFO, Set.of("file", "mail"));

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
        RoutingRule warnings = new RoutingRule("w", List.of(), Severity.WARNING, Set.of());

        assertThat(warnings.sends(delivery("x", Severity.INFO), "any")).isFalse();
        assertThat(warnings.sends(delivery("x", Severity.WARNING), "any")).isTrue();
        assertThat(warnings.sends(delivery("x", Severity.ERROR), "any")).isTrue();
    }

    @Test
    void shouldNotHoldBackWhatIsOfUnknownSeverity() {
        assertThat(URGENT.sends(delivery("nodedown", Severity.UNKNOWN), "pager"))
                .isTrue();
    }

    private static Delivery delivery(String event, Severity severity) {
        return Deliveries.of("tiny/7/0", event, severity);
    }
}
