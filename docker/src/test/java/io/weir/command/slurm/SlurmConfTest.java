package io.weir.command.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlurmConfTest {
    private static final List<String> BEFORE = List.of(
            "ClusterName=c1",
            "schedulertype = sched/backfill",
            "SchedulerParameters=bf_window=1440 # a day",
            "PriorityType=priority/multifactor",
            "NodeName=n[1-4] CPUs=4",
            "");

    @TempDir
    Path directory;

    private SlurmConf conf;

    @BeforeEach
    void write() throws IOException {
        Path file = directory.resolve("slurm.conf");
        Files.write(file, BEFORE);
        conf = new SlurmConf(file);
    }

    @Test
    void shouldGiveBackWhatItTook() throws IOException {
        conf.write(conf.taken());

        assertThat(conf.isWeirs()).isTrue();
        assertThat(conf.value("SchedulerType")).contains("sched/backfill");
        assertThat(conf.value("JobSubmitPlugins")).contains("lua");

        conf.write(conf.given());

        assertThat(conf.isWeirs()).isFalse();
        assertThat(Files.readAllLines(conf.file())).isEqualTo(BEFORE);
    }

    @Test
    void shouldSayWhatBecomesOfPreemptionAndOfSavingPower() throws IOException {
        assertThat(conf.warnings()).noneMatch(warning -> warning.contains("preempt") || warning.contains("POWER"));
        Files.writeString(
                conf.file(),
                "PreemptType=preempt/partition_prio\nResumeProgram=/sbin/on\nSuspendProgram=/sbin/off\n",
                StandardOpenOption.APPEND);

        assertThat(conf.warnings())
                .anyMatch(warning ->
                        warning.startsWith("PreemptType=preempt/partition_prio: who preempts whom is Weir's to say"))
                .anyMatch(warning -> warning.startsWith("ResumeProgram=/sbin/on: "));
    }

    @Test
    void shouldSeeNodesThatAreOffWhichSlurmHides() throws IOException {
        conf.write(conf.taken());
        assertThat(conf.value("PrivateData")).as("no node is ever off").isEmpty();
        conf.write(conf.given());
        Files.writeString(conf.file(), "PrivateData=jobs, usage\nResumeProgram=/sbin/on\n", StandardOpenOption.APPEND);
        List<String> before = Files.readAllLines(conf.file());
        assertThat(conf.warnings()).anyMatch(warning -> warning.startsWith("PrivateData gets cloud: "));

        conf.write(conf.taken());
        assertThat(conf.value("PrivateData")).contains("jobs,usage,cloud");
        assertThat(conf.warnings()).noneMatch(warning -> warning.startsWith("PrivateData"));
        conf.write(conf.given());
        assertThat(Files.readAllLines(conf.file())).isEqualTo(before);

        Files.writeString(conf.file(), "PrivateData=all\n", StandardOpenOption.APPEND);
        conf.write(conf.taken());
        assertThat(conf.value("PrivateData")).contains("all");
    }

    @Test
    void shouldBePokedByAPluginOfSitesThatHaveNone() throws IOException {
        Files.writeString(conf.file(), "JobCompType = jobcomp/none\n", StandardOpenOption.APPEND);

        assertThat(conf.plugins()).contains("jobcomp.lua", "poke.sh");
        conf.write(conf.taken());

        assertThat(conf.value("JobCompType")).contains("jobcomp/lua");
        assertThat(conf.value("EpilogSlurmctld")).isEmpty();
        assertThat(conf.value("PrologSlurmctld")).isEmpty();
        assertThat(conf.plugins()).contains("jobcomp.lua");

        conf.write(conf.given());

        assertThat(conf.value("JobCompType")).contains("jobcomp/none");
    }

    @Test
    void shouldBePokedByAScriptWhereTheSiteHasAPlugin() throws IOException {
        Files.writeString(conf.file(), "jobcomptype=jobcomp/lua\n", StandardOpenOption.APPEND);

        assertThat(conf.plugins()).contains("poke.sh").doesNotContain("jobcomp.lua");
        conf.write(conf.taken());

        assertThat(conf.value("JobCompType")).contains("jobcomp/lua");
        assertThat(conf.value("EpilogSlurmctld"))
                .contains(directory.resolve("poke.sh").toString());
        assertThat(conf.plugins()).doesNotContain("jobcomp.lua");
    }

    @Test
    void shouldLeaveASitesOwnPluginAndScriptAndSayWhatTheyMiss() throws IOException {
        Files.writeString(
                conf.file(),
                "JobCompType=jobcomp/filetxt\nepilogslurmctld=/site/epilog.sh\n",
                StandardOpenOption.APPEND);
        assertThat(conf.warnings()).anyMatch(warning -> warning.startsWith("EpilogSlurmctld=/site/epilog.sh stays"));

        conf.write(conf.taken());

        assertThat(conf.value("JobCompType")).contains("jobcomp/filetxt");
        assertThat(conf.value("EpilogSlurmctld")).contains("/site/epilog.sh");
    }

    @Test
    void shouldLeaveASitesOwnScriptAlone() throws IOException {
        Files.writeString(conf.file(), "epilogslurmctld=/site/epilog.sh\n", StandardOpenOption.APPEND);
        assertThat(conf.warnings()).noneMatch(warning -> warning.startsWith("EpilogSlurmctld"));

        conf.write(conf.taken());

        assertThat(conf.value("EpilogSlurmctld")).contains("/site/epilog.sh");
        assertThat(conf.value("JobCompType")).contains("jobcomp/lua");
    }

    @Test
    void shouldKeepWhatWasChangedMeanwhile() throws IOException {
        conf.write(conf.taken());
        Files.writeString(
                conf.file(), Files.readString(conf.file()).replace("CPUs=4", "CPUs=8") + "MaxJobCount=5000\n");

        conf.write(conf.given());

        assertThat(Files.readAllLines(conf.file()))
                .contains("NodeName=n[1-4] CPUs=8", "MaxJobCount=5000")
                .noneMatch(line -> line.startsWith("SchedulerParameters=batch_sched_delay"));
    }

    @Test
    void shouldTellOfPartitionsThatGiveProcessorsToSeveralJobs() throws IOException {
        String lines = "PartitionName=a Nodes=ALL OverSubscribe=FORCE:1\n"
                + "PartitionName=b Nodes=ALL OverSubscribe=NO # not OverSubscribe=FORCE\n";
        Files.writeString(conf.file(), lines, StandardOpenOption.APPEND);
        assertThat(conf.warnings()).noneMatch(warning -> warning.startsWith("OverSubscribe"));

        Files.writeString(conf.file(), "PartitionName=d Nodes=ALL Shared=yes:2\n", StandardOpenOption.APPEND);
        assertThat(conf.warnings())
                .anyMatch(warning -> warning.startsWith("OverSubscribe=YES"))
                .noneMatch(warning -> warning.startsWith("OverSubscribe=FORCE"));

        Files.writeString(conf.file(), "partitionname=c nodes=ALL oversubscribe=force:4\n", StandardOpenOption.APPEND);
        assertThat(conf.warnings()).anyMatch(warning -> warning.startsWith("OverSubscribe=FORCE"));
    }

    @Test
    void shouldTellOfPartitionsThatGiveSomeOfANodeOrTheLeastLoadedFirst() throws IOException {
        String lines = "PartitionName=a Nodes=ALL MaxCPUsPerNode=UNLIMITED LLN=NO # MaxCPUsPerNode=2\n";
        Files.writeString(conf.file(), lines, StandardOpenOption.APPEND);
        assertThat(conf.warnings()).noneMatch(warning -> warning.startsWith("LLN") || warning.startsWith("MaxCPUs"));

        Files.writeString(
                conf.file(), "PartitionName=b Nodes=ALL maxcpuspernode=2 lln=yes\n", StandardOpenOption.APPEND);
        assertThat(conf.warnings())
                .anyMatch(warning -> warning.startsWith("LLN=YES"))
                .anyMatch(warning -> warning.startsWith("MaxCPUsPerNode"));
    }

    @Test
    void shouldTellOfTheOrderOfJobsAndNodesThatIsWeirsOwn() throws IOException {
        String usual = "PartitionName=a Nodes=ALL PriorityTier=1 # PriorityTier=2\nNodeName=n1 Weight=1 # Weight=9\n"
                + "SelectTypeParameters=CR_Core_Memory\n";
        Files.writeString(conf.file(), usual, StandardOpenOption.APPEND);
        assertThat(conf.warnings())
                .noneMatch(warning -> warning.startsWith("Priority") && !warning.startsWith("PriorityType"))
                .noneMatch(warning -> warning.startsWith("Weight") || warning.startsWith("SelectType"));

        String others = "PartitionName=b Nodes=ALL \\\n  prioritytier=10\nNodeName=n2 CPUs=4 weight=20\n"
                + "SelectTypeParameters=CR_Core_Memory,cr_lln\n";
        Files.writeString(conf.file(), others, StandardOpenOption.APPEND);
        assertThat(conf.warnings())
                .anyMatch(warning -> warning.startsWith("prioritytier of partitions"))
                .anyMatch(warning -> warning.startsWith("Weight of nodes"))
                .anyMatch(warning -> warning.startsWith("SelectTypeParameters=CR_Core_Memory,cr_lln"));
    }

    @Test
    void shouldTellOfResourcesThatJobsDoNotUseUp() throws IOException {
        Files.writeString(
                conf.file(), "NodeName=n8 CPUs=4 Gres=gpu:2 # lustre:no_consume:4G\n", StandardOpenOption.APPEND);
        assertThat(conf.warnings()).noneMatch(warning -> warning.startsWith("no_consume"));

        Files.writeString(
                conf.file(), "NodeName=n9 CPUs=4 gres=gpu:2,lustre:No_Consume:4G\n", StandardOpenOption.APPEND);
        assertThat(conf.warnings()).anyMatch(warning -> warning.startsWith("no_consume in Gres of nodes: "));
    }

    @Test
    void shouldTellThatJobsOfScrontabStaySlurms() throws IOException {
        Files.writeString(conf.file(), "ScronParameters=disable\n", StandardOpenOption.APPEND);
        assertThat(conf.warnings()).noneMatch(warning -> warning.startsWith("Scron"));

        Files.writeString(conf.file(), "ScronParameters=enable,explicit_scancel\n", StandardOpenOption.APPEND);
        assertThat(conf.warnings())
                .anyMatch(warning -> warning.startsWith("ScronParameters=enable,explicit_scancel: "));
    }

    @Test
    void shouldTellOfJobsThatTakeTurns() throws IOException {
        assertThat(conf.warnings()).noneMatch(warning -> warning.startsWith("PreemptMode"));
        Files.writeString(conf.file(), "PreemptMode=suspend,gang\n", StandardOpenOption.APPEND);

        assertThat(conf.warnings()).anyMatch(warning -> warning.startsWith("PreemptMode=suspend,gang: "));
    }

    @Test
    void shouldTellThatABackupControllerNeedsTheFilesToo() throws IOException {
        Files.writeString(conf.file(), "SlurmctldHost=a\n", StandardOpenOption.APPEND);
        assertThat(conf.warnings()).noneMatch(warning -> warning.contains("backup controller"));

        Files.writeString(conf.file(), "slurmctldhost = b(10.0.0.2)\n", StandardOpenOption.APPEND);
        assertThat(conf.warnings()).anyMatch(warning -> warning.startsWith("there is a backup controller"));
    }

    @Test
    void shouldTellOfSwitches() throws IOException {
        Files.writeString(conf.file(), "TopologyPlugin=topology/tree\n", StandardOpenOption.APPEND);

        assertThat(conf.warnings())
                .anyMatch(warning ->
                        warning.startsWith("TopologyPlugin=topology/tree") && warning.contains("--switches"));
    }

    @Test
    void shouldTellWhatWouldBehaveOtherwise() throws IOException {
        assertThat(conf.warnings())
                .anyMatch(warning -> warning.startsWith("PriorityType=priority/multifactor"))
                .anyMatch(warning -> warning.startsWith("SchedulerParameters=bf_window=1440 is replaced"))
                .anyMatch(warning -> warning.contains("cred_expire"))
                .anyMatch(warning -> warning.contains("NODEFAILURERESERVETIME 0"))
                .anyMatch(warning -> warning.startsWith("JobRequeue=1") && warning.contains("REQUEUE"));
        conf.write(conf.taken());
        assertThat(conf.warnings())
                .noneMatch(warning -> warning.contains("is replaced") || warning.startsWith("Scheduler"));
        Files.writeString(conf.file(), Files.readString(conf.file()).replace("=sched/backfill", "=sched/builtin"));
        assertThat(conf.warnings()).anyMatch(warning -> warning.startsWith("SchedulerType=sched/builtin"));
    }

    @Test
    void shouldKeepParametersThatHaveNothingToDoWithTheOrderOfJobs() throws IOException {
        Files.writeString(
                conf.file(),
                "SchedulerParameters=defer,kill_invalid_depend, max_array_tasks=5,max_rpc_cnt=150\n",
                StandardOpenOption.APPEND);

        assertThat(conf.warnings())
                .anyMatch(warning -> warning.endsWith(" is replaced, but for kill_invalid_depend,max_array_tasks=5"));
        assertThat(conf.taken())
                .anyMatch(line -> line.endsWith(",bf_interval=1,kill_invalid_depend,max_array_tasks=5"))
                .filteredOn(line -> line.contains("defer"))
                .allMatch(line -> line.startsWith("#before Weir: "));
    }

    @Test
    void shouldTellWhatAnEarlierBuildOfWeirSetOtherwise() throws IOException {
        conf.write(conf.taken());
        Files.writeString(conf.file(), Files.readString(conf.file()).replace("_interval=500000", "_interval=0"));

        assertThat(conf.warnings())
                .anyMatch(warning -> warning.startsWith("SchedulerParameters=batch_sched_delay=0,sched_min_interval=0")
                        && warning.contains("set sched_min_interval=500000"));
    }

    @Test
    void shouldHaveSlurmMakeMorePassesWhereEachEndOfAJobCausesOne() throws IOException {
        assertThat(conf.taken()).anyMatch(line -> line.contains("sched_min_interval=500000,"));
        Files.writeString(conf.file(), "epilog = /site/clean.sh\n", StandardOpenOption.APPEND);

        assertThat(conf.taken()).anyMatch(line -> line.contains("sched_min_interval=100000,"));
        conf.write(conf.taken());
        assertThat(conf.warnings()).noneMatch(warning -> warning.startsWith("Scheduler"));
    }

    @Test
    void shouldTellWhatTheControllerRunsOtherwise() {
        Controller slurms = controller("(null)", "bf_window=1440", "jobcomp/none");
        Controller weirs = controller(
                "lua",
                conf.taken().stream()
                        .filter(line -> line.startsWith("SchedulerParameters="))
                        .findFirst()
                        .orElseThrow()
                        .replaceFirst("[^=]*=", ""),
                "jobcomp/lua");
        assertThat(conf.difference(slurms)).isEmpty();
        assertThat(conf.difference(weirs).orElseThrow())
                .isEqualTo("JobSubmitPlugins is lua there and not set in " + conf.file());
        assertThat(conf.isHeldTo(weirs)).isTrue();
        assertThat(conf.isHeldTo(slurms)).isFalse();

        conf.write(conf.taken());

        assertThat(conf.difference(weirs)).isEmpty();
        assertThat(conf.difference(slurms)).isPresent();
    }

    @Test
    void shouldTellASitesOwnPluginFromWeirs() throws IOException {
        Files.writeString(conf.file(), "JobSubmitPlugins=job_submit/lua\n", StandardOpenOption.APPEND);
        Controller slurms = controller("lua", "bf_window=1440", "jobcomp/none");
        // Sites add parameters of their own.
        Controller weirs =
                controller("lua", "batch_sched_delay=0,permit_job_expansion,bf_max_job_test=5", "jobcomp/lua");

        assertThat(conf.isHeldTo(slurms)).isFalse();
        assertThat(conf.isHeldTo(weirs)).isTrue();
        assertThat(conf.difference(slurms)).isEmpty();
        conf.write(conf.taken());
        assertThat(conf.isHeldTo(slurms)).isFalse();
        assertThat(conf.difference(slurms).orElseThrow()).startsWith("SchedulerParameters is bf_window=1440 there");
        assertThat(conf.difference(weirs)).isEmpty();
    }

    @Test
    void shouldReadFilesThatAreIncluded() throws IOException {
        Files.createDirectory(directory.resolve("parts"));
        Files.writeString(directory.resolve("parts/all.conf"), "PrivateData=jobs\nINCLUDE more-c1.conf # the rest\n");
        Files.writeString(
                directory.resolve("parts/more-c1.conf"),
                "SchedulerParameters=kill_invalid_depend\nJobCompType=jobcomp/filetxt\nResumeProgram=/sbin/on\n"
                        + "PartitionName=a Nodes=ALL OverSubscribe=FORCE:4\nInclude all.conf\nSlurmctldHost=b\n");
        String lines = "SlurmctldHost=a\nInclude parts/all.conf\ninclude nosuch.conf\n";
        Files.writeString(conf.file(), lines, StandardOpenOption.APPEND);
        List<String> before = Files.readAllLines(conf.file());

        assertThat(conf.warnings())
                .anyMatch(warning -> warning.startsWith("OverSubscribe=FORCE"))
                .anyMatch(warning -> warning.startsWith("there is a backup controller"))
                .anyMatch(warning -> warning.startsWith("PrivateData gets cloud"))
                .anyMatch(warning ->
                        warning.equals("slurm.conf includes " + directory + "/nosuch.conf, which cannot be read here"));
        assertThat(conf.plugins()).doesNotContain("jobcomp.lua");
        conf.write(conf.taken());
        assertThat(conf.value("JobCompType")).contains("jobcomp/filetxt");
        assertThat(conf.value("PrivateData")).contains("jobs,cloud");
        assertThat(conf.value("SchedulerParameters").orElse("")).endsWith(",kill_invalid_depend");
        assertThat(conf.value("JobSubmitPlugins")).contains("lua");
        conf.write(conf.given());
        assertThat(Files.readAllLines(conf.file())).isEqualTo(before);
    }

    private static Controller controller(String submission, String parameters, String completion) {
        return new Controller("""
                Configuration data as of 2026-11-27T22:26:41
                BOOT_TIME               = 2026-11-27T22:26:41
                JobCompType             = %s
                JobSubmitPlugins        = %s
                SchedulerParameters     = %s
                SchedulerType           = sched/backfill
                SlurmUser               = root(0)
                """.formatted(completion, submission, parameters));
    }

    @Test
    void shouldTellWhenTheControllerWasStarted() {
        assertThat(controller("(null)", "(null)", "jobcomp/none").started()).isEqualTo(1795818401);
        assertThat(new Controller("").started()).isZero();
    }
}
