package io.weir.scheduler.recorded.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.recorded.Life;
import io.weir.scheduler.recorded.Site;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NameCount;
import io.weir.schemas.RmCommand;
import io.weir.schemas.TaskPlacement;
import io.weir.topics.Topics;
import java.util.List;
import java.util.Random;

/** Jobs that ask for more than processors: several requirements, generic and floating resources, named nodes, deadlines. */
public final class MixedRequests implements Life {
    @Override
    public void live(Site site) {
        site.policy(policy("DEFAULT", ""));
        site.at(240, () -> site.policy(policy("RR", "JOBNODEMATCHPOLICY EXACTNODE\n")));
        site.at(480, () -> site.policy(policy("DISPERSE", "NODEACCESSPOLICY SHAREDONLY\n")));
        site.at(720, () -> site.policy(policy("PACK", "NODEAVAILABILITYPOLICY DEDICATED:PROC,UTILIZED:MEM\n")));
        site.manager()
                .nodes(
                        1,
                        10,
                        8,
                        node -> node.setMemoryMb(16_000)
                                .setArch("x86")
                                .setClasses(List.of(new NameCount("batch", 8L), new NameCount("small", 4L))));
        site.manager()
                .nodes(
                        11,
                        16,
                        16,
                        node -> node.setMemoryMb(64_000)
                                .setArch("arm")
                                .setOs("linux")
                                .setGres(List.of(new NameCount("gpu", 2L))));
        site.manager().add("GLOBAL", 1, node -> node.setGres(List.of(new NameCount("matlab", 6L))));
        site.jobs(170, 340, 0, 161, MixedRequests::complete);
        for (int minute = 75; minute < 15 * 60; minute += 60) {
            site.at(
                    minute,
                    () -> site.manager().jobs(JobState.RUNNING).stream()
                            .skip(2)
                            .limit(3)
                            .forEach(id -> site.manager()
                                    .job(id, it -> it.setUsedMemoryMb(90_000L).setUsedCpuSeconds(900_000L))));
        }
        site.runUntil(16 * 60, 15);

        assertThat(site.decisions(DecisionKind.START)).hasSizeGreaterThan(80);
        assertThat(site.published(Topics.COMMANDS))
                .flatExtracting(RmCommand::getPlacements)
                .extracting(TaskPlacement::getRequirement)
                .contains(0, 1);
        assertThat(site.jobVersions())
                .filteredOn(it -> it.getStartTime() != null)
                .flatExtracting(JobStatus::getRequirements)
                .flatExtracting(io.weir.schemas.TaskRequirement::getGres)
                .extracting(NameCount::getName)
                .contains("gpu", "matlab");
        assertThat(site.jobVersions()).anyMatch(it -> it.getDeadline() != null && it.getStartTime() != null);
        assertThat(site.decisions(DecisionKind.CANCEL))
                .as("jobs beyond their limits")
                .isNotEmpty();
    }

    private static String policy(String distribution, String more) {
        return """
                TASKDISTRIBUTIONPOLICY %s
                CLASSCFG[small] MAX.PROC=8 MAX.WCLIMIT=3:00:00 NODEACCESSPOLICY=SINGLEUSER
                CLASSCFG[arm] HOSTLIST=n1[1-6] DEFAULT.WCLIMIT=1:00:00
                RESOURCELIMITPOLICY MEM:EXTENDEDVIOLATION:CANCEL:20:00 CPUTIME:ALWAYS:NOTIFY
                NODECFG[n02] MAXJOB=2
                NODECFG[n03] MAXPROCPERUSER=4 ACCESS=SINGLEJOB
                RESERVATIONDEPTH 4
                EXPLAINDEPTH 5
                """.formatted(distribution) + more;
    }

    private static void complete(long number, Random random, JobReport.Builder job) {
        switch ((int) (number % 10)) {
            case 0 -> {
                Site.require(job, 1, task -> task.setMemoryMb(4_000).setArch("arm"));
                Site.require(
                        job,
                        4 + random.nextInt(12),
                        task -> task.setMemoryMb(500).setArch("x86"));
            }
            case 1 -> Site.require(job, 1 + random.nextInt(6), task -> task.setGres(List.of(new NameCount("gpu", 1L))));
            case 2 ->
                Site.require(job, 1 + random.nextInt(3), task -> task.setGres(List.of(new NameCount("matlab", 1L))));
            case 3 -> Site.require(job, 6, task -> task.setTasksPerNode(3).setProcsPerTask(2));
            case 4 -> Site.require(job, 8, task -> task.setNodes(4));
            case 5 -> job.setTasks(4).setHosts(List.of("n05", "n06"));
            case 6 ->
                job.setTasks(1 + random.nextInt(20))
                        .setNodeAccess(List.of("SINGLEJOB", "SINGLEUSER", "SINGLETASK", "UNIQUEUSER")
                                .get(random.nextInt(4)));
            case 7 -> job.setTasks(1 + random.nextInt(6)).setJobClass("small").setWalltimeSeconds(7_200L);
            case 8 ->
                job.setTasks(20 + random.nextInt(60)).setExtension("deadline=+0" + (4 + random.nextInt(5)) + ":00:00");
            default ->
                job.setTasks(1 + random.nextInt(30))
                        .setStartAfter(job.getSubmitTime().plusSeconds(60L * random.nextInt(120)));
        }
    }
}
