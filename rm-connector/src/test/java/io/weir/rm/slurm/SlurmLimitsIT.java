package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs that Slurm's own limits of associations and QOSs keep from starting, until other jobs end or more is allowed. */
class SlurmLimitsIT extends LiveSlurmTest {
    SlurmLimitsIT() {
        super(
                Map.of(
                        "SLURM_NODES",
                        "3",
                        "SLURM_DATABASE",
                        "1",
                        "SLURM_EXTRA",
                        "AccountingStorageEnforce=associations,limits,qos\nPriorityType=priority/multifactor"),
                Map.of());
    }

    @Override
    @BeforeAll
    void startCluster() {
        assumeThat(Files.isExecutable(Path.of("/usr/sbin/slurmdbd"))).isTrue();
        super.startCluster();
        sacctmgr("add", "account", "chem");
        sacctmgr("add", "account", "bio");
        sacctmgr("add", "user", "nobody", "account=chem");
        sacctmgr("add", "user", "nobody", "account=bio");
        sacctmgr("add", "user", "games", "account=chem", "adminlevel=Operator");
    }

    @AfterEach
    void liftLimits() {
        sacctmgr(
                "modify",
                "qos",
                "normal",
                "set",
                "MaxTRESPerUser=cpu=-1",
                "MaxJobsPerUser=-1",
                "MaxWall=-1",
                "MinTRES=cpu=-1");
        sacctmgr("modify", "user", "nobody", "set", "MaxWall=-1", "MaxNodes=-1");
        sacctmgr("modify", "account", "chem", "set", "GrpTRES=cpu=-1,node=-1");
    }

    private void sacctmgr(String... words) {
        String[] command = new String[words.length + 2];
        command[0] = "sacctmgr";
        command[1] = "-i";
        System.arraycopy(words, 0, command, 2, words.length);
        cluster.run(command);
    }

    /** Deletes what waiting jobs ask for, which slurmdbd refuses as soon as it knows of the jobs: to it, they have ended. */
    private void deleteThoughAskedFor(String... words) {
        String name = cluster.run("scontrol", "show", "config")
                .lines()
                .filter(line -> line.startsWith("ClusterName"))
                .map(line -> line.replaceAll(".*= *", "").strip())
                .findAny()
                .orElseThrow();
        List<String> delete = new ArrayList<>(List.of("delete"));
        delete.addAll(List.of(words));
        await().ignoreExceptions().untilAsserted(() -> {
            cluster.run(
                    "mariadb",
                    "--no-defaults",
                    "-uroot",
                    "-S" + cluster.directory().resolve("run/mariadb.sock"),
                    name,
                    "-e",
                    "update `" + name + "_job_table` set time_end=1 where time_end=0");
            sacctmgr(delete.toArray(String[]::new));
        });
    }

    @Test
    void shouldFollowANiceValueThatIsChangedWhileTheJobWaits() {
        String job = cluster.submit("sleep 1", "-A", "chem");
        String array = cluster.submit("sleep 1", "-A", "chem", "--array=1-2", "--nice=10");
        assertThat(drive.job(job).getUserPriority()).isZero();
        assertThat(drive.job(array + "_2").getUserPriority()).isEqualTo(-10);

        cluster.run(SlurmTestCluster.asUser("scontrol", "update", "JobId=" + job, "Nice=30"));
        cluster.run("scontrol", "update", "JobId=" + array, "Nice=-20");

        await().untilAsserted(() -> {
            assertThat(drive.job(job).getUserPriority()).isEqualTo(-30);
            assertThat(drive.job(array + "_2").getUserPriority()).isEqualTo(20);
        });
        assertThat(cluster.show(job, "Priority")).as("held for Weir").isEqualTo("0");
        assertThat(cluster.show(array, "Priority")).isEqualTo("0");
        assertThat(drive.job(job).getState()).isEqualTo(JobState.IDLE);
        cluster.run("scancel", job, array);
    }

