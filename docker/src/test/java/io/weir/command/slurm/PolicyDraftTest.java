package io.weir.command.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.job.PriorityWeight;
import io.weir.scheduler.core.policy.node.FailureAction;
import io.weir.scheduler.core.policy.reservation.ReservationGroup;
import io.weir.scheduler.core.policy.scheduler.PreemptionPolicy;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PolicyDraftTest {
    private static final String BASIC = "PriorityType = priority/basic\n";

    private static final String FACTORS = """
            PriorityType            = priority/multifactor
            PriorityMaxAge          = 7-00:00:00
            PriorityDecayHalfLife   = 7-00:00:00
            PriorityFavorSmall      = No
            PriorityWeightAge       = 1000
            PriorityWeightFairShare = 10000
            PriorityWeightJobSize   = 500
            PriorityWeightPartition = 2000
            PriorityWeightQOS       = 3000
            PriorityWeightTRES      = (null)
            """;

    private static List<String> queue(
            String config, String partitions, Map<String, Long> qos, Map<String, Double> shares) {
        return new QueueOrder(new Controller(config), RankedPartition.parse(partitions), 8, 32)
                .lines(qos, Map.of(), new FairShares(new TreeMap<>(shares), Collections.emptySortedMap()));
    }

    private static SitePolicy read(List<String> lines) {
        SitePolicy.Reading reading = SitePolicy.read(String.join("\n", lines));
        assertThat(reading.problems()).isEmpty();
        return reading.policy();
    }

    private static String partition(String name, long tier, long factor) {
        return "PartitionName=" + name + " AllowGroups=ALL PriorityJobFactor=" + factor + " PriorityTier=" + tier
                + " LLN=NO State=UP\n";
    }

    @Test
    void shouldSetNothingForTheOrderOfSubmission() {
        SitePolicy policy = read(queue(BASIC, partition("a", 1, 1) + partition("b", 1, 1), Map.of(), Map.of()));

        assertThat(policy).isEqualTo(read(List.of()));
    }

    /** Of a higher tier also what its owner put far behind comes before what has waited for years. */
    @Test
    void shouldPutPartitionsOfAHigherTierFirst() {
        List<String> lines = queue(
                BASIC,
                partition("low", 1, 1) + partition("high", 20, 1) + partition("middle", 7, 1),
                Map.of(),
                Map.of());

        SitePolicy policy = read(lines);
        assertThat(policy.classes()).containsOnlyKeys("middle", "high");
        long middle = policy.classes().get("middle").priority();
        double nice = policy.priority().userCap();
        assertThat(middle - nice).isGreaterThan(nice + 60 * 24 * 365 * 9);
        assertThat(policy.classes().get("high").priority()).isEqualTo(2 * middle);
    }

    @Test
    void shouldKeepTheProportionsOfTheFactors() {
        Map<String, Long> qos = new TreeMap<>(Map.of("normal", 0L, "high", 50L, "urgent", 100L));

        SitePolicy policy = read(
                queue(FACTORS, partition("a", 1, 10) + partition("b", 1, 5), qos, Map.of("chem", 75.0, "bio", 25.0)));

        long age = policy.priority().weight(PriorityWeight.QUEUETIMEWEIGHT) * 7 * 24 * 60;
        long scale = policy.priority().weight(PriorityWeight.USERPRIOWEIGHT);
        assertThat(age).isBetween(950 * scale, 1050 * scale);
        assertThat(policy.priority().queueTimeCap()).isEqualTo(7 * 24 * 60);
        assertThat(policy.classes().get("a").priority()).isEqualTo(2000 * scale);
        assertThat(policy.classes().get("b").priority()).isEqualTo(1000 * scale);
        assertThat(policy.qos().get("urgent").priority()).isEqualTo(3000 * scale);
        assertThat(policy.qos().get("high").priority()).isEqualTo(1500 * scale);
        assertThat(policy.qos()).doesNotContainKey("normal");
        assertThat(policy.priority().weight(PriorityWeight.NODEWEIGHT) * 8
                        + policy.priority().weight(PriorityWeight.PROCWEIGHT) * 32)
                .isBetween(475 * scale, 525 * scale);
        assertThat(policy.priority().weight(PriorityWeight.FSACCOUNTWEIGHT) * 100)
                .isEqualTo(10000 * scale);
        assertThat(policy.fairshare().enabled()).isTrue();
    }

    @Test
    void shouldTakeAnAgeThatCountsFromTheFirstMinute() {
        SitePolicy policy = read(queue(
                FACTORS.replace("PriorityMaxAge          = 7-00:00:00", "PriorityMaxAge = 00:00:00"),
                partition("a", 1, 1),
                Map.of(),
                Map.of()));

        assertThat(policy.priority().queueTimeCap()).isEqualTo(1);
        assertThat(policy.priority().weight(PriorityWeight.QUEUETIMEWEIGHT))
                .isEqualTo(1000 * policy.priority().weight(PriorityWeight.USERPRIOWEIGHT));
    }

    @Test
    void shouldStayWithinThePrioritiesThatThereAre() {
        SitePolicy policy = read(queue(
                FACTORS.replace("= 1000\n", "= 1000000000\n").replace("= 2000\n", "= 2000000000\n"),
                partition("a", 1, 1) + partition("b", 2, 1) + partition("c", 3, 1),
                Map.of(),
                Map.of()));

        assertThat(policy.classes().get("c").priority()).isLessThanOrEqualTo(1_000_000_000);
        assertThat(policy.classes().get("b").priority())
                .isGreaterThan(policy.classes().get("a").priority());
    }

    @Test
    void shouldSetNothingAsideForJobsOfAQosThatSaysNoReserve() {
        List<String[]> qos = List.of(
                new String[] {"normal", ""},
                new String[] {"strict", "DenyOnLimit"},
                new String[] {"scavenger", "DenyOnLimit,NoReserve"},
                new String[] {"idle", "NoReserve"});

        SitePolicy policy =
                read(ReservationOrder.lines(new Controller("SchedulerParameters = bf_max_job_test=7\n"), qos));

        assertThat(policy.reservations().groups())
                .filteredOn(group -> group.covers("scavenger") || group.covers("idle"))
                .first()
                .extracting(ReservationGroup::depth)
                .isEqualTo(0);
        assertThat(policy.reservations().groups())
                .filteredOn(group -> group.covers("normal"))
                .singleElement()
                .satisfies(group -> {
                    assertThat(group.covers("strict")).isTrue();
                    assertThat(group.depth()).isEqualTo(7);
                });
    }

    @Test
    void shouldTakeTheLightestNodesFirst() {
        Map<String, Long> weights = new LinkedHashMap<>(Map.of());
        weights.put("n1", 10L);
        weights.put("n2", 10L);
        weights.put("big", 500L);

        List<String> lines = NodeOrder.lines(new Controller(BASIC), List.of(), weights);

        read(lines);
        assertThat(lines)
                .contains("NODEALLOCATIONPOLICY PRIORITY", "NODECFG[big] PRIORITY=0")
                .anySatisfy(line -> assertThat(line)
                        .isEqualTo("NODECFG[DEFAULT] PRIORITYF='PRIORITY + 491*PREF + 491*RSVAFFINITY' PRIORITY=490"));
    }

    @Test
    void shouldGiveNodesThatFailedToJobsAsSoonAsTheyAreBack() {
        SitePolicy policy = read(FailureOrder.lines(new Controller("JobRequeue = 1\n")));

        assertThat(policy.failures().passing().reserveSeconds()).isZero();
        assertThat(policy.failures().job().action()).isEqualTo(FailureAction.REQUEUE);
        assertThat(FailureOrder.lines(new Controller("JobRequeue = 0\n")))
                .contains("NODEFAILURERESERVETIME 0")
                .noneMatch(line -> line.contains("REQUEUE"));
    }

    @Test
    void shouldTakeTheLeastLoadedNodesFirstWhereSlurmDoes() {
        String loaded = "SelectTypeParameters = CR_CORE_MEMORY,CR_LLN\n";
        Map<String, Long> weights = Map.of("n1", 1L, "n2", 1L);

        assertThat(NodeOrder.lines(new Controller(loaded), List.of(), weights))
                .anySatisfy(line -> assertThat(line).contains("PRIORITYF='APROCS + 1000000*PREF"));
        assertThat(NodeOrder.lines(new Controller(BASIC), List.of(), weights))
                .contains("NODEALLOCATIONPOLICY FIRSTAVAILABLE");
        read(NodeOrder.lines(new Controller(loaded), List.of(), weights));
    }

    @Test
    void shouldDivideWhatAccountsHaveByTheirSharesAmongThoseBesideThem() {
        FairShares shares = AccountShares.of(List.of(
                "root|||1".split("\\|", -1),
                "root||root|1".split("\\|", -1),
                "science|root||3".split("\\|", -1),
                "chem|science||75".split("\\|", -1),
                "bio|science||25".split("\\|", -1),
                "bio||ann|parent".split("\\|", -1),
                "chem||ann|1".split("\\|", -1),
                "chem||bob|3".split("\\|", -1)));

        assertThat(shares.accounts())
                .containsExactly(Map.entry("bio", 18.75), Map.entry("chem", 56.25), Map.entry("science", 75.0));
        assertThat(shares.users())
                .containsExactly(Map.entry("ann", 18.75 + 56.25 / 4), Map.entry("bob", 56.25 * 3 / 4));
    }

    @Test
    void shouldGiveUsersTheirTargetsToo() {
        Map<String, Double> users = new TreeMap<>(Map.of("ann", 10.0, "bob", 10.0, "eve", 40.0));
        FairShares shares = new FairShares(new TreeMap<>(Map.of("chem", 60.0)), new TreeMap<>(users));

        SitePolicy policy =
                read(new QueueOrder(new Controller(FACTORS), List.of(), 8, 32).lines(Map.of(), Map.of(), shares));

        assertThat(policy.users()).containsOnlyKeys("DEFAULT", "eve");
        assertThat(policy.user("ann").fairshareTarget().percent()).isEqualTo(10);
        assertThat(policy.user("eve").fairshareTarget().percent()).isEqualTo(40);
        assertThat(policy.priority().weight(PriorityWeight.FSACCOUNTWEIGHT))
                .isEqualTo(10 * policy.priority().weight(PriorityWeight.FSUSERWEIGHT));
    }

    private static SitePolicy preemption(String config, String partitions) {
        return read(
                PreemptionOrder.lines(new Controller(config), RankedPartition.parse(partitions), QosPreemption.NONE));
    }

    @Test
    void shouldLetPartitionsOfAHigherTierPreemptThoseOfALowerOne() {
        SitePolicy policy = preemption(
                "PreemptType = preempt/partition_prio\nPreemptExemptTime = 1-02:00:00\n",
                partition("scavenger", 1, 1).replace("LLN", "PreemptMode=CANCEL LLN")
                        + partition("kept", 1, 1).replace("LLN", "PreemptMode=OFF LLN")
                        + partition("main", 5, 1).replace("LLN", "PreemptMode=CANCEL LLN")
                        + partition("urgent", 9, 1).replace("LLN", "PreemptMode=CANCEL LLN"));

        assertThat(policy.classes()).containsOnlyKeys("scavenger", "main", "urgent");
        assertThat(policy.jobClass("scavenger").jobFlags()).containsExactly("PREEMPTEE");
        assertThat(policy.jobClass("main").jobFlags()).containsExactly("PREEMPTOR", "PREEMPTEE");
        assertThat(policy.jobClass("urgent").jobFlags()).containsExactly("PREEMPTOR");
        assertThat(policy.preemption().policy()).isEqualTo(PreemptionPolicy.CANCEL);
        assertThat(policy.preemption().minActiveSeconds()).isEqualTo(26 * 3600);
    }

    @Test
    void shouldSayWhatIsOtherwiseOfTheTimeThatPreemptedJobsHave() {
        List<String> lines = PreemptionOrder.lines(
                new Controller("PreemptType = preempt/partition_prio\nPreemptExemptTime = 00:00:00\n"
                        + "PreemptParameters = send_user_signal\n"),
                RankedPartition.parse(
                        partition("scavenger", 1, 1).replace("LLN", "GraceTime=601 PreemptMode=REQUEUE LLN")
                                + partition("plain", 1, 1).replace("LLN", "GraceTime=600 PreemptMode=REQUEUE LLN")
                                + partition("urgent", 9, 1).replace("LLN", "GraceTime=6000 PreemptMode=REQUEUE LLN")),
                QosPreemption.NONE);

        assertThat(lines)
                .filteredOn(line -> line.contains("GraceTime"))
                .containsExactly(
                        "# PreemptParameters=send_user_signal: jobs get SIGTERM when their GraceTime begins, whatever their --signal.",
                        "# Partition scavenger, GraceTime of more than 10 minutes: Weir may preempt others as well when these are over.");
    }

    private static QosPreemption qos(String... rows) {
        return new QosPreemption(
                Stream.of(rows).map(row -> row.split("\\|", -1)).toList());
    }

    @Test
    void shouldLetAQosPreemptThoseItLists() {
        List<String> lines = PreemptionOrder.lines(
                new Controller("PreemptType = preempt/qos\nPreemptMode = REQUEUE\nPreemptExemptTime = 00:00:00\n"),
                List.of(),
                qos(
                        "high|low,normal|cluster|00:00:00|",
                        "normal|low|cluster|00:00:00|",
                        "low||cancel|1-00:00:30|00:10:00",
                        "still|high|suspend|00:00:00|-1",
                        "top|still|cluster|00:00:00|"));

        SitePolicy policy = read(lines);
        assertThat(policy.qos("high").flags()).containsExactly("PREEMPTOR", "PREEMPTEE");
        assertThat(policy.qos("normal").flags()).containsExactly("PREEMPTOR", "PREEMPTEE");
        assertThat(policy.qos("low").flags()).containsExactly("PREEMPTEE");
        assertThat(policy.qos("still").flags()).containsExactly("PREEMPTOR");
        assertThat(policy.qos("top").flags()).isEmpty();
        assertThat(policy.preemption().policy()).isEqualTo(PreemptionPolicy.REQUEUE);
        assertThat(lines)
                .contains(
                        "# PreemptMode=suspend of QOS still: Weir suspends nobody for others, and so preempts none.",
                        "# PreemptMode is CANCEL for some and REQUEUE for others; PREEMPTPOLICY is one for all.",
                        "# QOS low, normal, not listed by QOS still, are preempted by its jobs all the same: Weir knows no lists.",
                        "# QOS low, GraceTime of more than 10 minutes: Weir may preempt others as well when these are over.",
                        "# QOS low, PreemptExemptTime of a QOS: JOBPREEMPTMINACTIVETIME is one for all.");
    }

    /** As with Slurm, whose queue has the jobs of a QOS before those that it may preempt, whatever their priorities are. */
    @Test
    void shouldPutAQosBeforeThoseThatItPreempts() {
        QosPreemption lists = qos("high|low|cluster||", "top|high|cluster||", "low||cluster||", "own||cluster||");
        List<String> lines = new QueueOrder(
                        new Controller(BASIC),
                        RankedPartition.parse(partition("a", 1, 1) + partition("b", 2, 1)),
                        8,
                        32)
                .lines(Map.of("own", 5L), lists.ranks(), FairShares.NONE);

        SitePolicy policy = read(lines);
        assertThat(policy.qos()).containsOnlyKeys("high", "top");
        long high = policy.qos().get("high").priority();
        long tier = policy.classes().get("b").priority();
        assertThat(high - tier).isGreaterThan(60 * 24 * 365 * 9);
        assertThat(policy.qos().get("top").priority()).isEqualTo(2 * high);
    }

    @Test
    void shouldAddThePriorityOfAQosToItsRank() {
        Map<String, Long> priorities = new TreeMap<>(Map.of("low", 50L, "high", 0L, "own", 100L));
        QosPreemption lists = qos("high|low|cluster||", "low||cluster||", "own||cluster||");

        SitePolicy policy =
                read(new QueueOrder(new Controller(FACTORS), RankedPartition.parse(partition("a", 1, 1)), 8, 32)
                        .lines(priorities, lists.ranks(), FairShares.NONE));

        long scale = policy.priority().weight(PriorityWeight.USERPRIOWEIGHT);
        assertThat(policy.qos().get("own").priority()).isEqualTo(3000 * scale);
        assertThat(policy.qos().get("low").priority()).isEqualTo(1500 * scale);
        assertThat(policy.qos().get("high").priority()).isGreaterThan(16_500 * scale);
    }

    /** Of two that preempt each other one has to be first. */
    @Test
    void shouldTellOfQosThatPreemptEachOther() {
        QosPreemption lists = qos("a|b|cluster||", "b|a|cluster||");

        assertThat(lists.ranks()).containsExactly(Map.entry("a", 1), Map.entry("b", 0));
        assertThat(PreemptionOrder.lines(
                        new Controller("PreemptType = preempt/qos\nPreemptMode = CANCEL\n"), List.of(), lists))
                .contains("# QOS a, listed by QOS b, preempt it in turn: whose jobs have the lower priority give way.");
    }

    @Test
    void shouldPreemptNobodyWhereJobsWouldBeSuspendedOrPreemptionIsOff() {
        String tiers = partition("low", 1, 1).replace("LLN", "PreemptMode=SUSPEND LLN") + partition("high", 2, 1);

        assertThat(preemption("PreemptType = preempt/partition_prio\n", tiers)).isEqualTo(read(List.of()));
        assertThat(preemption("PreemptType = (null)\n", tiers)).isEqualTo(read(List.of()));
    }
}
