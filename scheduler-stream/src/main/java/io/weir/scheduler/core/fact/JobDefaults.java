package io.weir.scheduler.core.fact;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobCredentials;
import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.job.CredentialConfig;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.JobReport;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a job gets that its report does not name: account, class and time limit. It has that when it is first seen, and
 * keeps it.
 */
final class JobDefaults {
    private final ClusterState state;

    JobDefaults(ClusterState state) {
        this.state = state;
    }

    /** Returns {@code request}, which {@code report} is, with what it leaves out; {@code known} is null for a new job. */
    JobRequest completed(JobReport report, JobRequest request, @Nullable Job known) {
        return limited(report, credited(request, known), known);
    }

    /** An account and a class are those that the credentials default to. */
    private JobRequest credited(JobRequest request, @Nullable Job known) {
        JobCredentials said = request.credentials();
        if (said.account() != null && said.jobClass() != null) {
            return request;
        }
        JobCredentials before = known == null ? null : known.request().credentials();
        SitePolicy policy = state.domain.policy;
        CredentialConfig user = policy.user(said.user());
        CredentialConfig group = policy.group(said.group());
        String account = said.account();
        if (account == null) {
            account = first(before == null ? null : before.account(), user.accountDefault(), group.accountDefault());
        }
        String jobClass = said.jobClass();
        if (jobClass == null) {
            jobClass = first(
                    before == null ? null : before.jobClass(),
                    user.classDefault(),
                    group.classDefault(),
                    policy.account(account).classDefault());
        }
        return Objects.equals(account, said.account()) && Objects.equals(jobClass, said.jobClass())
                ? request
                : request.withLabels(
                        new JobCredentials(said.name(), said.user(), said.group(), account, jobClass, said.qos()));
    }

    /** Returns the first name that is given, of a list its first. */
    private static @Nullable String first(@Nullable String... names) {
        for (String name : names) {
            if (name != null && !name.isEmpty()) {
                int comma = name.indexOf(',');
                return comma < 0 ? name : name.substring(0, comma);
            }
        }
        return null;
    }

    /** A time limit is that of the class. */
    private JobRequest limited(JobReport report, JobRequest request, @Nullable Job known) {
        if (report.getWalltimeSeconds() != null || request.extension().size().walltimeSeconds() != null) {
            return request;
        }
        if (known != null) {
            return request.withWalltime(known.request().walltimeSeconds());
        }
        Long ofClass =
                state.domain.policy.jobClass(request.credentials().jobClass()).defaultWalltimeSeconds();
        return ofClass == null ? request : request.withWalltime(Math.max(1, ofClass));
    }
}
