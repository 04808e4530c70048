package io.weir.scheduler.recorded;

import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.core.state.EntityKind;
import io.weir.scheduler.state.DomainStatus;
import io.weir.scheduler.state.PolicyStatus;
import java.util.List;
import java.util.Objects;

/** A state as builds stored it that had no record of the policy's own, and as it was when the journals were recorded. */
public final class JoinedState {
    private JoinedState() {}

    /** Returns {@code state}, a whole one, with the policy in the record of the cluster. */
    public static List<Change> of(List<Change> state) {
        PolicyStatus policy = state.stream()
                .filter(change -> change.kind() == EntityKind.POLICY)
                .map(change -> (PolicyStatus) Objects.requireNonNull(change.value()))
                .findFirst()
                .orElseThrow();
        return state.stream()
                .filter(change -> change.kind() != EntityKind.POLICY)
                .map(change -> change.kind() == EntityKind.DOMAIN ? joined(change, policy) : change)
                .toList();
    }

    private static Change joined(Change domain, PolicyStatus policy) {
        DomainStatus status = DomainStatus.newBuilder((DomainStatus) Objects.requireNonNull(domain.value()))
                .setPolicyText(policy.getText())
                .setNextPolicyVersion(policy.getNextVersion())
                .setNextPolicyText(policy.getNextText())
                .build();
        return new Change(EntityKind.DOMAIN, domain.id(), status);
    }
}
