package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.CommandKind;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What owners of jobs and of reservations may not do, whatever they send past the API: ann is nobody's administrator. */
class UsersPowersTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture().nodes(3, 1);

    private int requests;

    @Test
    void shouldNotReadAnotherTypeOfHoldThanWasAuthorised() {
        weir.submit("j", 1, HOUR)
                .request("h", RequestKind.HOLD_JOB, "j", List.of(new NameValue("type", "system")))
                .iterate(0);

        assertThat(ask(RequestKind.RELEASE_JOB, "j", "Type", "all")).contains("needs level 4");
        assertThat(ask(RequestKind.RELEASE_JOB, "j", "type", "user", "Type", "all"))
                .contains("more than once");
        assertThat(ask(RequestKind.RELEASE_JOB, "j", "Type", "all", "type", "user"))
                .contains("more than once");
        assertThat(weir.job("j").getHolds()).containsExactly("SYSTEM");
    }

    @Test
    void shouldAskTheResourceManagerForTheOwnersReleaseOnly() {
        weir.submit("j", 1, HOUR).report("j", JobState.HOLD, Long.MAX_VALUE).iterate(0);

        assertThat(ask(RequestKind.RELEASE_JOB, "j")).isEqualTo("released");
        assertThat(weir.lastCommands()).singleElement().satisfies(command -> {
            assertThat(command.getKind()).isEqualTo(CommandKind.RELEASE_JOB);
            assertThat(command.getArguments()).containsExactly(new NameValue("type", "user"));
        });
    }

    @Test
    void shouldNotLengthenOwnJobs() {
        weir.submit("r", 1, HOUR).iterate(0).submit("w", 3, HOUR).iterate(1);

        for (String longer : List.of("+0:01", "1:00:01", "2:00:00")) {
            assertThat(ask(RequestKind.MODIFY_JOB, "r", "wclimit", longer)).contains("needs level 2");
            assertThat(ask(RequestKind.MODIFY_JOB, "r", "WallTime", longer)).contains("needs level 2");
            assertThat(ask(RequestKind.MODIFY_JOB, "w", "wclimit", longer)).contains("needs level 2");
        }
        assertThat(weir.lastCommands()).isEmpty();
        assertThat(ask(RequestKind.MODIFY_JOB, "r", "wclimit", "-0:10:00")).contains("3000 s");
        assertThat(weir.lastCommands()).hasSize(1);
    }

    @Test
    void shouldNotTakeNodesPastTheQueue() {
        weir.submit("r", 1, HOUR).iterate(0);

        assertThat(ask(RequestKind.MODIFY_JOB, "r", "hostlist", "+n2")).contains("needs level 2");
        assertThat(ask(RequestKind.MODIFY_JOB, "r", "nodelist", "+n2")).contains("needs level 2");
        assertThat(ask(RequestKind.MODIFY_JOB, "r", "qos", "high")).contains("needs level 2");
        assertThat(ask(RequestKind.SET_JOB_PRIORITY, "r", "priority", "-1")).contains("needs level 2");
        assertThat(ask(RequestKind.MODIFY_JOB, "r", "gevent", "nodedown:'n1'")).contains("needs level 2");
        assertThat(ask(RequestKind.MODIFY_JOB, "r", "nodesetdelay", "0")).contains("needs level 2");
        assertThat(weir.lastCommands()).isEmpty();
        assertThat(weir.lastNotifications()).isEmpty();
    }

    @Test
    void shouldTellNamesApartByLetterCase() {
        weir.submit("j", 1, HOUR, job -> job.setUser("Ann").setState(JobState.HOLD))
                .iterate(0);

        assertThat(ask(RequestKind.CANCEL_JOB, "j")).contains("needs level 4");
        weir.policy("ADMINCFG[1] USERS=ANN,Ann").iterate(1);
        assertThat(ask(RequestKind.MODIFY_CONFIG, "-", "setting", "RESERVATIONDEPTH 2"))
                .contains("needs level 1");
    }

    @Test
    void shouldNotPassAnIdForAnother() {
        weir.submit("7", 1, HOUR, job -> job.setUser("eve").setState(JobState.HOLD))
                .iterate(0);

        for (String id : List.of("kth/7", "07", "7 ", " 7", "7.0", "ALL", "*")) {
            ask(RequestKind.CANCEL_JOB, id);
            assertThat(weir.lastAnswers().get(0).getOutcome()).as(id).isEqualTo(RequestOutcome.REFUSED);
        }
        assertThat(weir.lastCommands()).isEmpty();
    }

    @Test
    void shouldNotGrantALevelByAnArgument() {
        assertThat(ask(RequestKind.CREATE_RESERVATION, "-", "h", "n1", "level", "1"))
                .contains("unknown argument 'level'");
        assertThat(ask(RequestKind.CREATE_RESERVATION, "-", "h", "n1")).contains("needs level 2");
        assertThat(weir.publishedReservations).isEmpty();
    }

    @Test
    void shouldTakeAwayWhatThePolicyInForceNoLongerGives() {
        weir.policy("ADMINCFG[2] USERS=ann").iterate(0);
        assertThat(ask(RequestKind.CREATE_RESERVATION, "-", "h", "n1")).contains("created");

        weir.policy("ADMINCFG[2] USERS=eve");
        assertThat(ask(RequestKind.CREATE_RESERVATION, "-", "h", "n2")).contains("needs level 2");
    }

    @Test
    void shouldKeepUsersReservationsBehindWhatIsThere() {
        weir.policy("RSVCTLPOLICY ANY\nRSVPROFILE[big] TASKCOUNT=3").iterate(0);

        for (String flag : List.of("IGNRSV", "ignjobrsv", "byname,ignstate", "+=FORCE", "byname;FORCE")) {
            assertThat(ask(RequestKind.CREATE_RESERVATION, "-", "h", "n1", "F", flag))
                    .contains("needs level 2");
        }
        for (String term : List.of("owner", "profile", "priority", "subtype", "trigger")) {
            assertThat(ask(RequestKind.CREATE_RESERVATION, "-", "h", "n1", term, "1"))
                    .contains("with " + term);
        }
        assertThat(ask(RequestKind.CREATE_RESERVATION, "-", "h", "n1", "S", "aaccount=x"))
                .contains("needs level 1");
        assertThat(ask(RequestKind.CREATE_RESERVATION, "-", "h", "n1", "F", "byname"))
                .contains("created");
    }

    @Test
    void shouldReleaseOwnReservationsByTheirIdOnly() {
        weir.policy("RSVCTLPOLICY ANY").iterate(0);
        ask(RequestKind.CREATE_RESERVATION, "-", "h", "n1");
        weir.request("r", RequestKind.CREATE_RESERVATION, "-", List.of(new NameValue("h", "n2")))
                .iterate(1);
        assertThat(weir.publishedReservations).containsKeys("ann.1", "system.2");

        for (String id : List.of("ALL", ".*", "system.2", "ANN.1", "ann..")) {
            assertThat(ask(RequestKind.RELEASE_RESERVATION, id)).as(id).contains("needs level 2");
        }
        assertThat(ask(RequestKind.RELEASE_RESERVATION, "ann.1", "group", "x")).contains("needs level 2");
        assertThat(ask(RequestKind.MODIFY_RESERVATION, "ann.1", "owner", "USER:eve"))
                .contains("needs level 2");
        assertThat(ask(RequestKind.RELEASE_RESERVATION, "ann.1")).contains("released");
        assertThat(weir.publishedReservations).containsOnlyKeys("system.2");
    }

    /** A class may open reservations and raise the priority: what the resource manager says of it counts. */
    @Test
    void shouldNotChooseAnotherClassByAnExtension() {
        weir.submit("j", 1, HOUR, job -> job.setJobClass("batch").setExtension("class=urgent"))
                .submit("k", 1, HOUR, job -> job.setExtension("class=urgent"))
                .iterate(0);

        assertThat(weir.job("j").getJobClass()).isEqualTo("batch");
        assertThat(weir.job("k").getJobClass()).isEqualTo("urgent");
    }

    @Test
    void shouldNotUseAQosOfOthers() {
        weir.policy("USERCFG[ann] QLIST=low QDEF=low\nUSERCFG[eve] QLIST=high\nQOSCFG[high] PRIORITY=1000")
                .submit("j", 4, HOUR, job -> job.setExtension("qos=high"))
                .iterate(0);
        assertThat(weir.job("j").getEffectiveQos()).isEqualTo("low");

        assertThat(ask(RequestKind.MODIFY_JOB, "j", "qos", "high")).contains("may not use QOS high");
        assertThat(ask(RequestKind.MODIFY_JOB, "j", "account", "physics")).contains("unknown argument 'account'");
        assertThat(weir.job("j").getEffectiveQos()).isEqualTo("low");
    }

    @Test
    void shouldSayThatNothingIsConfiguredForAQos() {
        weir.policy("QOSCFG[high] PRIORITY=1000").submit("j", 4, HOUR).iterate(0);

        assertThat(ask(RequestKind.MODIFY_JOB, "j", "qos", "hihg"))
                .endsWith("QOS hihg, of which no QOSCFG says anything");
        assertThat(ask(RequestKind.MODIFY_JOB, "j", "qos", "high")).endsWith("QOS high");
    }

    /** Asks in the name of ann and returns the answer's message. */
    private String ask(RequestKind kind, String object, String... arguments) {
        NameValue[] pairs = new NameValue[arguments.length / 2];
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] = new NameValue(arguments[2 * i], arguments[2 * i + 1]);
        }
        weir.requestBy("ann", "u" + requests++, kind, object, pairs).iterate(10 + requests);
        List<RequestResult> answers = weir.lastAnswers();
        assertThat(answers).hasSize(1);
        return String.valueOf(answers.get(0).getMessage());
    }
}
