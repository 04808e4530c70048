package io.weir.scheduler.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.policy.job.ClassConfig;
import io.weir.scheduler.core.policy.job.FairshareTarget;
import io.weir.scheduler.core.policy.job.QosConfig;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.core.policy.node.AllocationChoice;
import io.weir.scheduler.core.policy.node.AllocationPolicyKind;
import io.weir.scheduler.core.policy.node.AvailabilityMeasure;
import io.weir.scheduler.core.policy.node.NodeConfig;
import io.weir.scheduler.core.policy.node.ResourceKind;
import io.weir.scheduler.core.policy.nodeset.NodeSetAttribute;
import io.weir.scheduler.core.policy.nodeset.NodeSetPolicy;
import io.weir.scheduler.core.policy.nodeset.NodeSetSpec;
import io.weir.scheduler.core.policy.reservation.ReservationGroup;
import io.weir.scheduler.core.policy.reservation.ReservedTasksPerNode;
import io.weir.scheduler.core.policy.reservation.StandingConfig;
import io.weir.scheduler.core.policy.scheduler.AdminLevel;
import java.util.List;
import org.junit.jupiter.api.Test;

class SiteObjectsTest {
    @Test
    @Feature("CFG-2")
    void shouldFillObjectsAndTheirDefaults() {
        SitePolicy policy = SitePolicy.read("""
                NODECFG[DEFAULT] MAXLOAD=4.0 NODEAVAILABILITYPOLICY=DEDICATED:PROC,COMBINED
                NODECFG[n1] RCPROC=8 RCMEM=2G GRES=tape:2 VARIABLE=room=4 CLASSES=[batch:8][debug:2] RACK=3
                CLASSCFG[DEFAULT] PRIORITY=5 MAX.WCLIMIT=1:00:00
                CLASSCFG[batch] HOSTLIST=n1,n2 DEFAULT.NODESET=ONEOF:FEATURE:a,b
                QOSCFG[high] QFLAGS=nobf,usereserved:day QTTARGET=30:00 QTWEIGHT=10
                USERCFG[ann] FSTARGET=25.5+ QLIST=low,high&
                GROUPCFG[staff] FSTARGET=10%-
                ACCOUNTCFG[phys] PRIORITY=-3
                PARCFG[smp] FLAGS=sharedmem NODEALLOCATIONPOLICY=PLUGIN:mine RESERVATIONPOLICY=NEVER
                ADMINCFG[2] USERS=olga GROUPS=ops
                """).policy();

        NodeConfig node = policy.nodes().get("n1");
        assertThat(node.procs()).isEqualTo(8);
        assertThat(node.memoryMb()).isEqualTo(2048);
        assertThat(node.gres()).containsEntry("tape", 2L);
        assertThat(node.variables()).containsEntry("room", "4");
        assertThat(node.classes()).containsExactly("batch", "debug");
        assertThat(node.maxLoad()).as("of DEFAULT, behind what is reported").isNull();
        NodeConfig byDefault = policy.nodes().get(SitePolicy.DEFAULT_OBJECT);
        assertThat(byDefault.maxLoad()).isEqualTo(4.0);
        assertThat(byDefault.availability().byDefault()).isEqualTo(AvailabilityMeasure.COMBINED);
        assertThat(byDefault.availability().byResource())
                .containsEntry(ResourceKind.PROC, AvailabilityMeasure.DEDICATED);
        ClassConfig batch = policy.jobClass("batch");
        assertThat(batch.priority()).isEqualTo(5);
        assertThat(batch.maxWalltimeSeconds()).isEqualTo(3600);
        assertThat(batch.hosts()).containsExactly("n1", "n2");
        assertThat(batch.nodeSet())
                .isEqualTo(new NodeSetSpec(NodeSetPolicy.ONEOF, NodeSetAttribute.FEATURE, List.of("a", "b")));
        assertThat(policy.jobClass("other").priority()).isEqualTo(5);
        assertThat(policy.jobClass("other").hosts()).isEmpty();
        assertThat(policy.qos("high").flags()).containsExactly("NOBF", "USERESERVED:day");
        assertThat(policy.qos("high").queueTimeTargetSeconds()).isEqualTo(1800);
        assertThat(policy.qos("none")).isEqualTo(QosConfig.NONE);
        assertThat(policy.user("ann").fairshareTarget())
                .isEqualTo(new FairshareTarget(25.5, FairshareTarget.Kind.FLOOR));
        assertThat(policy.user("ann").qosList()).containsExactly("low", "high&");
        assertThat(policy.group("staff").fairshareTarget())
                .isEqualTo(new FairshareTarget(10, FairshareTarget.Kind.CEILING));
        assertThat(policy.account("phys").priority()).isEqualTo(-3);
        assertThat(policy.partition("smp").sharedMemory()).isTrue();
        assertThat(policy.partition("smp").allocation())
                .isEqualTo(new AllocationChoice(AllocationPolicyKind.PLUGIN, "mine"));
        assertThat(policy.admins()).containsExactly(new AdminLevel(2, List.of("olga"), List.of("ops"), List.of("ALL")));
    }

