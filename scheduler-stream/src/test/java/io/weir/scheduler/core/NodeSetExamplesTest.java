package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.Decision;
import io.weir.schemas.JobState;
import io.weir.schemas.NameCount;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.TaskPlacement;
import io.weir.schemas.TaskRequirement;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Node sets from configuration text to starts and reservations; a node holds one task unless processors are stated. */
class NodeSetExamplesTest {
    private static final long MINUTE = 60;
    private static final long HOUR = 3600;

    private SchedulerFixture weir = new SchedulerFixture();

    // Tolerance

    @Feature({"SET-15", "SET-16"})
    @Test
    void TO1() {
        speeds("", 500, 750).submit("j", 2, HOUR).iterate(0);

        assertThat(weir.started()).containsExactly("j");
    }

    @Feature({"SET-15", "SET-16"})
    @Test
    void TO2() {
        speeds("", 500, 900).submit("j", 2, HOUR).submit("single", 1, HOUR).iterate(0);

        assertThat(weir.started()).containsExactly("single");
    }

    @Feature("SET-15")
    @Test
    void TO3() {
        speeds("", 750, 900).submit("j", 2, HOUR).iterate(0);

        assertThat(weir.started()).containsExactly("j");
    }

    /** The sets are {500, 750}, {750, 900} and {900}. */
    @Feature("SET-15")
    @Test
    void TO4() {
        speeds("", 500, 750, 900).submit("all", 3, HOUR).iterate(0);
        assertThat(weir.started()).isEmpty();

        speeds("NODESETPRIORITYTYPE FIRSTFIT", 500, 750, 900)
                .submit("first", 2, HOUR)
                .iterate(0);
        assertThat(nodesOf("first")).containsExactly("n1", "n2");

        speeds("NODESETPRIORITYTYPE FIRSTFIT", 500, 750, 900).adopt("busy", 1, HOUR, 0, "n1");
        weir.submit("second", 2, HOUR).iterate(0);
        assertThat(nodesOf("second")).containsExactly("n2", "n3");

        speeds("NODESETPRIORITYTYPE BESTRESOURCE", 500, 750, 900)
                .submit("third", 1, HOUR)
                .iterate(0);
        assertThat(nodesOf("third")).containsExactly("n3");
    }

    @Feature("SET-15")
    @Test
    void TO5() {
        speeds("NODESETTOLERANCE 0.0", 500, 500).submit("j", 2, HOUR).iterate(0);

        assertThat(weir.started()).containsExactly("j");
    }

    @Feature("SET-15")
    @Test
    void TO6() {
        speeds("NODESETTOLERANCE 0.0", 500, 501).submit("j", 2, HOUR).iterate(0);

        assertThat(weir.started()).isEmpty();
    }

    // Optional sets and delay

    /** switchA has three of five nodes idle, switchB two of five; both are fully free in an hour. */
    @Feature({"SET-12", "SET-13", "SET-14"})
    @Test
    void OP1() {
        switches("").submit("j", 4, HOUR).iterate(0);
        assertThat(nodesOf("j")).hasSize(4).isSubsetOf("a1", "a2", "a3", "b1", "b2");

        switches("NODESETDELAY 2:00:00").submit("j", 4, HOUR).iterate(0);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("j")).isEqualTo(HOUR);
        assertThat(reservedNodes("j")).hasSize(4).isSubsetOf("a1", "a2", "a3", "a4", "a5");
        assertThat(weir.lastDecisions())
                .extracting(Decision::getReason)
                .containsExactly("cannot start now; in node set switchA");

