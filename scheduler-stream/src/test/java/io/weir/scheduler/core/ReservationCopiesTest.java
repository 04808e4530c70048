package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.NameValue;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RmCommand;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reservations as the resource manager is to show them. */
class ReservationCopiesTest {
    private final SchedulerFixture weir = new SchedulerFixture().nodes(3, 4).iterate(0);

    @Test
    void shouldOrderCopyChangeAndEnd() {
        create("h", "n[12]", "a", "user=ann,acct=physics", "d", "1:00:00");

        RmCommand made = only();
        assertThat(made.getKind()).isEqualTo(CommandKind.CREATE_RESERVATION);
        assertThat(made.getObjectId()).isEqualTo("ann.1");
        assertThat(made.getArguments())
                .containsExactly(
                        new NameValue(
                                "start", Long.toString(SchedulerFixture.at(10).getEpochSecond())),
                        new NameValue(
                                "end", Long.toString(SchedulerFixture.at(3610).getEpochSecond())),
                        new NameValue("nodes", "n1,n2"),
                        new NameValue("accounts", "physics"),
                        new NameValue("users", "ann"));
        weir.answer(made, CommandOutcome.DONE, 11).iterate(11);
        assertThat(weir.lastCommands()).isEmpty();

        weir.request("m", RequestKind.MODIFY_RESERVATION, "ann.1", pairs("duration", "+=1:00:00"))
                .iterate(20);
        assertThat(only().getKind()).isEqualTo(CommandKind.CREATE_RESERVATION);
        assertThat(only().getArguments())
                .contains(new NameValue(
                        "end", Long.toString(SchedulerFixture.at(7210).getEpochSecond())));

        weir.request("r", RequestKind.RELEASE_RESERVATION, "ann.1", List.of()).iterate(30);
        RmCommand ended = only();
        assertThat(ended.getKind()).isEqualTo(CommandKind.RELEASE_RESERVATION);
        weir.answer(ended, CommandOutcome.DONE, 31).iterate(31).iterate(40);
        assertThat(weir.lastCommands()).isEmpty();
        assertThat(weir.domain().getReservationCopies()).isEmpty();
    }

    @Test
    void shouldOrderNothingInModeMonitorAndEverythingAfterIt() {
        weir.policy("SCHEDCFG[x] MODE=MONITOR");
        create("h", "n1");
        assertThat(weir.lastCommands()).isEmpty();

        weir.policy("SCHEDCFG[x] MODE=NORMAL").iterate(20);

        assertThat(only().getKind()).isEqualTo(CommandKind.CREATE_RESERVATION);
        // Without an end.
        assertThat(only().getArguments()).extracting(NameValue::getName).containsExactly("start", "nodes");
    }

    @Test
    void shouldOrderAgainWhatExpiredButNotWhatWasRefused() {
        create("h", "n1");
        weir.answer(only(), CommandOutcome.EXPIRED, 11).iterate(11);
        assertThat(only().getKind()).isEqualTo(CommandKind.CREATE_RESERVATION);

        weir.answer(only(), CommandOutcome.REFUSED, 12).iterate(12);
        assertThat(weir.lastCommands()).isEmpty();
        assertThat(weir.lastNotifications()).extracting(Notification::getEvent).containsExactly("rsvnotmirrored");
    }

    @Test
    void shouldTellLongTermsApartByTheirLastCharacters() {
        weir.nodes(60, 4);
        create("h", "n[1-60]", "a", "user=ann");
        assertThat(only().getArguments()).contains(new NameValue("users", "ann"));
        weir.answer(only(), CommandOutcome.DONE, 11).iterate(11);
        assertThat(weir.lastCommands()).isEmpty();

        weir.request("m", RequestKind.MODIFY_RESERVATION, "ann.1", pairs("acl", "user=bob"))
                .iterate(20);

        assertThat(only().getKind()).isEqualTo(CommandKind.CREATE_RESERVATION);
        assertThat(only().getArguments()).contains(new NameValue("users", "bob"));
    }

    @Test
    void shouldEndTheCopyOfWhatIsOver() {
        create("h", "n1", "d", "0:01:00");
        weir.answer(only(), CommandOutcome.DONE, 11).iterate(11).iterate(69);
        assertThat(weir.lastCommands()).isEmpty();

        weir.iterate(70);

        assertThat(only().getKind()).isEqualTo(CommandKind.RELEASE_RESERVATION);
    }

    @Test
    void shouldBeTheSameAfterARebuild() {
        weir.rebuildingAlways();

        shouldOrderCopyChangeAndEnd();
    }

    private RmCommand only() {
        assertThat(weir.lastCommands()).hasSize(1);
        return weir.lastCommands().get(0);
    }

    private void create(String... arguments) {
        weir.request("c", RequestKind.CREATE_RESERVATION, "new", pairs(arguments))
                .iterate(10);
    }

    private static List<NameValue> pairs(String... words) {
        List<NameValue> pairs = new ArrayList<>();
        for (int i = 0; i < words.length; i += 2) {
            pairs.add(new NameValue(words[i], words[i + 1]));
        }
        return pairs;
    }
}
