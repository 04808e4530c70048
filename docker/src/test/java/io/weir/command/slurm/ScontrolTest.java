package io.weir.command.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a change of several jobs of which Slurm does not let one be changed. */
class ScontrolTest {
    private final List<String> done = new ArrayList<>();
    private String refusal = "Cannot modify scrontab jobs through scontrol for job 12";

    private final Scontrol scontrol = new Scontrol(new Slurm(Path.of("slurm.conf")) {
        @Override
        String run(List<String> command) {
            if (command.stream().anyMatch(word -> word.contains("12"))) {
                throw new IllegalStateException(refusal);
            }
            done.add(String.join(" ", command));
            return "";
        }
    });

    private void carryOut(List<Step.Action> actions) {
        actions.forEach(action -> action.deed().out());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Cannot modify scrontab jobs through scontrol for job 12",
                // Their users cancel jobs, and Slurm starts some, after they were listed.
                "Job has already finished for job 12",
                "Invalid job id specified for job 12"
            })
    void shouldLeaveJobsAloneThatAreSlurmsOrHaveEnded(String words) {
        refusal = words;

        carryOut(scontrol.all("uhold", List.of("11", "12", "13")));
        carryOut(scontrol.all("update", List.of("12", "14_[1-2]"), List.of("StartTime=now")));
        carryOut(List.of(scontrol.update("12", List.of("Comment=words"))));

        assertThat(done)
                .containsExactly(
                        "scontrol uhold 11", "scontrol uhold 13", "scontrol update JobId=14_[1-2] StartTime=now");
    }

    @Test
    void shouldTellWhatElseSlurmRefuses() {
        refusal = "Access/permission denied for job 12";

        assertThatThrownBy(() -> carryOut(scontrol.all("uhold", List.of("11", "12"))))
                .hasMessageContaining("Access/permission denied");
    }
}
