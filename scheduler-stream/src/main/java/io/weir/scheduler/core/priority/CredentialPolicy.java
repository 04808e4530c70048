package io.weir.scheduler.core.priority;

import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.job.ClassConfig;
import io.weir.scheduler.core.policy.job.CredentialConfig;
import io.weir.scheduler.core.policy.job.FairshareTarget;
import io.weir.scheduler.core.policy.job.QosConfig;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the policy says about a credential: its own entry, and where that is silent the DEFAULT entry of its kind. */
public final class CredentialPolicy {
    private final SitePolicy policy;

    /** Looks credentials up in {@code policy}. */
    public CredentialPolicy(SitePolicy policy) {
        this.policy = policy;
    }

    /** Returns PRIORITY; 0 when not given. */
    long priority(CredentialKind kind, @Nullable String name) {
        Long priority = find(kind, name, QosConfig::priority, ClassConfig::priority, CredentialConfig::priority);
        return priority == null ? 0 : priority;
    }

    /** Returns FSTARGET; null when not given, or given as 0. */
    public @Nullable FairshareTarget target(CredentialKind kind, @Nullable String name) {
        FairshareTarget target = find(
                kind,
                name,
                QosConfig::fairshareTarget,
                ClassConfig::fairshareTarget,
                CredentialConfig::fairshareTarget);
        return target == null || target.percent() == 0 ? null : target;
    }

    /** Returns QDEF; null when not given. */
    @Nullable
    String qosDefault(CredentialKind kind, @Nullable String name) {
        return find(kind, name, qos -> null, ClassConfig::qosDefault, CredentialConfig::qosDefault);
    }

    /** Returns QLIST; null when not given. */
    @Nullable
    List<String> qosList(CredentialKind kind, @Nullable String name) {
        return find(
                kind,
                name,
                qos -> null,
                jobClass -> given(jobClass.qosList()),
                credential -> given(credential.qosList()));
    }

    /** Returns what the policy says of a quality of service. */
    QosConfig qos(@Nullable String name) {
        QosConfig own = name == null ? null : policy.qos().get(name);
        QosConfig rest = name == null ? null : policy.qos().get(SitePolicy.DEFAULT_OBJECT);
        return own != null ? own : rest != null ? rest : QosConfig.NONE;
    }

    private static @Nullable List<String> given(List<String> list) {
        return list.isEmpty() ? null : list;
    }

    private <T> @Nullable T find(
            CredentialKind kind,
            @Nullable String name,
            Function<QosConfig, @Nullable T> ofQos,
            Function<ClassConfig, @Nullable T> ofClass,
            Function<CredentialConfig, @Nullable T> ofOther) {
        if (name == null) {
            return null;
        }
        return switch (kind) {
            case USER -> find(policy.users(), name, ofOther);
            case GROUP -> find(policy.groups(), name, ofOther);
            case ACCOUNT -> find(policy.accounts(), name, ofOther);
            case QOS -> find(policy.qos(), name, ofQos);
            case CLASS -> find(policy.classes(), name, ofClass);
        };
    }

    private static <C, T> @Nullable T find(SortedMap<String, C> configs, String name, Function<C, @Nullable T> what) {
        C own = configs.get(name);
        T value = own == null ? null : what.apply(own);
        if (value == null) {
            C rest = configs.get(SitePolicy.DEFAULT_OBJECT);
            value = rest == null ? null : what.apply(rest);
        }
        return value;
    }
}
