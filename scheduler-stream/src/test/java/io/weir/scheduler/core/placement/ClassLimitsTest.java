package io.weir.scheduler.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.job.TestJob;
import io.weir.scheduler.core.plan.TestCluster;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.schemas.JobReport;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassLimitsTest {
    private final SitePolicy policy = TestCluster.policy(
            "CLASSCFG[small] MAX.PROC=4 MIN.PROC=2 MAX.WCLIMIT=100 MAX.CPUTIME=50", "CLASSCFG[large] MIN.PROC=8");

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "2, 100, 50, -",
                "4, 100, 50, -",
                "4, 100, -, -",
                "2, 100, 51, cput 51 is more than the 50 processor seconds of a job of class small",
                "2, 101, -, wallclock limit 101 is more than the 100 s of a job of class small",
                "5, 100, -, 5 processors are more than the 4 of a job of class small",
                "1, 100, -, 1 processors are fewer than the 2 of a job of class small"
            })
    void shouldSayWhatAJobMayNotAskForInItsClass(
            int procs, long seconds, @Nullable Long cpuSeconds, @Nullable String refusal) {
        assertThat(refusal(report -> report.setJobClass("small")
                        .setTasks(procs)
                        .setWalltimeSeconds(seconds)
                        .setCpuLimitSeconds(cpuSeconds)))
                .isEqualTo(refusal);
    }

    @Test
    void shouldTakeAJobWithoutAClassByWhatHoldsForEveryClass() {
        SitePolicy site = TestCluster.policy("CLASSCFG[DEFAULT] MAX.PROC=1");

        assertThat(ClassLimits.refusal(
                        site, TestJob.waiting("j", report -> report.setTasks(2)).request()))
                .isEqualTo("2 processors are more than the 1 of a job without a class");
    }

    /** The words are about the first class. */
    @Test
    void shouldTakeAJobThatMayRunInAnyOfTheClassesItNames() {
        assertThat(refusal(report -> report.setJobClass("small").setTasks(8).setOtherClasses(List.of("large"))))
                .isNull();
        assertThat(refusal(report -> report.setJobClass("large").setTasks(4).setOtherClasses(List.of("small"))))
                .isNull();
        assertThat(refusal(report -> report.setJobClass("small").setTasks(6).setOtherClasses(List.of("large"))))
                .isEqualTo("6 processors are more than the 4 of a job of class small");
    }

    @Test
    void shouldLimitProcessorSecondsByTheJobsOwnWordOrElseItsClass() {
        assertThat(cpuSeconds(report -> report.setJobClass("small").setCpuLimitSeconds(7L)))
                .isEqualTo(7);
        assertThat(cpuSeconds(report -> report.setJobClass("small"))).isEqualTo(50);
        assertThat(cpuSeconds(report -> report.setJobClass("large"))).isNull();
    }

    private @Nullable Long cpuSeconds(Consumer<JobReport.Builder> more) {
        return ClassLimits.cpuSeconds(policy, request(more));
    }

    private @Nullable String refusal(Consumer<JobReport.Builder> more) {
        return ClassLimits.refusal(policy, request(more));
    }

    private static JobRequest request(Consumer<JobReport.Builder> more) {
        return TestJob.waiting("j", more).request();
    }
}