    @Test
    @Feature({"CFG-2", "RSV-14", "RSV-15"})
    void QG1() {
        SitePolicy.Reading reading = SitePolicy.read("""
                RESERVATIONQOSLIST[1] batch
                RESERVATIONDEPTH[0] 8
                RESERVATIONQOSLIST[0] highprio,interactive,debug
                RESERVATIONDEPTH[1] 2
                RESERVATIONRETRYTIME[0] 5:00
                """);

        assertThat(reading.problems())
                .filteredOn(problem -> problem.level() != PolicyProblem.Level.INFO)
                .isEmpty();
        assertThat(reading.policy().reservations().groups())
                .containsExactly(
                        new ReservationGroup("1", 2, List.of("batch"), 0),
                        new ReservationGroup("0", 8, List.of("highprio", "interactive", "debug"), 300),
                        ReservationGroup.DEFAULT);
    }

    /** Also where the default's attributes say how many there are; one for ever counts as one. */
    @Test
    void shouldSayWhereThereAreMoreInstancesThanReservationsAreKept() {
        String five = """
                SRCFG[DEFAULT] DEPTH=1000 HOSTLIST=n1
                SRCFG[e] COMMENT=e
                SRCFG[b] COMMENT=b
                SRCFG[c] COMMENT=c
                SRCFG[d] COMMENT=d
                SRCFG[a] COMMENT=a
                """;

        assertThat(SitePolicy.read(five).problems()).isEmpty();
        assertThat(SitePolicy.read(five + "SRCFG[aa] PERIOD=INFINITY\n").problems())
                .extracting(PolicyProblem::toString)
                .containsExactly(
                        "WARNING line 2: SRCFG[e] DEPTH: all standing reservations together have 5001 instances;"
                                + " at most 5000 reservations are kept, so 1 are not made: those farthest ahead of the"
                                + " reservations with most instances");
    }

    @Test
    @Feature("CFG-2")
    void shouldFillStandingReservationsAndTheirProfile() {
        SitePolicy policy = SitePolicy.read("""
                RSVPROFILE[maint] SUBTYPE=swmain OWNER=USER:root AACCOUNT=jupiter
                SRCFG[day] DAYS=Mon,Fri STARTTIME=9:00:00 ENDTIME=17:00:00 TASKCOUNT=6 RESOURCES=PROCS:1;MEM:512
                SRCFG[day] USERLIST=john+,steve- CLASSLIST=batch TIMELIMIT=1:00:00* PROFILE=maint TPN=2+
                """).policy();

        StandingConfig day = policy.standing().get("day");
        assertThat(day.days()).isEqualTo(0b0010001);
        assertThat(day.startSeconds()).isEqualTo(9 * 3600);
        assertThat(day.endSeconds()).isEqualTo(17 * 3600);
        assertThat(day.resources()).isEqualTo("PROCS:1;MEM:512");
        assertThat(day.acl()).isEqualTo("USER==john+,USER==steve-,CLASS==batch,DURATION<=1:00:00*");
        assertThat(day.subtype()).isEqualTo("SoftwareMaintenance");
        assertThat(day.owner()).isEqualTo("USER:root");
        assertThat(day.tasksPerNode()).isEqualTo(new ReservedTasksPerNode(2, true));
        assertThat(day.depth()).isEqualTo(2);
        assertThat(policy.profiles().get("maint").accountable()).containsEntry("aaccount", "jupiter");
    }

    @Test
    @Feature("CFG-1")
    void shouldReportWhatFitsTogetherBadly() {
        SitePolicy.Reading reading = SitePolicy.read("""
                NODESETPOLICY ONEOF
                NODEAVAILABILITYPOLICY DEDICATED:PROC COMBINED:PROC
                RESERVATIONQOSLIST[0] a,b
                RESERVATIONQOSLIST[1] b
                QUEUETIMEWEIGHT 0
                NODECFG[n1] PRIORITYF='5*LOAD + RANDOM*100'
                NODECFG[n1] PRIORITYF='LOAD +'
                NODEALLOCATIONPOLICY PLUGIN:mine
                SRCFG[x] PROFILE=none
                SRCFG[y] FLAGS=OWNERPREEMPT
                """);

        assertThat(reading.problems())
                .filteredOn(problem -> problem.level() != PolicyProblem.Level.INFO)
                .extracting(PolicyProblem::toString)
                .satisfiesExactly(
                        p -> assertThat(p).startsWith("ERROR line 1: NODESETPOLICY: needs NODESETATTRIBUTE"),
                        p -> assertThat(p).startsWith("WARNING line 2: NODEAVAILABILITYPOLICY: PROC is stated more"),
                        p -> assertThat(p).startsWith("WARNING line 4: RESERVATIONQOSLIST[1]: b is listed for group 0"),
                        p -> assertThat(p).startsWith("WARNING line 5: QUEUETIMEWEIGHT: no weight makes"),
                        p -> assertThat(p)
                                .startsWith("ERROR line 6: NODECFG[n1] PRIORITYF:")
                                .contains("term ignored"),
                        p -> assertThat(p).startsWith("ERROR line 7: NODECFG[n1] PRIORITYF: 'LOAD +' is no priority"),
                        p -> assertThat(p)
                                .startsWith("WARNING line 8: NODEALLOCATIONPOLICY: there is no NODEALLOCPLUGIN"),
                        p -> assertThat(p).startsWith("ERROR line 9: SRCFG[x] PROFILE: there is no RSVPROFILE[none]"),
                        p -> assertThat(p)
                                .startsWith(
                                        "WARNING line 10: SRCFG[y] FLAGS: OWNERPREEMPT means nothing without an OWNER"));
        assertThat(reading.policy().nodeSets().policy()).isNull();
        assertThat(reading.policy().availability().measure(ResourceKind.PROC)).isEqualTo(AvailabilityMeasure.COMBINED);
        assertThat(reading.policy().nodes().get("n1").priorityFunction()).isEqualTo("5*LOAD + RANDOM*100");
    }

