package io.weir.scheduler.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RejectionsTest {
    private final Rejections rejections = new Rejections();

    @Test
    void shouldCountNodesByReason() {
        rejections.consider(10);
        rejections.consider(2);
        rejections.reject(RejectionReason.MEMORY, 2);
        rejections.reject(RejectionReason.CPU, 3);
        rejections.reject(RejectionReason.MEMORY, 1);
        rejections.reject(RejectionReason.DISK, 0);

        assertThat(rejections.considered()).isEqualTo(12);
        assertThat(rejections.count(RejectionReason.MEMORY)).isEqualTo(3);
        assertThat(rejections.count(RejectionReason.DISK)).isZero();
        assertThat(rejections.left()).isEqualTo(6);
        assertThat(rejections).hasToString("12 nodes: CPU 3, Memory 3, 6 left");
    }

    @Test
    void shouldSayThatAllAreLeftWhenNoneIsRejected() {
        rejections.consider(2);

        assertThat(rejections.count(RejectionReason.CPU)).isZero();
        assertThat(rejections).hasToString("2 nodes: 2 left");
    }

    @Test
    void shouldTakeOverTheCountsOfAnother() {
        rejections.consider(1);
        rejections.reject(RejectionReason.CLASS, 1);
        Rejections other = new Rejections();
        other.consider(5);
        other.reject(RejectionReason.SET, 2);

        rejections.copy(other);
        assertThat(rejections).hasToString("5 nodes: Set 2, 3 left");
    }

    @Test
    void shouldNameTheReasonThatMattersMost() {
        assertThat(rejections.most(null)).isEqualTo(RejectionReason.CPU);
        rejections.limit(RejectionReason.POLICY, false);
        rejections.limit(RejectionReason.POLICY, false);
        assertThat(rejections.most(null)).isEqualTo(RejectionReason.POLICY);
        rejections.limit(RejectionReason.MEMORY, true);
        assertThat(rejections.most(null)).isEqualTo(RejectionReason.MEMORY);
        rejections.reject(RejectionReason.STATE, 2);
        assertThat(rejections.most(null)).isEqualTo(RejectionReason.STATE);
        rejections.limit(RejectionReason.MEMORY, true);
        rejections.reject(RejectionReason.MEMORY, 1);
        assertThat(rejections.most(null)).isEqualTo(RejectionReason.MEMORY);

        Rejections without = new Rejections();
        without.reject(RejectionReason.MEMORY, 1);
        without.reject(RejectionReason.STATE, 1);
        assertThat(rejections.most(without)).isEqualTo(RejectionReason.MEMORY);
        Rejections copy = new Rejections();
        copy.copy(rejections);
        assertThat(copy.most(without)).isEqualTo(RejectionReason.MEMORY);
    }
}
