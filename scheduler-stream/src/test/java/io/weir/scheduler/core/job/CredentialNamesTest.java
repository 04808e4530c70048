package io.weir.scheduler.core.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.NodeAllocation;
import org.junit.jupiter.api.Test;

class CredentialNamesTest {
    private final JobTable jobs = new JobTable();
    private final CredentialNames names = jobs.credentials();

    @Test
    void shouldHaveTheCredentialsOfEveryJobThatThereIs() {
        jobs.put(TestJob.waiting(
                "1", report -> report.setGroup("g").setAccount("a").setQos("q").setJobClass("c")));
        jobs.put(TestJob.waiting("2", report -> report.setUser("bob").setGroup("g")));
        assertThat(names.users()).containsExactly("ann", "bob");
        assertThat(names.groups()).containsExactly("g");
        assertThat(names.accounts()).containsExactly("a");
        assertThat(names.qos()).containsExactly("q");
        assertThat(names.classes()).containsExactly("c");

        jobs.remove("1");
        assertThat(names.users()).containsExactly("bob");
        assertThat(names.groups()).containsExactly("g");
        assertThat(names.accounts()).isEmpty();
        assertThat(names.qos()).isEmpty();
        assertThat(names.classes()).isEmpty();
    }

    @Test
    void shouldFollowTheVersionsOfAJob() {
        jobs.put(TestJob.waiting("1", report -> report.setAccount("a")));
        jobs.put(TestJob.waiting("1", report -> report.setAccount("b")));
        jobs.put(TestJob.running("1", 0, report -> report.setAccount("b"), new NodeAllocation("n1", 1)));
        assertThat(names.accounts()).containsExactly("b");
        assertThat(names.users()).containsExactly("ann");

        jobs.remove("1");
        assertThat(names.accounts()).isEmpty();
        assertThat(names.users()).isEmpty();
    }

    @Test
    void shouldFollowMoreChangesThanThereAreJobs() {
        jobs.put(TestJob.waiting("1", report -> report.setAccount("a")));
        assertThat(names.accounts()).containsExactly("a");
        for (int i = 0; i < 3000; i++) {
            String account = "b" + i;
            jobs.put(TestJob.waiting("2", report -> report.setUser("bob").setAccount(account)));
        }
        assertThat(names.accounts()).containsExactly("a", "b2999");
        jobs.remove("2");
        assertThat(names.accounts()).containsExactly("a");
        assertThat(names.users()).containsExactly("ann");
    }
}
