package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.event.EventKey;
import io.weir.scheduler.core.event.EventTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.trigger.ObjectKey;
import io.weir.scheduler.core.trigger.TriggerEvent;
import io.weir.scheduler.core.trigger.TriggerRules;
import io.weir.scheduler.core.trigger.TriggerTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What there is no room for is not lost in silence. */
@NullUnmarked
class FullTablesTest {
    @Test
    void shouldLeaveAnEventThatCannotBeRememberedToThoseWhoAreToldOfAll() {
        EventTable events = new EventTable();
        events.configure(
                SitePolicy.read("GEVENTCFG[jobend] ACTION=notify").policy().events());
        for (int i = 0; i < EventTable.MOST; i++) {
            assertThat(events.occurred(new EventKey("job", "j" + i, "jobend"), "over"))
                    .isTrue();
        }
        assertThat(events.occurred(new EventKey("job", "one more", "jobend"), "over"))
                .isFalse();
        assertThat(events.occurred(new EventKey("job", "one more", "jobend"), "over", 1))
                .isFalse();
        assertThat(events.occurred(new EventKey("job", "j0", "jobend"), "over")).isTrue();
    }

    @Test
    void shouldTellOfAnObjectWhoseTriggersDoNotFire() {
        TriggerRules rules = SitePolicy.read("CLASSCFG[batch] TRIGGER=EType=end,AType=mail,Action=over")
                .policy()
                .triggers();
        TriggerTable triggers = new TriggerTable("c");
        triggers.configure(rules);
        List<ObjectKey> told = new ArrayList<>();
        triggers.whenFull(told::add);
        for (int i = 0; i <= TriggerTable.MOST_OBJECTS; i++) {
            triggers.happened(
                    new ObjectKey("job", "j" + i),
                    null,
                    rules.of("CLASSCFG", "batch"),
                    Collections.emptySortedMap(),
                    TriggerEvent.END,
                    "",
                    1_000L);
        }
        assertThat(told).containsExactly(new ObjectKey("job", "j" + TriggerTable.MOST_OBJECTS));
    }
}
