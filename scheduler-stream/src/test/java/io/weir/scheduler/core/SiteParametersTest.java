package io.weir.scheduler.core;

import static io.weir.scheduler.core.NodeAllocationTest.nodesOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.NodeState;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Parameters whose effect no worked example shows. */
@NullUnmarked
class SiteParametersTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture();

    /** BFCHUNKDURATION, BFCHUNKSIZE: room that came free is for wide jobs for a while. */
    @Test
    void shouldKeepRoomThatCameFreeForWideJobs() {
        weir.policy("BFCHUNKDURATION 0:05:00\nBFCHUNKSIZE 3\nRESERVATIONDEPTH 0")
                .nodes(4, 1);
        weir.adopt("r1", 1, 10 * HOUR, 0, "n1").iterate(0).iterate(400);
        weir.adopt("r2", 1, 10 * HOUR, 400, "n2").iterate(400);
        weir.submit("top", 4, HOUR).submit("small", 1, HOUR).iterate(700);
        assertThat(weir.started()).as("nothing came free").containsExactly("small");

        weir.end("r2", 1000).submit("narrow", 1, HOUR).iterate(1000);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.lastResult.nextWake()).isEqualTo(SchedulerFixture.at(1300));
        weir.end("small", 1100).submit("wide", 3, HOUR).iterate(1100);
        assertThat(weir.started()).containsExactly("wide");
        weir.end("wide", 1200).iterate(1200);
        assertThat(weir.started()).isEmpty();
        weir.iterate(1300);
        assertThat(weir.started()).containsExactly("narrow");
    }

    @Test
    void shouldStartTheTopJobWhateverItsWidth() {
        weir.policy("BFCHUNKDURATION 0:05:00\nBFCHUNKSIZE 3").nodes(1, 1).adopt("r", 1, HOUR, 0, "n1");
        weir.submit("top", 1, HOUR).iterate(0);
        weir.end("r", 100).iterate(100);
        assertThat(weir.started()).containsExactly("top");
    }

    /** FEATUREPROCSPEEDHEADER: the feature tells the speed, unless the node or its configuration does. */
    @Test
    void shouldReadProcessorSpeedsFromFeatures() {
        weir.policy("FEATUREPROCSPEEDHEADER xps\nNODEALLOCATIONPOLICY FASTEST\nNODECFG[n3] PROCSPEED=500")
                .node("n1", 1, NodeState.IDLE, node -> node.setFeatures(List.of("big", "xps950")))
                .node("n2", 1, NodeState.IDLE, node -> node.setFeatures(List.of("xps600")))
                .node("n3", 1, NodeState.IDLE, node -> node.setFeatures(List.of("xps2000")))
                .node("n4", 1, NodeState.IDLE, node -> node.setFeatures(List.of("xpsfast")));
        for (String job : List.of("a", "b", "c", "d")) {
            weir.submit(job, 1, HOUR).iterate(0);
        }
        assertThat(nodesOf(weir, "a")).containsExactly("n1");
        assertThat(nodesOf(weir, "b")).containsExactly("n2");
        assertThat(nodesOf(weir, "c")).containsExactly("n3");
        assertThat(nodesOf(weir, "d")).containsExactly("n4");
    }

    /** FEATUREPARTITIONHEADER, with and without the sign that asks for a number. */
    @Test
    void shouldReadPartitionsFromFeatures() {
        weir.policy("FEATUREPARTITIONHEADER par$\nNODECFG[n3] PARTITION=own")
                .node("n1", 1, NodeState.IDLE, node -> node.setFeatures(List.of("parallel")))
                .node("n2", 1, NodeState.IDLE, node -> node.setFeatures(List.of("par7")))
                .node("n3", 1, NodeState.IDLE, node -> node.setFeatures(List.of("par7")));
        weir.submit("a", 1, HOUR, job -> job.setPartitions(List.of("7")))
                .submit("b", 1, HOUR, job -> job.setPartitions(List.of("7")))
                .iterate(0);
        assertThat(nodesOf(weir, "a")).containsExactly("n2");
        assertThat(weir.started()).containsExactly("a");
    }

    /** QOSCFG QFLAGS=DEDICATED: its jobs have their nodes for themselves. */
    @Test
    void shouldGiveWholeNodesToADedicatedQualityOfService() {
        weir.policy("QOSCFG[own] QFLAGS=DEDICATED\nUSERCFG[ann] QLIST=own").node("n1", 4, NodeState.IDLE);
        weir.submit("first", 1, HOUR, job -> job.setQos("own"))
                .submit("second", 1, HOUR)
                .iterate(0);
        assertThat(weir.started()).containsExactly("first");
        weir.end("first", 10).submit("third", 1, HOUR, job -> job.setQos("own")).iterate(10);
        assertThat(weir.started()).containsExactly("second");
    }

    /** CDEF and ADEF: what jobs have that name none. */
    @Test
    void shouldGiveJobsTheDefaultsOfTheirCredentials() {
        String text = "USERCFG[ann] ADEF=chem\nGROUPCFG[lab] ADEF=phys CDEF=short,long\nACCOUNTCFG[chem] CDEF=night\n"
                + "CLASSCFG[night] DEFAULT.WCLIMIT=600\n";
        weir.policy(text).nodes(1, 1).iterate(0);
        weir.submit("own", 1, HOUR)
                .submit("said", 1, HOUR, job -> job.setAccount("math").setJobClass("batch"))
                .submit("member", 1, HOUR, job -> job.setUser("joe").setGroup("lab"))
                .submit("none", 1, HOUR, job -> job.setUser("eve"))
                .submit("limit", 1, HOUR, job -> job.setWalltimeSeconds(null))
                .iterate(0);
        assertThat(labels("own")).isEqualTo("chem night");
        assertThat(labels("said")).isEqualTo("math batch");
        assertThat(labels("member")).isEqualTo("phys short");
        assertThat(labels("none")).isEqualTo("null null");
        assertThat(weir.job("limit").getWalltimeSeconds()).isEqualTo(600);

        weir.policy("USERCFG[ann] ADEF=other\n").iterate(10);
        weir.submit("said", 1, HOUR).submit("none", 1, HOUR).iterate(20);
        assertThat(labels("said")).as("kept").isEqualTo("math batch");
        assertThat(labels("none")).as("of ann now").isEqualTo("other null");
    }

    private String labels(String job) {
        return weir.job(job).getAccount() + " " + weir.job(job).getJobClass();
    }
}
