package io.weir.scheduler.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.JobNodeFailure;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FieldDifferenceTest {
    static {
        AvroTrust.install();
    }

    @Test
    void shouldCompareRecordsInListsFieldByField() {
        List<FieldDifference> found = FieldDifference.between(
                job(failure("n1", "CANCEL"), failure("n2", "CANCEL")),
                job(failure("n1", "CANCEL"), failure("n2", "FAIL")));

        assertThat(found)
                .extracting(FieldDifference::toString)
                .containsExactly("failedNodes[1].action: recorded CANCEL, expected FAIL");
    }

    @Test
    void shouldSayThatAListHasMoreRecords() {
        assertThat(FieldDifference.between(job(failure("n1", "FAIL")), job()))
                .extracting(FieldDifference::toString)
                .containsExactly("failedNodes.size: recorded 1, expected 0");
    }

    private static JobNodeFailure failure(String node, String action) {
        return JobNodeFailure.newBuilder()
                .setNodeId(node)
                .setProcs(1)
                .setMaster(false)
                .setSince(Instant.EPOCH)
                .setAction(action)
                .build();
    }

    private static JobStatus job(JobNodeFailure... failures) {
        return JobStatus.newBuilder()
                .setCluster("c")
                .setJobId("j")
                .setState(JobState.RUNNING)
                .setTasks(2)
                .setProcsPerTask(1)
                .setStartFailures(0)
                .setCommandNumber(0)
                .setWalltimeSeconds(60)
                .setSubmitTime(Instant.EPOCH)
                .setQueueSequence(0)
                .setHeld(false)
                .setChangedIn(1)
                .setReportedEpoch(0)
                .setFailedNodes(List.of(failures))
                .build();
    }
}
