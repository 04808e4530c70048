package io.weir.scheduler.core.nodeset;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.policy.nodeset.NodeSetAttribute;
import io.weir.scheduler.core.policy.nodeset.NodeSetPlus;
import io.weir.scheduler.core.policy.nodeset.NodeSetPolicy;
import io.weir.scheduler.core.policy.nodeset.NodeSetPriority;
import io.weir.scheduler.core.policy.nodeset.NodeSetRequest;
import io.weir.scheduler.core.policy.nodeset.NodeSetSettings;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SetTimingTest {
    private static final int MINUTE = 60;

    /** Earliest start by use of sets; none for never. */
    private final Map<SetUse, Long> starts = new EnumMap<>(SetUse.class);

    @Test
    void shouldStartWithoutSetsWhereThereAreNoRules() {
        starts.put(SetUse.NONE, 5L);

        assertThat(earliest(null)).isEqualTo(5);
    }

    @Test
    void shouldTakeASetOnlyWhenItDelaysNoMoreThanAccepted() {
        starts(0, 60, null);

        assertThat(earliest(rules(true, 0, NodeSetPlus.NONE))).isEqualTo(0);
        assertThat(earliest(rules(true, 59, NodeSetPlus.NONE))).isEqualTo(0);
        assertThat(earliest(rules(true, 60, NodeSetPlus.NONE))).isEqualTo(60);
        assertThat(earliest(rules(false, 0, NodeSetPlus.NONE))).isEqualTo(60);
    }

    @Test
    void shouldNeverStartWithoutAMandatorySet() {
        starts(0, null, null);

        assertThat(earliest(rules(true, 60, NodeSetPlus.NONE))).isEqualTo(0);
        assertThat(earliest(rules(false, 60, NodeSetPlus.NONE))).isNull();
    }

    @Test
    void shouldPreferOneSetThenAnEvenSpanWithinTheDelay() {
        starts(0, 20, 10);

        assertThat(earliest(rules(true, 20, NodeSetPlus.SPANEVENLY))).isEqualTo(20);
        assertThat(earliest(rules(true, 15, NodeSetPlus.SPANEVENLY))).isEqualTo(10);
        assertThat(earliest(rules(true, 5, NodeSetPlus.SPANEVENLY))).isEqualTo(0);
        assertThat(earliest(rules(true, 15, NodeSetPlus.NONE))).isEqualTo(0);
    }

    @Test
    void shouldTakeTheFirstOfSetAndSpanWhenSetsAreMandatory() {
        starts(0, 20, 10);
        assertThat(earliest(rules(false, 5, NodeSetPlus.SPANEVENLY))).isEqualTo(10);

        starts(0, 10, 20);
        assertThat(earliest(rules(false, 5, NodeSetPlus.SPANEVENLY))).isEqualTo(10);

        starts(0, null, 20);
        assertThat(earliest(rules(false, 5, NodeSetPlus.SPANEVENLY))).isEqualTo(20);
    }

    @Test
    void shouldWaitOrStartNowByTheSameRule() {
        starts(0, 20 * MINUTE, 0);
        assertThat(now(rules(true, 30 * MINUTE, NodeSetPlus.SPANEVENLY))).isNull();
        assertThat(now(rules(true, 10 * MINUTE, NodeSetPlus.SPANEVENLY))).isEqualTo(SetUse.EVEN_SPAN);
        assertThat(now(rules(true, 10 * MINUTE, NodeSetPlus.DELAY))).isEqualTo(SetUse.NONE);
        assertThat(now(rules(true, 30 * MINUTE, NodeSetPlus.DELAY))).isNull();
        assertThat(now(rules(false, 0, NodeSetPlus.NONE))).isNull();
        assertThat(now(null)).isEqualTo(SetUse.NONE);

        starts(0, 0, 0);
        assertThat(now(rules(true, 0, NodeSetPlus.NONE))).isEqualTo(SetUse.ONE_SET);

        starts(5, 5, 5);
        assertThat(now(rules(true, 0, NodeSetPlus.SPANEVENLY))).isNull();
    }

    private void starts(@Nullable Integer free, @Nullable Integer one, @Nullable Integer span) {
        put(SetUse.NONE, free);
        put(SetUse.ONE_SET, one);
        put(SetUse.EVEN_SPAN, span);
    }

    private void put(SetUse use, @Nullable Integer start) {
        if (start == null) {
            starts.remove(use);
        } else {
            starts.put(use, (long) start);
        }
    }

    private @Nullable Long earliest(@Nullable NodeSetRules rules) {
        return SetTiming.earliest(rules, false, 0, this::search, start -> start);
    }

    private @Nullable SetUse now(@Nullable NodeSetRules rules) {
        return SetTiming.now(
                rules,
                0,
                use -> Objects.equals(starts.get(use), 0L) ? use : null,
                (use, from, latest) -> search(use, from, latest) == null ? null : use);
    }

    private @Nullable Long search(SetUse use, long from, long latest) {
        Long start = starts.get(use);
        return start == null || Math.max(start, from) > latest ? null : Long.valueOf(Math.max(start, from));
    }

    private static NodeSetRules rules(boolean optional, long delay, NodeSetPlus plus) {
        return Objects.requireNonNull(NodeSetRules.of(
                new NodeSetSettings(
                        NodeSetPolicy.ONEOF,
                        NodeSetAttribute.FEATURE,
                        List.of(),
                        optional,
                        delay,
                        0,
                        NodeSetPriority.FIRSTFIT,
                        plus),
                null,
                NodeSetRequest.NOTHING));
    }
}
