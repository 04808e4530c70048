package io.weir.scheduler.core.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.policy.reservation.ReservedTasksPerNode;
import io.weir.scheduler.core.reservation.acl.AccessControlList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TermsEditTest {
    private static final AccessControlList ACL =
            AccessControlList.read("USER==ann").list();

    private final TermsEdit edit = new TermsEdit()
            .label("label")
            .owner("USER:ann")
            .group("group")
            .subtype("subtype")
            .acl(ACL)
            .hosts("n.")
            .tasks(3)
            .task(TaskResources.ofProcs(2))
            .tasksPerNode(new ReservedTasksPerNode(1, false))
            .features(List.of("fast", "big"))
            .partition("p")
            .flags(List.of("TIMEFLEX", "BYNAME"))
            .priority(4)
            .profile("profile")
            .standing("standing")
            .comment("comment");

    @Test
    void shouldPutTermsTogether() {
        edit.variables().put("v", "1");
        edit.accountable().put("ACCT", "a");
        ReservationTerms terms = edit.done();

        assertThat(terms.label()).isEqualTo("label");
        assertThat(terms.owner()).isEqualTo("USER:ann");
        assertThat(terms.group()).isEqualTo("group");
        assertThat(terms.subtype()).isEqualTo("subtype");
        assertThat(terms.acl()).isEqualTo(ACL);
        assertThat(terms.hostExpression()).isEqualTo("n.");
        assertThat(terms.taskCount()).isEqualTo(3);
        assertThat(terms.task()).isEqualTo(TaskResources.ofProcs(2));
        assertThat(terms.tasksPerNode()).isEqualTo(new ReservedTasksPerNode(1, false));
        assertThat(terms.partition()).isEqualTo("p");
        assertThat(terms.priority()).isEqualTo(4);
        assertThat(terms.profile()).isEqualTo("profile");
        assertThat(terms.standing()).isEqualTo("standing");
        assertThat(terms.comment()).isEqualTo("comment");
        assertThat(terms.variables()).containsEntry("v", "1");
        assertThat(terms.accountable()).containsEntry("ACCT", "a");
    }

    @Test
    void shouldSortFeaturesAndFlagsAndKeepNoneTwice() {
        ReservationTerms terms = edit.features(List.of("fast", "big", "fast"))
                .flags(List.of("TIMEFLEX", "BYNAME", "TIMEFLEX"))
                .done();

        assertThat(terms.features()).containsExactly("big", "fast");
        assertThat(terms.flags()).containsExactly("BYNAME", "TIMEFLEX");
    }

    @Test
    void shouldShowItsFlagsAndAccessListAsTheyStand() {
        assertThat(edit.acl()).isEqualTo(ACL);
        assertThat(edit.flags()).containsExactly("TIMEFLEX", "BYNAME");
        assertThat(edit.done().has(ReservationFlag.BYNAME)).isTrue();
        assertThat(edit.done().has(ReservationFlag.FORCE)).isFalse();
    }

    @Test
    void shouldGoOnFromTermsWithoutChangingThem() {
        edit.variables().put("v", "1");
        edit.accountable().put("ACCT", "a");
        ReservationTerms terms = edit.done();

        assertThat(terms.edit().done()).isEqualTo(terms);
        TermsEdit next = terms.edit().label("other");
        next.variables().put("w", "2");
        assertThat(next.done().label()).isEqualTo("other");
        assertThat(terms.label()).isEqualTo("label");
        assertThat(terms.variables()).containsOnlyKeys("v");
    }

    @Test
    void shouldKeepTermsAsTheyWereMade() {
        ReservationTerms terms = edit.done();
        edit.variables().put("v", "1");
        edit.accountable().put("ACCT", "a");

        assertThat(terms.variables()).isEmpty();
        assertThat(terms.accountable()).isEmpty();
        assertThatThrownBy(() -> terms.variables().put("v", "1")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> terms.accountable().put("v", "1")).isInstanceOf(UnsupportedOperationException.class);
    }

    /** Each entry of the access list counts 12 characters besides its value. */
    @Test
    void shouldCountTheCharactersOfItsLists() {
        assertThat(new TermsEdit().characters()).isZero();
        assertThat(new TermsEdit().acl(ACL).characters()).isEqualTo(15);
        assertThat(new TermsEdit().features(List.of("big", "fast")).characters())
                .isEqualTo(7);

        TermsEdit variables = new TermsEdit();
        variables.variables().put("ab", "cde");
        variables.variables().put("x", "");
        assertThat(variables.characters()).isEqualTo(6);

        TermsEdit accountable = new TermsEdit();
        accountable.accountable().put("ACCT", "it");
        accountable.accountable().put("USER", "ann");
        assertThat(accountable.characters()).isEqualTo(13);
    }
}
