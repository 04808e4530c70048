package io.weir.rm.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlurmErrorTest {

    @Test
    void shouldTellRefusalFromAbsence() {
        assertThat(new SlurmError(2017, "Invalid job id specified").isAway()).isFalse();
        assertThat(new SlurmError(9001, "Failure during parsing").isAway()).isFalse();
        assertThat(new SlurmError(-1, "Unspecified error").isAway()).isTrue();
        assertThat(new SlurmError(1000, "Unexpected message received").isAway()).isTrue();
        assertThat(new SlurmError(0, "Unable to contact slurm controller (connect failure)").isAway())
                .isTrue();
        assertThat(new SlurmError(0, "Job is pending execution for job 3").isAway())
                .isFalse();
    }

    @Test
    void shouldKnowAJobThatAccountingHasNotRegistered() {
        assertThat(new SlurmError(
                                0,
                                "Job update not available right now, the DB index is being set, try again in a bit for job 38")
                        .isUnregistered())
                .isTrue();
        assertThat(new SlurmError(2017, "Invalid job id specified").isUnregistered())
                .isFalse();
    }

    @Test
    void shouldSayWhatItMeans() {
        assertThat(new SlurmError(2017, "x").explanation()).isEqualTo("Slurm knows no such job");
        assertThat(new SlurmError(0, "Invalid job id specified for job 9").explanation())
                .isEqualTo("Slurm knows no such job");
        assertThat(new SlurmError(2018, "x").explanation()).isEqualTo("Slurm knows no such node");
        assertThat(new SlurmError(2084, "Job has already finished").explanation())
                .isEqualTo("the job has ended");
        assertThat(new SlurmError(2050, "Requested operation is presently disabled").explanation())
                .isEqualTo("Slurm: Requested operation is presently disabled (2050)");
    }
}
