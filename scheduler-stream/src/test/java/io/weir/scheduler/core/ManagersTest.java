package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Notification;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whom NOTIFY:manager tells: the managers of the users, groups and accounts whose jobs the event is about. */
@NullUnmarked
class ManagersTest {
    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();

    private List<String> told(String policy) {
        site.policy("GEVENTCFG[hot] ACTION=notify:manager\n" + policy.replace(';', '\n'))
                .nodes(1, 4)
                .submit(
                        "j",
                        2,
                        1_000,
                        job -> job.setUser("ann")
                                .setGroup("staff")
                                .setAccount("mars")
                                .setJobClass("batch")
                                .setQos("high"))
                .iterate(0);
        site.fact(new GenericEvent(SchedulerFixture.CLUSTER, "hot", "node", "n1", "told", at(10), null, true, null));
        site.iterate(10);
        return site.lastNotifications().stream()
                .filter(notice -> notice.getEvent().equals("hot"))
                .map(Notification::getRecipients)
                .flatMap(List::stream)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "USERCFG[ann] MANAGERS=carl, carl",
        "GROUPCFG[staff] MANAGERS=carl, carl",
        "ACCOUNTCFG[mars] MANAGERS=carl, carl",
        "USERCFG[ann] MANAGERS=carl;GROUPCFG[staff] MANAGERS=gina;ACCOUNTCFG[mars] MANAGERS=alf, carl gina alf",
        "ADMINCFG[2] USERS=lead;GROUPCFG[staff] MANAGERS=gina;USERCFG[ann] MANAGERS=gina, lead gina"
    })
    @Feature({"NOTE-4", "CAT-32"})
    void shouldBeTheManagersOfTheCredentialsOfTheJobs(String policy, String managers) {
        assertThat(told(policy)).containsExactly(managers.split(" ", -1));
    }

    @Test
    @Feature("CAT-32")
    void shouldBeNobodyWhereThereAreNoManagers() {
        assertThat(told("USERCFG[bob] MANAGERS=carl;GROUPCFG[other] MANAGERS=gina;ADMINCFG[1] USERS=root"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"CLASSCFG[batch]", "QOSCFG[high]"})
    @Feature("CAT-32")
    void shouldBeToldThatClassesAndQosHaveNone(String object) {
        assertThat(SitePolicy.read(object + " MANAGERS=carl").problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.toString()).contains("MANAGERS"));
    }
}
