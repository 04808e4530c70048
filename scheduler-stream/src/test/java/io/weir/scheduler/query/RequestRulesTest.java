package io.weir.scheduler.query;

import static io.weir.scheduler.query.image.ImageFixture.job;
import static io.weir.scheduler.query.image.ImageFixture.reservation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.request.form.AccessLevel;
import io.weir.scheduler.core.request.form.NormalRequest;
import io.weir.scheduler.core.request.form.Principal;
import io.weir.scheduler.core.request.form.UnreadableRequestException;
import io.weir.scheduler.query.image.ImageFixture;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import io.weir.schemas.ReservationType;
import io.weir.service.http.HttpRefusal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestRulesTest {
    private final ImageFixture fixture = new ImageFixture();

    @BeforeEach
    void shouldHaveSomebodyAtEveryLevel() {
        fixture.policy("""
                ADMINCFG[1] USERS=root NAME=admins   # the chief
                ADMINCFG[2] USERS=olga,otto
                ADMINCFG[3] USERS=alba
                ADMINCFG[4] USERS=hans
                """);
        fixture.put(job("7", JobState.IDLE, 60).setUser("bob"));
    }

    @ParameterizedTest
    @CsvSource({
        "root, 1",
        "olga, 2",
        "otto, 2",
        "alba, 3",
        "hans, 4",
        "bob, user",
    })
    void shouldTakeLevelsFromTheConfiguration(String name, String level) {
        assertThat(rules().level(by(name)).label()).isEqualTo(level);
    }

    @Test
    void shouldPreferTheLevelOfTheToken() {
        assertThat(rules().level(new Principal("root", Optional.of(AccessLevel.USER))))
                .isEqualTo(AccessLevel.USER);
    }

    @Test
    void shouldGiveEveryoneALevelByAll() {
        fixture.policy("ADMINCFG[3] USERS=ALL\n");

        assertThat(rules().level(by("anyone"))).isEqualTo(AccessLevel.AUDITOR);
    }

    @ParameterizedTest
    @CsvSource({
        "CANCEL_JOB, 7, root olga hans bob, alba carl",
        "HOLD_JOB, 7, root olga hans bob, alba carl",
        "REQUEUE_JOB, 7, root olga bob, hans alba carl",
        "MODIFY_JOB, 7, root olga bob, hans alba carl",
        "SET_JOB_PRIORITY, 7, root olga, hans alba bob",
        "SUSPEND_JOB, 7, root olga, hans alba bob",
        "MODIFY_NODE, n1, root olga, hans alba bob",
        "CREATE_RESERVATION, -, root olga, hans alba bob",
        "RELEASE_RESERVATION, system.1, root olga, hans alba bob",
        "SIGNAL_JOB, 7, root olga bob, hans alba carl",
        "CONTROL_SCHEDULER, -, root, olga hans alba bob",
        "MODIFY_CONFIG, -, root, olga hans alba bob",
        "EXPLAIN_JOB, 7, root olga alba hans bob, carl",
        "SHOW_BACKFILL, -, root olga alba hans bob carl, ''",
        "SHOW_PRIORITY, -, root olga alba hans, bob",
        "SHOW_NODE, n1, root olga alba hans, bob",
        "SHOW_NODE_STATISTICS, ALL, root olga alba hans, bob",
        "SHOW_CREDENTIAL_STATISTICS, ALL, root olga alba hans, bob",
        "SHOW_TRIGGERS, ALL, root olga alba hans, bob",
        "SHOW_EVENTS, ALL, root olga alba hans, bob"
    })
    void shouldAllowByLevelAndOwnership(RequestKind kind, String object, String may, String mayNot) {
        for (String name : may.split(" ")) {
            assertThatCode(() -> rules().checkRequest(by(name), request(kind, object)))
                    .as("%s by %s", kind, name)
                    .doesNotThrowAnyException();
        }
        for (String name : mayNot.isEmpty() ? new String[0] : mayNot.split(" ")) {
            assertThatThrownBy(() -> rules().checkRequest(by(name), request(kind, object)))
                    .as("%s by %s", kind, name)
                    .isInstanceOf(HttpRefusal.class)
                    .hasMessageContaining("needs level")
                    .hasMessageContaining(name);
        }
    }

    @Test
    @Feature("CMD-5")
    void shouldLetUsersSeeTheirOwnStatistics() {
        RequestKind kind = RequestKind.SHOW_CREDENTIAL_STATISTICS;
        NormalRequest own = request(kind, "bob", new NameValue("kind", "user"));
        NormalRequest group = request(kind, "bob", new NameValue("kind", "group"));
        NormalRequest every = request(kind, "ALL", new NameValue("kind", "user"));

        assertThatCode(() -> rules().checkRequest(by("bob"), own)).doesNotThrowAnyException();
        for (NormalRequest others : List.of(group, every)) {
            assertThatThrownBy(() -> rules().checkRequest(by("bob"), others)).hasMessageContaining("needs level 4");
        }
        assertThatThrownBy(() -> rules().checkRequest(by("carl"), own)).hasMessageContaining("needs level 4");
    }

    @Test
    void shouldLetUsersSetUserHoldsOnly() {
        NormalRequest system = request(RequestKind.HOLD_JOB, "7", new NameValue("type", "system"));

        assertThatThrownBy(() -> rules().checkRequest(by("bob"), system)).hasMessageContaining("needs level 4");
        assertThatCode(() -> rules().checkRequest(by("hans"), system)).doesNotThrowAnyException();
    }

    @Test
    void shouldLetOperatorsLeaveMessagesButNotPause() {
        NormalRequest message = request(RequestKind.CONTROL_SCHEDULER, "-", new NameValue("action", "message"));
        NormalRequest pause = request(RequestKind.CONTROL_SCHEDULER, "-", new NameValue("action", "pause"));

        assertThatCode(() -> rules().checkRequest(by("olga"), message)).doesNotThrowAnyException();
        assertThatThrownBy(() -> rules().checkRequest(by("hans"), message)).hasMessageContaining("needs level 2");
        assertThatThrownBy(() -> rules().checkRequest(by("olga"), pause)).hasMessageContaining("needs level 1");
    }

    @Test
    void shouldLetAdministratorsOnlyPutAConfigurationInForce() {
        assertThatCode(() -> rules().checkPolicy(by("root"))).doesNotThrowAnyException();
        assertThatThrownBy(() -> rules().checkPolicy(by("olga"))).hasMessageContaining("needs level 1");
    }

    @Test
    void shouldKeepAccountableCredentialsToAdministrators() {
        NormalRequest request =
                request(RequestKind.CREATE_RESERVATION, "-", new NameValue("accountable", "aaccount=j"));

        assertThatThrownBy(() -> rules().checkRequest(by("olga"), request)).hasMessageContaining("needs level 1");
        assertThatCode(() -> rules().checkRequest(by("root"), request)).doesNotThrowAnyException();
    }

    @Test
    void shouldLetUsersReserveWhereTheConfigurationSays() {
        fixture.policy("RSVCTLPOLICY ANY\n");
        fixture.put(reservation("bob.1", ReservationType.ADMINISTRATIVE).setOwner("USER:bob"));

        assertThatCode(() -> rules().checkRequest(by("bob"), request(RequestKind.CREATE_RESERVATION, "-")))
                .doesNotThrowAnyException();
        assertThatCode(() -> rules().checkRequest(by("bob"), request(RequestKind.RELEASE_RESERVATION, "bob.1")))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> rules().checkRequest(by("carl"), request(RequestKind.RELEASE_RESERVATION, "bob.1")))
                .hasMessageContaining("needs level 2");
    }

    @Test
    void shouldShowUsersOnlyTheirOwnJobs() {
        assertThatCode(() -> rules().checkView(by("bob"), "jobs", "7")).doesNotThrowAnyException();
        assertThatCode(() -> rules().checkView(by("carl"), "queue", "")).doesNotThrowAnyException();
        assertThatThrownBy(() -> rules().checkView(by("carl"), "jobs", "7")).hasMessageContaining("needs level 4");
        assertThatThrownBy(() -> rules().checkView(by("carl"), "nodes", "")).hasMessageContaining("needs level 4");
        assertThatThrownBy(() -> rules().checkView(by("hans"), "policy", "")).hasMessageContaining("needs level 3");
        assertThat(rules().seesOwnOnly(by("carl"))).isTrue();
        assertThat(rules().seesOwnOnly(by("hans"))).isFalse();
    }

    private RequestRules rules() {
        return new RequestRules(fixture.image, "kth");
    }

    private static Principal by(String name) {
        return new Principal(name, Optional.empty());
    }

    private static NormalRequest request(RequestKind kind, String object, NameValue... arguments) {
        try {
            return NormalRequest.of(kind, object, List.of(arguments));
        } catch (UnreadableRequestException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