    @Test
    void shouldRunInTheOtherPartitionOnNodesOfBothWhereOneDoesNotAdmitTheAccount() {
        cluster.run("scontrol", "create", "PartitionName=closed", "Nodes=ALL", "State=UP", "AllowAccounts=bio");
        try {
            String job = cluster.submit("sleep 1000", "-A", "chem", "-p", "closed,batch", "--mem=100");
            RmAnswer answer = drive.start(job, "n1");
            for (int vain = 1; vain < 3 && answer.outcome() != CommandOutcome.DONE; vain++) {
                assertThat(drive.job(job).getState()).as("%s", answer).isEqualTo(JobState.IDLE);
                answer = drive.start(job, "n1");
            }
            assertThat(answer.outcome()).as("%s", answer).isEqualTo(CommandOutcome.DONE);
            assertThat(cluster.show(job, "Partition")).isEqualTo("batch");
        } finally {
            cluster.run("scancel", "--user=nobody");
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> cluster.run("squeue", "--noheader").isBlank());
            cluster.run("scontrol", "delete", "PartitionName=closed");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "qos, normal, MaxJobsPerUser=1, QOSMaxJobsPerUserLimit",
        "qos, normal, MaxTRESPerUser=cpu=2, QOSMaxCpuPerUserLimit",
        "account, chem, GrpTRES=cpu=2, AssocGrpCpuLimit",
    })
    void shouldGoOnWhenAnotherJobOfTheLimitEnds(String kind, String name, String limit, String reason) {
        sacctmgr("modify", kind, name, "set", limit);
        String first = cluster.submit("sleep 1000", "-A", "chem", "-n2");
        String second = cluster.submit("sleep 1000", "-A", "chem");
        String other = cluster.submit("sleep 1000", "-A", "bio");
        assertDone(drive.start(first, "n1"));

        RmAnswer answer = drive.start(second, "n2");

        assertThat(answer.passing()).as("%s", answer).isTrue();
        assertThat(drive.job(second).getState()).isEqualTo(JobState.HOLD);
        assertThat(drive.job(second).getReason()).contains(reason);
        cluster.run("scancel", first);
        await().atMost(Duration.ofSeconds(20)).until(() -> drive.job(second).getState() == JobState.IDLE);
        assertDone(drive.start(second, "n2"));
        if (kind.equals("account")) {
            assertDone(drive.start(other, "n3"));
        }
    }

    @Test
    void shouldNotWaitItsTimeOutWhenAnotherJobOfTheLimitEnds() {
        sacctmgr("modify", "qos", "normal", "set", "MaxJobsPerUser=1");
        String first = cluster.submit("sleep 1000", "-A", "chem");
        String second = cluster.submit("sleep 1000", "-A", "bio");
        assertDone(drive.start(first, "n1"));
        for (int wait = 10; wait <= 20; wait += 10) {
            assertThat(drive.start(second, "n2").passing()).isTrue();
            await().atMost(Duration.ofSeconds(wait + 5))
                    .until(() -> drive.job(second).getState() == JobState.IDLE);
        }
        assertThat(drive.start(second, "n2").passing()).as("40 s to wait").isTrue();

        cluster.run("scancel", first);

        await().atMost(Duration.ofSeconds(20)).until(() -> drive.job(second).getState() == JobState.IDLE);
        assertDone(drive.start(second, "n2"));
    }

    @ParameterizedTest
    @CsvSource({
        "qos, normal, MaxWall=5, MaxWall=-1, QOSMaxWallDurationPerJobLimit",
        "qos, normal, MinTRES=cpu=2, MinTRES=cpu=-1, QOSMinCpuNotSatisfied",
        "user, nobody, MaxWall=5, MaxWall=-1, AssocMaxWallDurationPerJobLimit",
    })
    void shouldGoOnWhenALimitOfOneJobIsRaised(String kind, String name, String low, String high, String reason) {
        sacctmgr("modify", kind, name, "set", low);
        String job = cluster.submit("sleep 1000", "-A", "chem", "-t", "10");
        assertWaits(job, reason);

        sacctmgr("modify", kind, name, "set", high);

        assertGoesOn(job, "n1");
    }

    @ParameterizedTest
    @CsvSource({"MaxTime=5, MaxTime=INFINITE, PartitionTimeLimit", "State=DOWN, State=UP, PartitionDown"})
    void shouldGoOnWhenItsPartitionIsChanged(String less, String more, String reason) {
        String job = cluster.submit("sleep 1000", "-A", "chem", "-t", "10");
        cluster.run("scontrol", "update", "PartitionName=batch", less);
        try {
            assertWaits(job, reason);
        } finally {
            cluster.run("scontrol", "update", "PartitionName=batch", more);
        }

        assertGoesOn(job, "n1");
    }

    @Test
    void shouldGoOnAtOnceWhenTheJobAsksForLess() {
        sacctmgr("modify", "qos", "normal", "set", "MaxWall=5");
        String job = cluster.submit("sleep 1000", "-A", "chem", "-t", "10");
        assertWaits(job, "QOSMaxWallDurationPerJobLimit");

        cluster.run("scontrol", "update", "JobId=" + job, "TimeLimit=4");

        assertThat(drive.job(job).getState()).isEqualTo(JobState.IDLE);
        assertDone(drive.start(job, "n1"));
    }

    @Test
    void shouldGoOnWhenADeletedAssociationOrQosIsThereAgain() {
        sacctmgr("add", "account", "guests");
        sacctmgr("add", "user", "nobody", "account=guests");
        sacctmgr("add", "qos", "lent");
        sacctmgr("modify", "user", "nobody", "set", "qos+=lent");
        String byAccount = cluster.submit("sleep 1000", "-A", "guests");
        String byQos = cluster.submit("sleep 1000", "-A", "chem", "--qos=lent");
        String tasks = cluster.submit("sleep 1000", "-A", "guests", "--array=1-2");
        String byUser = cluster.submit("sleep 1000", "-A", "guests", "--hold");
        String byAdmin = cluster.submit("sleep 1000", "-A", "guests");
        cluster.run("scontrol", "hold", byAdmin);
        assertHeld(byAdmin, "held by an administrator");

        deleteThoughAskedFor("user", "nobody", "account=guests");
        deleteThoughAskedFor("qos", "lent");

        for (String job : List.of(byAccount, tasks + "_1", tasks + "_2")) {
            await().untilAsserted(() -> assertHeld(job, "InvalidAccount"));
        }
        await().untilAsserted(() -> assertHeld(byQos, "InvalidQOS"));
        assertHeld(byUser, "held by its user");
        assertHeld(byAdmin, "held by an administrator");
        cluster.run("scontrol", "hold", tasks + "_2");
        assertHeld(tasks + "_2", "held by an administrator");

        sacctmgr("add", "user", "nobody", "account=guests");
        sacctmgr("add", "qos", "lent");
        sacctmgr("modify", "user", "nobody", "set", "qos+=lent");

        assertGoesOn(byAccount, "n1");
        assertGoesOn(byQos, "n2");
        assertGoesOn(tasks + "_1", "n3");
        assertHeld(byAdmin, "held by an administrator");
        assertHeld(tasks + "_2", "held by an administrator");
        cluster.run(SlurmTestCluster.asUser("scontrol", "release", byUser));
        assertGoesOn(byUser, "n3");
        cluster.run("scontrol", "uhold", byAdmin);
        assertGoesOn(byAdmin, "n2");
    }

    @Test
    void shouldLeaveToWeirWhatASlurmOperatorReleases() {
        String job = cluster.submit("sleep 1000", "-A", "chem", "--hold");

        asOperator("scontrol", "release", job);
        assertThat(drive.job(job).getState()).isEqualTo(JobState.IDLE);
        assertThat(cluster.show(job, "Reason")).isEqualTo("JobHeldUser");

        asOperator("scontrol", "hold", job);
        assertHeld(job, "held by an administrator");
        asOperator("scontrol", "uhold", job);
        assertThat(drive.job(job).getState()).isEqualTo(JobState.IDLE);

        assertThatThrownBy(() -> asOperator("scontrol", "update", "JobId=" + job, "Priority=1000"))
                .hasMessageContaining("Job is in held state");
        assertGoesOn(job, "n1");
    }

    /** Between two polls nobody has noted that the hold is an administrator's. */
    @Test
    void shouldLeaveToWeirWhatASlurmOperatorHoldsAndReleasesAtOnce() {
        String job = cluster.submit("sleep 1000", "-A", "chem");
        String tasks = cluster.submit("sleep 1000", "-A", "chem", "--array=1-2");
        for (String held : List.of(job, tasks)) {
            List<String> each = held.equals(job) ? List.of(job) : List.of(tasks + "_1", tasks + "_2");
            each.forEach(drive::job);

            asOperator("scontrol", "hold", held);
            assertThatThrownBy(() -> cluster.run(SlurmTestCluster.asUser("scontrol", "release", held)))
                    .hasMessageContaining("Access/permission denied");
            asOperator("scontrol", "release", held);

            for (String one : each) {
                await().untilAsserted(
                                () -> assertThat(drive.job(one).getState()).isEqualTo(JobState.IDLE));
                assertThat(cluster.show(one, "Reason")).isEqualTo("JobHeldUser");
            }
        }
        assertGoesOn(tasks + "_2", "n2");
        assertGoesOn(job, "n1");
    }

    @Test
    void shouldHaveSlurmJudgeWhoReleasesWhatAnAdministratorHolds() {
        String job = cluster.submit("sleep 1000", "-A", "chem", "--hold");
        String tasks = cluster.submit("sleep 1000", "-A", "chem", "--array=1-2");
        for (String held : List.of(job, tasks)) {
            List<String> each = held.equals(job) ? List.of(job) : List.of(tasks + "_1", tasks + "_2");
            each.forEach(drive::job);
            cluster.run("scontrol", "hold", held);
            each.forEach(one -> assertHeld(one, "held by an administrator"));

            assertThatThrownBy(() -> cluster.run(SlurmTestCluster.asUser("scontrol", "release", held)))
                    .hasMessageContaining("Access/permission denied");
            each.forEach(one -> assertHeld(one, "held by an administrator"));

            asOperator("scontrol", "release", held);
            for (String one : each) {
                await().untilAsserted(
                                () -> assertThat(drive.job(one).getState()).isEqualTo(JobState.IDLE));
                assertThat(cluster.show(one, "Reason")).isEqualTo("JobHeldUser");
            }
        }
        assertGoesOn(job, "n1");
        assertGoesOn(tasks + "_2", "n2");
    }

    @Test
    void shouldHaveWhatAnOperatorHeldAndReleasedBeginWhenItsUserSaid() {
        String job = cluster.submit("sleep 1000", "-A", "chem", "--begin=now+3hours");
        drive.job(job);
        String begin = cluster.show(job, "StartTime");
        for (boolean noted : new boolean[] {false, true}) {
            asOperator("scontrol", "hold", job);
            if (noted) {
                assertHeld(job, "held by an administrator");
            }

            asOperator("scontrol", "release", job);

            await().untilAsserted(() -> {
                assertThat(drive.job(job).getReason()).isNotEqualTo("held by an administrator of Slurm");
                assertThat(cluster.show(job, "StartTime")).isEqualTo(begin);
                assertThat(cluster.show(job, "Priority")).isEqualTo("0");
            });
        }
    }

    @Test
    void shouldBeTriedOnNoMoreNodesThanItsLimitAdmits() {
        sacctmgr("modify", "user", "nobody", "set", "MaxNodes=1");
        String job = cluster.submit("sleep 1000", "-A", "chem", "-n2", "-N1-2");
        assertThat(mostNodes(job)).isEqualTo(2);

        assertThat(drive.start(job, "n1", "n2").passing()).isTrue();

        assertThat(drive.job(job).getState()).isEqualTo(JobState.IDLE);
        assertThat(mostNodes(job)).isEqualTo(1);
        sacctmgr("modify", "user", "nobody", "set", "MaxNodes=2");
        await().atMost(Duration.ofSeconds(20)).until(() -> mostNodes(job) == 2);
        sacctmgr("modify", "user", "nobody", "set", "MaxNodes=1");
        await().atMost(Duration.ofSeconds(20))
                .until(() -> cluster.run("scontrol", "show", "assoc_mgr", "users=nobody")
                        .contains("MaxTRESPJ=node=1"));
        assertThat(drive.start(job, "n1", "n2").passing()).isTrue();
        assertDone(drive.carryOut(CommandKind.START_JOB, job, new NodeAllocation("n1", 2)));
        assertThat(cluster.show(job, "NumNodes")).isEqualTo("1");
    }

    private int mostNodes(String job) {
        return drive.job(job).getRequirements().get(0).getMostNodes();
    }

    private void asOperator(String... command) {
        List<String> words = new ArrayList<>(List.of("setpriv", "--reuid=games", "--regid=games", "--clear-groups"));
        words.addAll(List.of(command));
        cluster.run(words);
    }

    private void assertHeld(String job, String reason) {
        JobReport report = drive.job(job);
        assertThat(report.getState()).as("%s", report).isEqualTo(JobState.HOLD);
        assertThat(report.getReason()).contains(reason);
    }

    private void assertWaits(String job, String reason) {
        RmAnswer answer = drive.start(job, "n1");
        assertThat(answer.outcome()).as("%s", answer).isEqualTo(CommandOutcome.REFUSED);
        assertThat(answer.passing()).as("%s", answer).isTrue();
        assertHeld(job, reason);
    }

    private void assertGoesOn(String job, String node) {
        await().atMost(Duration.ofSeconds(20)).until(() -> drive.job(job).getState() == JobState.IDLE);
        assertDone(drive.start(job, node));
    }
}