        switches("NODESETISOPTIONAL FALSE").submit("j", 4, HOUR).iterate(0);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("j")).isEqualTo(HOUR);
        assertThat(reservedNodes("j")).hasSize(4).isSubsetOf("a1", "a2", "a3", "a4", "a5");
    }

    /** Each switch has five nodes in total. */
    @Feature("SET-13")
    @Test
    void OP2() {
        switches("NODESETISOPTIONAL FALSE")
                .heartbeat(1, true, SchedulerFixture.EPOCH, 0)
                .submit("j", 6, HOUR)
                .iterate(0);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("j")).isEqualTo(-1);
        assertThat(weir.job("j").getMessages()).containsExactly("Set: no node set could ever hold the request");

        switches("").submit("j", 6, HOUR).iterate(0);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("j")).isEqualTo(HOUR);

        switches("").node("b6", 1, NodeState.IDLE, features("switchB"));
        weir.submit("j", 6, HOUR).iterate(0);
        assertThat(nodesOf("j")).containsExactly("a1", "a2", "a3", "b1", "b2", "b6");
    }

    // Priority types

    @Feature({"SET-20", "SET-22", "SET-24"})
    @ParameterizedTest
    @CsvSource({"FIRSTFIT,A", "BESTFIT,B", "WORSTFIT,A", "MINLOSS,A"})
    void NP1(String type, String set) {
        threeSets(type).submit("j", 4, HOUR).iterate(0);

        assertThat(nodesOf("j")).hasSize(4).allMatch(node -> node.startsWith(set));
    }

    @Feature({"SET-20", "SET-22", "SET-24"})
    @ParameterizedTest
    @CsvSource({"FIRSTFIT,A", "BESTFIT,C", "WORSTFIT,A"})
    void NP2(String type, String set) {
        threeSets(type).submit("j", 5, HOUR).iterate(0);

        assertThat(nodesOf("j")).hasSize(5).allMatch(node -> node.startsWith(set));
    }

    @Feature({"SET-20", "SET-22", "SET-24"})
    @ParameterizedTest
    @CsvSource({"FIRSTFIT", "BESTFIT", "WORSTFIT"})
    void NP3(String type) {
        threeSets(type).submit("j", 9, HOUR).iterate(0);

        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("j")).isEqualTo(-1);
    }

    /** Base 500 wastes 2 x 250 = 500, base 750 wastes 2 x 150 = 300, base 900 has only two nodes. */
    @Feature({"SET-21", "SET-23"})
    @ParameterizedTest
    @CsvSource({"MINLOSS,n3 n4 n5 n6", "BESTRESOURCE,n3 n4 n5 n6", "FIRSTFIT,n1 n2 n3 n4"})
    void NP4(String type, String nodes) {
        speeds("NODESETPRIORITYTYPE " + type, 500, 500, 750, 750, 900, 900)
                .submit("j", 4, HOUR)
                .iterate(0);

        assertThat(nodesOf("j")).containsExactly(nodes.split(" "));
    }

    /** Nothing is wasted in any set. */
    @Feature({"SET-21", "SET-23"})
    @ParameterizedTest
    @CsvSource({"MINLOSS,n1 n2", "BESTRESOURCE,n5 n6"})
    void NP5(String type, String nodes) {
        speeds("NODESETPRIORITYTYPE " + type + "\nNODEALLOCATIONPOLICY FIRSTAVAILABLE", 500, 500, 750, 750, 900, 900)
                .submit("j", 2, HOUR)
                .iterate(0);

        assertThat(nodesOf("j")).containsExactly(nodes.split(" "));
    }

    /** A has a node in a reservation that takes jobs of class batch as a last resort. */
    @Feature("SET-19")
    @Test
    void NP6() {
        for (String type : List.of("AFFINITY", "FIRSTFIT")) {
            weir = sets("NODESETLIST A,B\nNODESETPRIORITYTYPE " + type
                    + "\nSRCFG[last] HOSTLIST=A1 CLASSLIST=batch- PERIOD=INFINITY");
            weir.node("A1", 1, NodeState.IDLE, features("A")).node("A2", 1, NodeState.IDLE, features("A"));
            weir.node("B1", 1, NodeState.IDLE, features("B")).node("B2", 1, NodeState.IDLE, features("B"));
            weir.submit("j", 2, HOUR, job -> job.setJobClass("batch")).iterate(0);

            assertThat(setsOf("j")).as(type).containsOnly(type.equals("AFFINITY") ? "B" : "A");
        }
    }

    /** The job leaves 10 processors of s1 idle or 2 of s2. */
    @Feature("SET-23")
    @Test
    void NP7() {
        String sets = "NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETLIST s1,s2\n";
        sharedMemory(sets + "PARCFG[smp] FLAGS=SHAREDMEM").submit("j", 6, HOUR).iterate(0);
        assertThat(nodesOf("j")).containsExactly("m2");

        sharedMemory(sets).submit("j", 6, HOUR).iterate(0);
        assertThat(nodesOf("j")).containsExactly("m1");
    }

    // NODESETPLUS

    @Feature("SET-25")
    @Test
    void SP1() {
        fourSets("").submit("j", 8, HOUR).iterate(0);

        assertThat(nodesOf("j")).containsExactly("a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4");
    }

    @Feature("SET-25")
    @Test
    void SP2() {
        fourSets("").submit("j", 12, HOUR).iterate(0);

        assertThat(setsOf("j")).containsExactly("a", "a", "a", "a", "b", "b", "b", "b", "c", "c", "c", "c");
    }

    @Feature("SET-25")
    @Test
    void SP3() {
        fourSets("").submit("j", 6, HOUR).iterate(0);

        assertThat(setsOf("j")).containsExactly("a", "a", "a", "b", "b", "b");
    }

    @Feature("SET-25")
    @Test
    void SP4() {
        fourSets("").submit("j", 10, HOUR).iterate(0);
        assertThat(nodesOf("j")).hasSize(10);

        fourSets("NODESETISOPTIONAL FALSE").submit("j", 10, HOUR).iterate(0);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("j")).isEqualTo(-1);
    }

    @Feature("SET-25")
    @Test
    void SP5() {
        fourSets("NODESETISOPTIONAL FALSE").submit("j", 16, HOUR).iterate(0);

        assertThat(nodesOf("j")).hasSize(16);
    }

    @Feature("SET-25")
    @Test
    void SP6() {
        fourSets("").submit("j", 3, HOUR).iterate(0);

        assertThat(setsOf("j")).containsExactly("a", "a", "a");
    }

    /** Four nodes are idle as 2 + 2; one set is free in 20 minutes. */
    @Feature("SET-26")
    @Test
    void SP7() {
        twoHalfFreeSets("SPANEVENLY", "30:00").submit("j", 4, HOUR).iterate(0);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("j")).isEqualTo(20 * MINUTE);
        assertThat(reservedNodes("j")).containsExactlyInAnyOrder("a1", "a2", "a3", "a4");

        twoHalfFreeSets("SPANEVENLY", "10:00").submit("j", 4, HOUR).iterate(0);
        assertThat(nodesOf("j")).containsExactly("a1", "a2", "b1", "b2");
    }

    /** Machines of 8 and 16 processors, and a cluster besides; the job takes 6 processors. */
    @Feature("SET-27")
    @Test
    void SP8() {
        machines("30:00").submit("j", 6, HOUR).iterate(0);
        assertThat(nodesOf("j")).containsExactly("small");

        machines("30:00").adopt("s", 8, 20 * MINUTE, 0, "small").adopt("l", 16, 2 * HOUR, 0, "large");
        weir.submit("j", 6, HOUR).iterate(0);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("j")).isEqualTo(20 * MINUTE);
        assertThat(reservedNodes("j")).containsExactly("small");

        machines("10:00").adopt("s", 8, 20 * MINUTE, 0, "small").adopt("l", 16, 2 * HOUR, 0, "large");
        weir.submit("j", 6, HOUR).iterate(0);
        assertThat(nodesOf("j")).containsExactly("x", "y");
    }

    // Nested sets: blades of two nodes, quads of two blades, octets of two quads, all sixteen

    @Feature("SET-28")
    @ParameterizedTest
    @CsvSource({"1", "2"})
    void NE1(int tasks) {
        nested("").submit("j", tasks, HOUR).iterate(0);

        assertThat(nodesOf("j")).hasSize(tasks).isSubsetOf("n1", "n2");
    }

    @Feature("SET-28")
    @Test
    void NE2() {
        nested("").adopt("b1", 1, HOUR, 0, "n1").adopt("b2", 1, HOUR, 0, "n2");
        weir.submit("j", 2, HOUR).iterate(0);

        assertThat(nodesOf("j")).containsExactly("n3", "n4");
    }

    @Feature("SET-28")
    @Test
    void NE3() {
        nested("");
        for (int node = 1; node <= 16; node += 2) {
            weir.adopt("b" + node, 1, HOUR, 0, "n" + node);
        }
        weir.submit("j", 2, HOUR).iterate(0);

        assertThat(nodesOf("j")).containsExactly("n2", "n4");
    }

    @Feature("SET-28")
    @ParameterizedTest
    @CsvSource({"3", "4"})
    void NE4(int tasks) {
        nested("").submit("j", tasks, HOUR).iterate(0);

        assertThat(nodesOf("j")).hasSize(tasks).isSubsetOf("n1", "n2", "n3", "n4");
    }

    @Feature("SET-28")
    @ParameterizedTest
    @CsvSource({"5", "6", "7", "8"})
    void NE5(int tasks) {
        nested("").submit("j", tasks, HOUR).iterate(0);

        assertThat(nodesOf("j")).hasSize(tasks).isSubsetOf("n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8");
    }

    @Feature("SET-28")
    @Test
    void NE6() {
        nested("").adopt("busy", 1, HOUR, 0, "n5");
        weir.submit("j", 8, HOUR).iterate(0);

        assertThat(nodesOf("j")).containsExactly("n9", "n10", "n11", "n12", "n13", "n14", "n15", "n16");
    }

    @Feature("SET-28")
    @ParameterizedTest
    @CsvSource({"9", "12", "16"})
    void NE7(int tasks) {
        nested("").submit("j", tasks, HOUR).iterate(0);

        assertThat(nodesOf("j")).hasSize(tasks);
    }

    @Feature("SET-28")
    @Test
    void NE8() {
        nested("").submit("j", 17, HOUR).iterate(0);

        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("j")).isEqualTo(-1);
    }

    // Classes and jobs

    @Feature("SET-31")
    @Test
    void CD1() {
        processors("", 3, 5).submit("j", 4, HOUR, job -> job.setJobClass("amd")).iterate(0);
        assertThat(nodesOf("j")).hasSize(4).allMatch(node -> node.startsWith("o"));

        processors("NODESETISOPTIONAL FALSE", 3, 3)
                .submit("j", 4, HOUR, job -> job.setJobClass("amd"))
                .iterate(0);
        assertThat(weir.started()).isEmpty();

        processors("", 3, 3).submit("j", 4, HOUR, job -> job.setJobClass("amd")).iterate(0);
        assertThat(weir.started())
                .as("confined where nothing is said of optional sets")
                .isEmpty();

        processors("NODESETISOPTIONAL TRUE", 3, 3)
                .submit("j", 4, HOUR, job -> job.setJobClass("amd"))
                .iterate(0);
        assertThat(nodesOf("j")).hasSize(4);

        processors("", 3, 3)
                .submit("j", 4, HOUR, job -> job.setJobClass("amd").setExtension("nodeset=NONE"))
                .iterate(0);
        assertThat(weir.started()).as("a job does not free itself").isEmpty();

        processors("NODESETISOPTIONAL FALSE", 3, 3).submit("other", 4, HOUR).iterate(0);
        assertThat(nodesOf("other")).hasSize(4);
    }

    // Attributes, lists and policies

    @Feature({"SET-1", "SET-5"})
    @Test
    void shouldRunAJobAtASingleSpeed() {
        weir.policy("NODESETISOPTIONAL FALSE");
        mixedSpeeds(500, 600, 500, 600, 500);
        weir.submit("j", 3, HOUR, job -> job.setExtension("nodeset=ONEOF:PROCSPEED"))
                .submit("waits", 2, HOUR, job -> job.setExtension("nodeset=FIRSTOF:PROCSPEED:500"))
                .iterate(0);

        assertThat(nodesOf("j")).containsExactly("n1", "n3", "n5");
        assertThat(weir.job("waits").getState()).isEqualTo(JobState.IDLE);
    }

    @Feature({"SET-2", "SET-30"})
    @Test
    void shouldLetAJobOverrideTheSitesSets() {
        weir = sets("NODESETLIST a,b\nNODESETISOPTIONAL FALSE");
        weir.node("n1", 1, NodeState.IDLE, features("a", "x")).node("n2", 1, NodeState.IDLE, features("b", "x"));
        weir.submit("site", 2, HOUR).iterate(0);
        assertThat(weir.started()).isEmpty();

        weir.submit("own", 2, HOUR, job -> job.setExtension("nodeset=ONEOF:FEATURE:x"))
                .iterate(0);
        assertThat(nodesOf("own")).containsExactly("n1", "n2");
    }

    @Feature("SET-30")
    @Test
    void shouldLetAJobSetWhatTheSiteSetsExceptTheDelay() {
        threeSets("FIRSTFIT");
        weir.submit("best", 4, HOUR, job -> job.setExtension("nodesetprioritytype=BESTFIT"))
                .iterate(0);
        assertThat(nodesOf("best")).hasSize(4).allMatch(node -> node.startsWith("B"));

        threeSets("FIRSTFIT");
        weir.submit("mixed", 9, HOUR, job -> job.setExtension("nodesetisoptional=TRUE"))
                .iterate(0);
        assertThat(nodesOf("mixed")).hasSize(9);

        threeSets("FIRSTFIT");
        weir.submit("even", 12, HOUR, job -> job.setExtension("nodesetplus=SPANEVENLY"))
                .iterate(0);
        assertThat(setsOf("even")).containsExactly("A", "A", "A", "A", "A", "A", "C", "C", "C", "C", "C", "C");

        speeds("NODESETTOLERANCE 0.0", 500, 750)
                .submit("wide", 2, HOUR, job -> job.setExtension("nodesettolerance=0.5"))
                .iterate(0);
        assertThat(nodesOf("wide")).containsExactly("n1", "n2");

        threeSets("FIRSTFIT");
        weir.submit("patient", 1, HOUR, job -> job.setExtension("nodesetdelay=1:00:00"))
                .iterate(0);
        assertThat(weir.job("patient").getMessages())
                .anySatisfy(text -> assertThat(text).contains("nodesetdelay"));

        switches("")
                .submit("patient", 4, HOUR, job -> job.setExtension("nodesetdelay=2:00:00"))
                .iterate(0);
        assertThat(weir.started()).as("the delay has no effect").containsExactly("patient");

        threeSets("FIRSTFIT");
        weir.submit("bad", 1, HOUR, job -> job.setExtension("nodeset=SOMEOF:FEATURE:A"))
                .iterate(0);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.job("bad").getReason()).contains("SOMEOF");
    }

    @Feature("SET-2")
    @Test
    void shouldPutAJobsSetsBeforeThoseOfItsClass() {
        processors("NODESETISOPTIONAL FALSE", 3, 3)
                .submit(
                        "j",
                        4,
                        HOUR,
                        job -> job.setJobClass("amd").setExtension("nodeset=ANYOF:FEATURE:ATHLON,OPTERON"))
                .iterate(0);
        assertThat(nodesOf("j")).hasSize(4);
    }

    @Feature("SET-2")
    @Test
    void shouldLetAJobDoWithoutSetsWhereTheyAreOptional() {
        processors("NODEALLOCATIONPOLICY FIRSTAVAILABLE\nNODESETISOPTIONAL TRUE", 3, 5)
                .submit("none", 4, HOUR, job -> job.setJobClass("amd").setExtension("nodeset=NONE"))
                .iterate(0);
        assertThat(nodesOf("none")).containsExactly("a1", "a2", "a3", "o1");

        processors("NODESETISOPTIONAL FALSE", 3, 3)
                .submit("none", 4, HOUR, job -> job.setJobClass("amd").setExtension("nodeset=NONE"))
                .iterate(0);
        assertThat(weir.started()).isEmpty();
    }

    @Feature("SET-3")
    @Test
    void shouldFormSetsByMemory() {
        weir = attribute("MEMORY", "");
        weir.node("n1", 1, NodeState.IDLE, node -> node.setMemoryMb(512L))
                .node("n2", 1, NodeState.IDLE, node -> node.setMemoryMb(1024L))
                .node("n3", 1, NodeState.IDLE, node -> node.setMemoryMb(1024L));
        weir.submit("three", 3, HOUR).submit("j", 2, HOUR).iterate(0);

        assertThat(weir.started()).containsExactly("j");
        assertThat(nodesOf("j")).containsExactly("n2", "n3");
    }

    @Feature("SET-3")
    @Test
    void shouldFormSetsByArchitecture() {
        weir = attribute("ARCH", "");
        weir.node("n1", 1, NodeState.IDLE, node -> node.setArch("x86"))
                .node("n2", 1, NodeState.IDLE, node -> node.setArch("arm"))
                .node("n3", 1, NodeState.IDLE, node -> node.setArch("arm"));
        weir.submit("three", 3, HOUR).submit("j", 2, HOUR).iterate(0);

        assertThat(weir.started()).containsExactly("j");
        assertThat(nodesOf("j")).containsExactly("n2", "n3");
    }

    @Feature("SET-3")
    @Test
    void shouldFormSetsByClass() {
        weir = attribute("CLASS", "");
        weir.node("n1", 1, NodeState.IDLE, node -> node.setClasses(List.of(new NameCount("batch", 1L))))
                .node("n2", 1, NodeState.IDLE, node -> node.setClasses(List.of(new NameCount("long", 1L))))
                .node("n3", 1, NodeState.IDLE, node -> node.setClasses(List.of(new NameCount("long", 1L))));
        weir.submit("three", 3, HOUR).submit("j", 2, HOUR).iterate(0);

        assertThat(weir.started()).containsExactly("j");
        assertThat(nodesOf("j")).containsExactly("n2", "n3");
    }

    /** Node c1 is in no set; the other two tasks stay inside one. */
    @Feature({"SET-3", "REQ-7"})
    @Test
    void shouldNotConcernTasksThatAskForNodesByName() {
        weir = sets("NODESETLIST a,b\nNODESETISOPTIONAL FALSE");
        weir.node("a1", 1, NodeState.IDLE, features("a"))
                .node("c1", 1, NodeState.IDLE, features("c"))
                .node("b1", 1, NodeState.IDLE, features("b"))
                .node("b2", 1, NodeState.IDLE, features("b"));
        TaskRequirement named = task(1).setHosts(List.of("c1")).build();
        weir.submit("busy", 1, 10, job -> job.setHosts(List.of("c1"))).iterate(0);
        weir.submit("j", 3, HOUR, job -> job.setRequirements(List.of(named, task(2).build())))
                .iterate(1);
        assertThat(weir.lastDecisions())
                .extracting(Decision::getReason)
                .containsExactly("cannot start now; in node set b");

        weir.end("busy", 2).iterate(2);
        assertThat(nodesOf("j")).containsExactly("c1", "b1", "b2");
        weir.end("j", 10);
        weir.submit("k", 1, HOUR, job -> job.setRequirements(List.of(named))).iterate(10);
        assertThat(nodesOf("k")).containsExactly("c1");
    }

    @Feature("SET-4")
    @Test
    void shouldAcceptAnySpeedFromTheLowestToTheHighestListed() {
        mixedSpeeds(400, 450, 500, 550, 650, 700);
        weir.submit("j", 4, HOUR, job -> job.setExtension("nodeset=ANYOF:PROCSPEED:450,500,650"))
                .iterate(0);

        assertThat(nodesOf("j")).containsExactly("n2", "n3", "n4", "n5");

        weir = new SchedulerFixture().policy("NODESETISOPTIONAL FALSE");
        mixedSpeeds(400, 450, 500, 550, 650, 700);
        weir.submit("j", 5, HOUR, job -> job.setExtension("nodeset=ANYOF:PROCSPEED:450,500,650"))
                .iterate(0);

        assertThat(weir.started()).isEmpty();
    }

    @Feature({"SET-3", "SET-6"})
    @Test
    void shouldTryNetworksInTheOrderListed() {
        weir.policy("NODESETISOPTIONAL FALSE\nNODESETPRIORITYTYPE FIRSTFIT");
        List<String> networks = List.of("ethernet", "ethernet", "myrinet", "myrinet", "via", "via");
        for (int i = 0; i < networks.size(); i++) {
            String network = networks.get(i);
            weir.node("n" + (i + 1), 1, NodeState.IDLE, node -> node.setNetworks(List.of(network)));
        }
        for (String job : List.of("first", "second", "third", "fourth")) {
            weir.submit(job, 2, HOUR, report -> report.setExtension("nodeset=ONEOF:NETWORK:via,myrinet,ethernet"));
        }
        weir.iterate(0);

        assertThat(nodesOf("first")).containsExactly("n5", "n6");
        assertThat(nodesOf("second")).containsExactly("n3", "n4");
        assertThat(nodesOf("third")).containsExactly("n1", "n2");
        assertThat(weir.job("fourth").getState()).isEqualTo(JobState.IDLE);
    }

    @Feature("SET-7")
    @Test
    void shouldCountOnlyNodesThatMeetAllRequirements() {
        weir = sets("NODESETLIST a,b\nNODESETISOPTIONAL FALSE");
        weir.node("a1", 1, NodeState.IDLE, node -> node.setMemoryMb(512L).setFeatures(List.of("a")))
                .node("a2", 1, NodeState.IDLE, node -> node.setMemoryMb(4096L).setFeatures(List.of("a")))
                .node("a3", 1, NodeState.DOWN, node -> node.setMemoryMb(4096L).setFeatures(List.of("a")))
                .node("b1", 1, NodeState.IDLE, node -> node.setMemoryMb(4096L).setFeatures(List.of("b")))
                .node("b2", 1, NodeState.IDLE, node -> node.setMemoryMb(4096L).setFeatures(List.of("b")));
        weir.submit(
                        "j",
                        2,
                        HOUR,
                        job -> job.setRequirements(
                                List.of(task(2).setMemoryMb(1024L).build())))
                .iterate(0);

        assertThat(nodesOf("j")).containsExactly("b1", "b2");
    }

    @Feature("SET-8")
    @Test
    void shouldOfferFloatingResourcesInEverySet() {
        weir = sets("NODESETLIST a,b\nNODESETISOPTIONAL FALSE");
        weir.node("GLOBAL", 1, NodeState.IDLE, node -> node.setGres(List.of(new NameCount("matlab", 2L))));
        weir.node("a1", 1, NodeState.IDLE, features("a"))
                .node("a2", 1, NodeState.IDLE, features("a"))
                .node("b1", 1, NodeState.IDLE, features("b"));
        weir.submit(
                        "j",
                        2,
                        HOUR,
                        job -> job.setRequirements(List.of(task(2).setGres(List.of(new NameCount("matlab", 1L)))
                                .build())))
                .iterate(0);

        assertThat(nodesOf("j")).containsExactly("a1", "a2");
    }

    @Feature("SET-9")
    @ParameterizedTest
    @CsvSource({"ONEOF,B1 B2", "FIRSTOF,A1 A2", "ANYOF,C2 C3"})
    void shouldUseSetsAsThePolicySays(String policy, String nodes) {
        weir = new SchedulerFixture()
                .policy("NODESETATTRIBUTE FEATURE\nNODESETLIST A,B,C\nNODESETPRIORITYTYPE BESTFIT\nNODESETPOLICY "
                        + policy);
        int[] sizes = {4, 2, 3};
        for (int set = 0; set < sizes.length; set++) {
            String name = "ABC".substring(set, set + 1);
            for (int i = 1; i <= sizes[set]; i++) {
                weir.node(name + i, 1, NodeState.IDLE, features(name));
            }
        }
        weir.node("unlisted", 1, NodeState.IDLE, features("D"));
        weir.submit(
                        "j",
                        2,
                        HOUR,
                        job -> job.setExtension(
                                "nallocpolicy=" + (policy.equals("ANYOF") ? "LASTAVAILABLE" : "FIRSTAVAILABLE")))
                .iterate(0);

        assertThat(nodesOf("j")).containsExactly(nodes.split(" "));
    }

    @Test
    void shouldExplainWhatEachSetLacks() {
        switches("NODESETISOPTIONAL FALSE")
                .submit("j", 4, HOUR)
                .request("q", RequestKind.EXPLAIN_JOB, "j")
                .iterate(0);

        assertThat(weir.lastAnswers())
                .singleElement()
                .satisfies(answer -> assertThat(answer.getDetails())
                        .contains(new NameValue(
                                "nodeset",
                                "ONEOF:FEATURE:switchA,switchB,switchC,switchD (site): switchA holds only 3 of 4 tasks;"
                                        + " switchB holds only 2 of 4 tasks; switchC has no node for a task;"
                                        + " switchD has no node for a task")));
    }

    @Feature({"ALLOC-16", "SET-10", "SET-14"})
    @Test
    void shouldKeepJobsOnTheirSwitch() {
        switches("NODESETISOPTIONAL FALSE")
                .submit("one", 3, HOUR)
                .submit("two", 2, HOUR)
                .iterate(0);

        assertThat(nodesOf("one")).containsExactly("a1", "a2", "a3");
        assertThat(nodesOf("two")).containsExactly("b1", "b2");
    }

    /** All nodes have the feature fast, which is not listed. */
    @Feature("SET-11")
    @Test
    void shouldFormNoSetOfAFeatureThatIsNotListed() {
        switches("NODESETISOPTIONAL FALSE").submit("j", 5, HOUR).iterate(0);
        assertThat(weir.started()).isEmpty();

        weir = sets("NODESETLIST fast\nNODESETISOPTIONAL FALSE");
        weir.node("a1", 1, NodeState.IDLE, features("switchA", "fast"))
                .node("b1", 1, NodeState.IDLE, features("switchB", "fast"));
        weir.submit("j", 2, HOUR).iterate(0);
        assertThat(nodesOf("j")).containsExactly("a1", "b1");
    }

    @Feature("SET-29")
    @Test
    void shouldReadAListWithBlanksAfterItsCommas() {
        weir = sets("NODESETLIST switchA, switchB,  switchC\nNODESETISOPTIONAL FALSE");
        weir.node("a1", 1, NodeState.IDLE, features("switchA"))
                .node("b1", 1, NodeState.IDLE, features("switchB"))
                .node("b2", 1, NodeState.IDLE, features("switchB"));
        weir.submit("j", 2, HOUR).iterate(0);

        assertThat(nodesOf("j")).containsExactly("b1", "b2");
    }

    @Feature("SET-17")
    @Test
    void shouldWarnOfAToleranceOfOtherAttributes() {
        weir = attribute("MEMORY", "NODESETTOLERANCE 0.5");
        weir.node("n1", 1, NodeState.IDLE, node -> node.setMemoryMb(500L))
                .node("n2", 1, NodeState.IDLE, node -> node.setMemoryMb(510L));
        weir.submit("j", 2, HOUR).iterate(0);

        assertThat(weir.lastNotifications())
                .extracting(Notification::getText)
                .anySatisfy(
                        text -> assertThat(text).contains("NODESETTOLERANCE").contains("PROCSPEED"));
        assertThat(weir.started()).isEmpty();
    }

    /** The set of base 500 is the only one that holds the job; inside it 600, 600, 600 lie closest together. */
    @Feature("SET-18")
    @Test
    void shouldBalanceSpeedsInsideASet() {
        speeds(
                        "NODEALLOCATIONPOLICY MAXBALANCE\nNODESETPRIORITYTYPE FIRSTFIT",
                        500,
                        600,
                        700,
                        600,
                        600,
                        2000,
                        2000,
                        2000)
                .submit("j", 3, HOUR)
                .iterate(0);

        assertThat(nodesOf("j")).containsExactly("n2", "n4", "n5");
    }

    @Feature("SET-13")
    @Test
    void shouldPlaceJobsWithAHostListWithoutSets() {
        switches("NODESETISOPTIONAL FALSE")
                .submit("j", 2, HOUR, job -> job.setHosts(List.of("a1", "b1")))
                .iterate(0);

        assertThat(nodesOf("j")).containsExactly("a1", "b1");
    }

    @Feature({"SET-13", "SET-10"})
    @Test
    void shouldKeepTasksPerNodeInsideASet() {
        weir = sets("NODESETLIST a,b\nNODESETISOPTIONAL FALSE\nJOBNODEMATCHPOLICY EXACTNODE");
        weir.node("a1", 3, NodeState.IDLE, features("a")).node("a2", 1, NodeState.IDLE, features("a"));
        weir.node("b1", 2, NodeState.IDLE, features("b")).node("b2", 2, NodeState.IDLE, features("b"));
        weir.submit(
                        "j",
                        4,
                        HOUR,
                        job -> job.setRequirements(
                                List.of(task(4).setNodes(2).setTasksPerNode(2).build())))
                .iterate(0);

        assertThat(nodesOf("j")).containsExactly("b1", "b2");
    }

    /** Both groups may lie on a1; where they may not, both nodes are reserved, so that nobody is put on a1 meanwhile. */
    @Feature({"SET-13", "SET-10"})
    @Test
    void shouldReserveTheNodesThatAStartInsideASetNeeds() {
        for (boolean exact : new boolean[] {false, true}) {
            weir = sets("NODESETLIST a,b\nNODESETISOPTIONAL FALSE" + (exact ? "\nJOBNODEMATCHPOLICY EXACTNODE" : ""));
            weir.node("a1", 4, NodeState.IDLE, features("a")).node("a2", 4, NodeState.IDLE, features("a"));
            weir.node("b1", 4, NodeState.IDLE, features("b")).adopt("R", 4, HOUR, 0, "a2");
            weir.submit("j", 2, HOUR, job -> job.setExtension("nodes=2:ppn=1"))
                    .submit("k", 4, 2 * HOUR, job -> job.setHosts(List.of("a1")))
                    .iterate(0);

            assertThat(weir.started()).containsExactlyElementsOf(exact ? List.of() : List.of("j"));
            if (exact) {
                assertThat(weir.reservedStart("j")).isEqualTo(HOUR);
                assertThat(reservedNodes("j")).containsExactlyInAnyOrder("a1", "a2");
            } else {
                assertThat(nodesOf("j")).containsOnly("a1");
            }
        }
    }

    /** A job that waits for a set keeps no other job from nodes that are not of its set. */
    @Feature("SET-12")
    @Test
    void shouldReserveNodesOfTheSetOnly() {
        switches("NODESETISOPTIONAL FALSE")
                .submit("waits", 5, HOUR)
                .submit("fits", 2, 2 * HOUR)
                .iterate(0);

        assertThat(weir.reservedStart("waits")).isEqualTo(HOUR);
        assertThat(weir.started()).containsExactly("fits");
        List<String> fits = nodesOf("fits");
        assertThat(reservedNodes("waits")).hasSize(5).doesNotContainAnyElementsOf(fits);
    }

    private SchedulerFixture speeds(String more, int... mhz) {
        weir = new SchedulerFixture()
                .policy("NODESETPOLICY ONEOF\nNODESETATTRIBUTE PROCSPEED\nNODESETISOPTIONAL FALSE\n"
                        + "NODESETTOLERANCE 0.5\n" + more);
        for (int i = 0; i < mhz.length; i++) {
            int speed = mhz[i];
            weir.node("n" + (i + 1), 1, NodeState.IDLE, node -> node.setProcSpeedMhz(speed));
        }
        return weir;
    }

    private SchedulerFixture switches(String more) {
        weir = sets("NODESETLIST switchA,switchB,switchC,switchD\n" + more);
        for (int i = 1; i <= 5; i++) {
            weir.node("a" + i, 1, NodeState.IDLE, features("switchA", "fast"));
        }
        for (int i = 1; i <= 5; i++) {
            weir.node("b" + i, 1, NodeState.IDLE, features("switchB", "fast"));
        }
        for (String node : List.of("a4", "a5", "b3", "b4", "b5")) {
            weir.adopt("on-" + node, 1, HOUR, 0, node);
        }
        return weir;
    }

    private SchedulerFixture threeSets(String type) {
        weir = sets("NODESETLIST A, B, C\nNODESETISOPTIONAL FALSE\nNODESETPRIORITYTYPE " + type);
        int[] sizes = {8, 4, 6};
        for (int set = 0; set < sizes.length; set++) {
            String name = "ABC".substring(set, set + 1);
            for (int i = 1; i <= sizes[set]; i++) {
                weir.node(name + i, 1, NodeState.IDLE, features(name));
            }
        }
        return weir;
    }

    private SchedulerFixture sharedMemory(String policy) {
        weir = new SchedulerFixture().policy(policy);
        weir.node("m1", 16, NodeState.IDLE, node -> node.setPartition("smp").setFeatures(List.of("s1")));
        return weir.node(
                "m2", 8, NodeState.IDLE, node -> node.setPartition("smp").setFeatures(List.of("s2")));
    }

    private SchedulerFixture fourSets(String more) {
        weir = sets("NODESETLIST a,b,c,d\nNODESETPLUS SPANEVENLY\n" + more);
        for (String set : List.of("a", "b", "c", "d")) {
            for (int i = 1; i <= 4; i++) {
                weir.node(set + i, 1, NodeState.IDLE, features(set));
            }
        }
        return weir;
    }

    private SchedulerFixture twoHalfFreeSets(String plus, String delay) {
        weir = sets("NODESETLIST a,b\nNODESETPLUS " + plus + "\nNODESETDELAY " + delay);
        for (String set : List.of("a", "b")) {
            for (int i = 1; i <= 4; i++) {
                weir.node(set + i, 1, NodeState.IDLE, features(set));
            }
        }
        weir.adopt("on-a3", 1, 20 * MINUTE, 0, "a3").adopt("on-a4", 1, 20 * MINUTE, 0, "a4");
        return weir.adopt("on-b3", 1, 2 * HOUR, 0, "b3").adopt("on-b4", 1, 2 * HOUR, 0, "b4");
    }

    private SchedulerFixture machines(String delay) {
        weir = sets("NODESETLIST large,small\nNODESETPLUS DELAY\nNODESETDELAY " + delay);
        weir.node("large", 16, NodeState.IDLE, features("large")).node("small", 8, NodeState.IDLE, features("small"));
        return weir.node("x", 3, NodeState.IDLE).node("y", 3, NodeState.IDLE);
    }

    private SchedulerFixture nested(String more) {
        weir = sets("NODESETLIST blade1a,blade1b,blade2a,blade2b,blade3a,blade3b,blade4a,blade4b,"
                + "quad1a,quad1b,quad2a,quad2b,octet1,octet2,sixteen\nNODESETISOPTIONAL FALSE\n" + more);
        String[] blades = {"1a", "1b", "2a", "2b", "3a", "3b", "4a", "4b"};
        String[] quads = {"1a", "1b", "2a", "2b"};
        for (int i = 0; i < 16; i++) {
            weir.node(
                    "n" + (i + 1),
                    1,
                    NodeState.IDLE,
                    features("blade" + blades[i / 2], "quad" + quads[i / 4], "octet" + (i / 8 + 1), "sixteen"));
        }
        return weir;
    }

    private SchedulerFixture processors(String more, int athlons, int opterons) {
        weir = new SchedulerFixture().policy("CLASSCFG[amd] DEFAULT.NODESET=ONEOF:FEATURE:ATHLON,OPTERON\n" + more);
        for (int i = 1; i <= athlons; i++) {
            weir.node("a" + i, 1, NodeState.IDLE, features("ATHLON"));
        }
        for (int i = 1; i <= opterons; i++) {
            weir.node("o" + i, 1, NodeState.IDLE, features("OPTERON"));
        }
        return weir;
    }

    private void mixedSpeeds(int... mhz) {
        for (int i = 0; i < mhz.length; i++) {
            int speed = mhz[i];
            weir.node("n" + (i + 1), 1, NodeState.IDLE, node -> node.setProcSpeedMhz(speed));
        }
    }

    private static SchedulerFixture attribute(String name, String more) {
        return new SchedulerFixture()
                .policy("NODESETPOLICY ONEOF\nNODESETISOPTIONAL FALSE\nNODESETATTRIBUTE " + name + "\n" + more);
    }

    private static TaskRequirement.Builder task(int tasks) {
        return TaskRequirement.newBuilder().setTasks(tasks).setProcsPerTask(1);
    }

    private static SchedulerFixture sets(String more) {
        return new SchedulerFixture().policy("NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\n" + more);
    }

    private static Consumer<NodeReport.Builder> features(String... names) {
        String[] sorted = names.clone();
        Arrays.sort(sorted);
        return node -> node.setFeatures(Arrays.asList(sorted));
    }

    private List<String> nodesOf(String job) {
        assertThat(weir.job(job).getState()).as(job).isEqualTo(JobState.RUNNING);
        return weir.job(job).getAllocation().stream()
                .map(NodeAllocation::getNodeId)
                .toList();
    }

    /** The sets of the job's nodes, where a node's name begins with the one of its set. */
    private List<String> setsOf(String job) {
        return nodesOf(job).stream().map(node -> node.substring(0, 1)).toList();
    }

    private List<String> reservedNodes(String job) {
        return java.util.Objects.requireNonNull(weir.publishedReservations.get(job)).getPlacements().stream()
                .map(TaskPlacement::getNodeId)
                .toList();
    }
}
