package io.weir.scheduler.core.nodeset;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.policy.nodeset.NodeSetAttribute;
import io.weir.scheduler.core.policy.nodeset.NodeSetPlus;
import io.weir.scheduler.core.policy.nodeset.NodeSetPolicy;
import io.weir.scheduler.core.policy.nodeset.NodeSetPriority;
import io.weir.scheduler.core.policy.nodeset.NodeSetRequest;
import io.weir.scheduler.core.policy.nodeset.NodeSetSettings;
import io.weir.scheduler.core.policy.nodeset.NodeSetSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeSetRulesTest {
    private static final NodeSetSpec CLASS_SPEC =
            new NodeSetSpec(NodeSetPolicy.ONEOF, NodeSetAttribute.FEATURE, List.of("ATHLON", "OPTERON"));
    private static final NodeSetSpec JOB_SPEC =
            new NodeSetSpec(NodeSetPolicy.FIRSTOF, NodeSetAttribute.PROCSPEED, List.of());

    @Test
    void shouldTakeTheWholeSpecificationOfTheStrongestSource() {
        NodeSetRules bySite = NodeSetRules.of(site(true), null, NodeSetRequest.NOTHING);
        NodeSetRules byClass = NodeSetRules.of(site(true), CLASS_SPEC, NodeSetRequest.NOTHING);
        NodeSetRules byJob = NodeSetRules.of(site(true), CLASS_SPEC, own(JOB_SPEC, false));

        assertThat(bySite).isNotNull();
        assertThat(bySite.text()).isEqualTo("ANYOF:FEATURE:a,b");
        assertThat(bySite.sources().spec()).isEqualTo(RuleSource.SITE);
        assertThat(byClass).isNotNull();
        assertThat(byClass.text()).isEqualTo("ONEOF:FEATURE:ATHLON,OPTERON");
        assertThat(byClass.sources().spec()).isEqualTo(RuleSource.CLASS);
        assertThat(byJob).isNotNull();
        assertThat(byJob.text()).isEqualTo("FIRSTOF:PROCSPEED");
        assertThat(byJob.sources().spec()).isEqualTo(RuleSource.JOB);
    }

    @Test
    void shouldLookUpTheOtherPartsOneByOne() {
        NodeSetRequest own =
                new NodeSetRequest(JOB_SPEC, false, false, null, NodeSetPriority.WORSTFIT, NodeSetPlus.SPANEVENLY, 7L);
        NodeSetRules rules = NodeSetRules.of(site(true), null, own);

        assertThat(rules).isNotNull();
        assertThat(rules.optional()).isFalse();
        assertThat(rules.tolerance()).isEqualTo(0.5);
        assertThat(rules.priority()).isEqualTo(NodeSetPriority.WORSTFIT);
        assertThat(rules.plus()).isEqualTo(NodeSetPlus.SPANEVENLY);
        assertThat(rules.delaySeconds()).isEqualTo(7);
        assertThat(rules.sources())
                .isEqualTo(new NodeSetRules.Sources(
                        RuleSource.JOB,
                        RuleSource.JOB,
                        RuleSource.JOB,
                        RuleSource.SITE,
                        RuleSource.JOB,
                        RuleSource.JOB));
    }

    @Test
    void shouldIgnoreAToleranceOfOtherAttributes() {
        NodeSetRules rules = NodeSetRules.of(site(true), null, NodeSetRequest.NOTHING);

        assertThat(rules).isNotNull();
        assertThat(rules.tolerance()).isZero();
    }

    @Test
    void shouldLetAJobDoWithoutSetsOnlyWhereSetsAreOptional() {
        assertThat(NodeSetRules.of(site(true), CLASS_SPEC, own(null, true))).isNull();
        assertThat(NodeSetRules.of(site(false), CLASS_SPEC, own(null, true))).isNotNull();
    }

    @Test
    void shouldTurnSetsOffWithoutPolicyOrAttribute() {
        assertThat(NodeSetRules.of(NodeSetSettings.DEFAULT, null, NodeSetRequest.NOTHING))
                .isNull();
    }

    private static NodeSetRequest own(@org.jspecify.annotations.Nullable NodeSetSpec spec, boolean none) {
        return new NodeSetRequest(spec, none, null, null, null, null, null);
    }

    private static NodeSetSettings site(boolean optional) {
        return new NodeSetSettings(
                NodeSetPolicy.ANYOF,
                NodeSetAttribute.FEATURE,
                List.of("a", "b"),
                optional,
                60,
                0.5,
                NodeSetPriority.MINLOSS,
                NodeSetPlus.NONE);
    }
}
