package io.weir.scheduler.core.reservation.acl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessControlListTest {
    private static final long HOUR = 3600;

    /** ACL1: names give access, the required limit holds for everybody. */
    @Test
    void ACL1() {
        AccessControlList list = list("USER==Joe:Bob,GROUP-=Bad,ACCT+=Good,DURATION<=*1:00:00");

        assertThat(list.decide(user("Joe", HOUR / 2)).allowed()).isTrue();
        assertThat(list.decide(user("Joe", 2 * HOUR)).allowed()).isFalse();
        assertThat(list.decide(subject("ann", null, "Good", null, HOUR)).allowed())
                .isTrue();
        assertThat(list.decide(user("ann", HOUR / 2)).allowed()).isFalse();
        assertThat(list.decide(subject("ann", "Bad", null, null, HOUR)).allowed())
                .isFalse();
    }

    /** ACL2: the entry that lets a job in says how much it likes it there. */
    @Test
    void ACL2() {
        AccessControlList list = list("USER==john+,CLASS==batch-");

        assertThat(list.decide(user("john", HOUR))).isEqualTo(new AccessDecision(true, Affinity.POSITIVE, false));
        assertThat(list.decide(subject("ann", null, null, "batch", HOUR)))
                .isEqualTo(new AccessDecision(true, Affinity.NEGATIVE, false));
        assertThat(list.decide(subject("john", null, null, "batch", HOUR)).affinity())
                .isEqualTo(Affinity.NEGATIVE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    USER==&!Joe&                 | USER==!Joe
                    USER==Joe&!                  | USER==&Joe+
                    USER==!Joe&                  | USER==!Joe
                    user=john                    | USER==john+
                    USER==-Joe+                  | USER==Joe-
                    USER===Joe                   | USER==Joe=
                    account==a                   | ACCT==a+
                    USER==a:b-:^c                | USER==a+,USER==b-,USER==^c+
                    USER!=ann                    | USER!=ann+
                    DURATION=90                  | DURATION<=0:01:30+
                    DURATION<=*1:00:00           | DURATION<=*1:00:00
                    DURATION>=1:02:03:04-        | DURATION>=1:02:03:04-
                    DURATION+=2:00:00            | DURATION<=2:00:00+
                    PROC<8,PS==3600              | PROC<8+,PS==3600+
                    QOS==~high                   | QOS==~high+
                    JATTR==*gpu                  | JATTR==*gpu
                    USER=john,user=steve         | USER==john+,USER==steve+
                    USER=john,USER=john-         | USER==john-
                    """)
    void shouldPrintWhatItReadAndReadThatAgain(String text, String canonical) {
        AccessControlList list = list(text);

        assertThat(list).hasToString(canonical);
        assertThat(AccessControlList.of(list.canonical())).isEqualTo(list);
        assertThat(list(canonical)).isEqualTo(list);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    WHO==x          | 'WHO==x' is not TYPE==VALUE
                    Bob             | 'Bob' is not TYPE==VALUE
                    USER<=bob       | USER is a name and compares with == or != only
                    USER==&         | USER has no value
                    DURATION<=soon  | 'soon' is not a time for DURATION
                    PROC==many      | 'many' is not a number for PROC
                    """)
    void shouldSayWhatItCannotRead(String text, String problem) {
        AccessControlList.Reading reading = AccessControlList.read(text + ",GROUP==g");

        assertThat(reading.problems()).singleElement().asString().contains(problem);
        assertThat(reading.list()).hasToString("GROUP==g+");
    }

    @Test
    void shouldReplaceAddAndRemoveByType() {
        AccessControlList list = list("USER==a:b,GROUP==g,PROC<=4");

        assertThat(list.modified("USER==c,USER==d").list()).hasToString("GROUP==g+,PROC<=4+,USER==c+,USER==d+");
        assertThat(list.modified("USER+=c-").list()).hasToString("USER==a+,USER==b+,GROUP==g+,PROC<=4+,USER==c-");
        assertThat(list.modified("USER-=a,PROC-=4").list()).hasToString("USER==b+,GROUP==g+");
        assertThat(list.modified("USER+=a-").list()).hasToString("USER==b+,GROUP==g+,PROC<=4+,USER==a-");
    }

    @Test
    void shouldLetNobodyIntoAnEmptyList() {
        assertThat(AccessControlList.EMPTY.decide(user("root", 1))).isEqualTo(AccessDecision.DENIED);
    }

    @Test
    void shouldDenyWhateverElseMatches() {
        AccessControlList list = list("GROUP==staff,USER==!joe");

        assertThat(list.decide(subject("ann", "staff", null, null, HOUR)).allowed())
                .isTrue();
        assertThat(list.decide(subject("joe", "staff", null, null, HOUR)).allowed())
                .isFalse();
        assertThat(list("USER==!joe").decide(user("ann", HOUR)).allowed()).isTrue();
    }

    @Test
    void shouldAskForEveryRequiredEntryAndOneOfTheOthers() {
        AccessControlList required = list("CLASS==*batch,DURATION<=*1:00:00");
        assertThat(required.decide(subject("ann", null, null, "batch", HOUR)).allowed())
                .isTrue();
        assertThat(required.decide(subject("ann", null, null, "long", HOUR)).allowed())
                .isFalse();

        AccessControlList both = list("CLASS==*batch,USER==joe");
        assertThat(both.decide(subject("ann", null, null, "batch", HOUR)).allowed())
                .isFalse();
        assertThat(both.decide(subject("joe", null, null, "batch", HOUR)).allowed())
                .isTrue();
        assertThat(both.decide(subject("joe", null, null, "long", HOUR)).allowed())
                .isFalse();
    }

    @Test
    void shouldLetInEverybodyButTheOnesListed() {
        AccessControlList list = list("USER==^ann:^bob");

        assertThat(list.decide(user("carl", HOUR)).allowed()).isTrue();
        assertThat(list.decide(user("ann", HOUR)).allowed()).isFalse();
        assertThat(list.decide(user("bob", HOUR)).allowed()).isFalse();
        assertThat(list.decide(user(null, HOUR)).allowed()).isFalse();
    }

    @Test
    void shouldLockInWhoMatches() {
        AccessControlList list = list("USER==&joe,GROUP==staff");

        assertThat(list.decide(user("joe", HOUR)).locked()).isTrue();
        assertThat(list.decide(subject("ann", "staff", null, null, HOUR)))
                .isEqualTo(new AccessDecision(true, Affinity.POSITIVE, false));
    }

    @Test
    void shouldCountHardEntriesInTheLastPassOnly() {
        AccessControlList list = list("USER==~joe");

        assertThat(list.decide(user("joe", HOUR), false).allowed()).isFalse();
        assertThat(list.decide(user("joe", HOUR), true).allowed()).isTrue();
    }

    @Test
    void shouldCompareAmounts() {
        AclSubject job = new AclSubject("ann", null, null, null, null, "17", List.of("maint.1"), List.of("GPU"), 60, 4);

        assertThat(list("PROC<4").decide(job).allowed()).isFalse();
        assertThat(list("PROC<=4").decide(job).allowed()).isTrue();
        assertThat(list("PROC>4").decide(job).allowed()).isFalse();
        assertThat(list("PROC>=4").decide(job).allowed()).isTrue();
        assertThat(list("PROC!=4").decide(job).allowed()).isFalse();
        assertThat(list("PS==240").decide(job).allowed()).isTrue();
        assertThat(list("PS<=239").decide(job).allowed()).isFalse();
        assertThat(list("RSV==maint.1").decide(job).allowed()).isTrue();
        assertThat(list("JATTR==gpu").decide(job).allowed()).isTrue();
        assertThat(list("JOB==17=").decide(job)).isEqualTo(new AccessDecision(true, Affinity.NEUTRAL, false));
    }

    private static AccessControlList list(String text) {
        AccessControlList.Reading reading = AccessControlList.read(text);
        assertThat(reading.problems()).isEmpty();
        return reading.list();
    }

    private static AclSubject user(@Nullable String user, long duration) {
        return subject(user, null, null, null, duration);
    }

    private static AclSubject subject(
            @Nullable String user,
            @Nullable String group,
            @Nullable String account,
            @Nullable String jobClass,
            long duration) {
        return new AclSubject(user, group, account, jobClass, null, "1", List.of(), List.of(), duration, 1);
    }
}