    @Test
    @Feature("CFG-2")
    void shouldReportLimitsThatNoJobCanKeepAndListsOfNothing() {
        SitePolicy.Reading reading = SitePolicy.read("""
                CLASSCFG[a] MAX.WCLIMIT=0
                CLASSCFG[b] MIN.PROC=8 MAX.PROC=4
                CLASSCFG[c] MIN.PROC=4 MAX.PROC=4
                NODESETLIST ,,,
                SRCFG[e] USERLIST=,
                SRCFG[f] USERLIST=""
                """);

        assertThat(reading.problems())
                .filteredOn(problem -> problem.level() != PolicyProblem.Level.INFO)
                .extracting(PolicyProblem::toString)
                .satisfiesExactlyInAnyOrder(
                        problem -> assertThat(problem).contains("MAX.WCLIMIT").contains("'0' is less than"),
                        problem -> assertThat(problem)
                                .contains("MIN.PROC")
                                .contains("8 is more than MAX.PROC, 4; no job of the class can start"),
                        problem -> assertThat(problem)
                                .contains("NODESETLIST")
                                .contains("takes one or more values, found 0"),
                        problem ->
                                assertThat(problem).contains("SRCFG[e]").contains("takes one or more values, found 0"));
        assertThat(reading.policy().jobClass("a").maxWalltimeSeconds()).isNull();
    }

    @Test
    void shouldWarnOfStandingReservationsThatAreHardlyMeantSo() {
        assertThat(SitePolicy.read("""
                                SRCFG[a] HOSTLIST=n[
                                SRCFG[b] DEPTH=0 HOSTLIST=n[1,2]
                                SRCFG[c] STARTTIME=9:00 ENDTIME=9:00 HOSTLIST=class:batch
                                SRCFG[d] PERIOD=INFINITY DEPTH=0 HOSTLIST=ALL
                                """).problems())
                .extracting(PolicyProblem::toString)
                .satisfiesExactly(
                        text -> assertThat(text)
                                .startsWith("ERROR line 1: SRCFG[a] HOSTLIST: 'n['")
                                .endsWith("; no node matches, so it has none"),
                        text -> assertThat(text)
                                .isEqualTo("WARNING line 2: SRCFG[b] DEPTH: is 0, but one instance is always kept;"
                                        + " it is taken for 1"),
                        text -> assertThat(text)
                                .isEqualTo("WARNING line 3: SRCFG[c] ENDTIME: is when it begins, so an instance lasts"
                                        + " a whole DAY"));
    }

    /** In a regular expression {@code [10-20]} is 0, 1 or 2. */
    @Test
    void shouldWarnOfHostsWhoseNumbersAreInBrackets() {
        assertThat(SitePolicy.read("""
                                SRCFG[a] HOSTLIST=n[10-20]
                                RSVPROFILE[b] HOSTLIST=n[1-20]
                                CLASSCFG[c] HOSTLIST=m1,n[10-12]
                                CLASSCFG[d] HOSTLIST=n[1-3]
                                SRCFG[e] HOSTLIST=r:n10-n20
                                """).problems())
                .extracting(PolicyProblem::toString)
                .containsExactly(
                        "WARNING line 1: SRCFG[a] HOSTLIST: 'n[10-20]' is a regular expression, where [10-20] stands for one"
                                + " character; for a range write r:n10-n20, or the names separated by commas",
                        "WARNING line 2: RSVPROFILE[b] HOSTLIST: 'n[1-20]' is a regular expression, where [1-20] stands for"
                                + " one character; for a range write r:n1-n20, or the names separated by commas",
                        "WARNING line 3: CLASSCFG[c] HOSTLIST: 'n[10-12]' is a regular expression, where [10-12] stands for"
                                + " one character; name the nodes from n10 to n12 separated by commas");
    }
}
