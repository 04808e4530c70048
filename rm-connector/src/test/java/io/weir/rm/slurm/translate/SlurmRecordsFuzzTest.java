package io.weir.rm.slurm.translate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.rm.slurm.client.GresUnits;
import io.weir.rm.slurm.client.HostList;
import io.weir.rm.slurm.client.PartitionCaps;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmNode;
import io.weir.schemas.JobReport;
import io.weir.topics.AvroPayload;
import io.weir.topics.AvroTrust;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Records such as Slurm should never tell: every field with values of every kind. None of them may end the connector, which
 * would meet the same record again at its next start. The seed is in the message of a failure and can be set by the property
 * {@code weir.seed}.
 */
class SlurmRecordsFuzzTest {
    static {
        AvroTrust.install();
    }

    private static final Instant NOW = Instant.ofEpochSecond(2_000);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final String JOB = """
            {"job_id":17,"name":"a","user_name":"ann","group_name":"g","account":"x","partition":"p,q","qos":"n",
            "job_state":["PENDING"],"state_reason":"JobHeldUser","priority":0,"tasks":4,"cpus":8,"cpus_per_task":2,
            "minimum_cpus_per_node":2,"tasks_per_node":1,"time_limit":{"set":true,"number":60},"submit_time":1000,
            "eligible_time":1500,"start_time":1600,"end_time":5000,"dependency":"afterok:2(unfulfilled)",
            "exit_code":{"return_code":{"set":true,"number":3},"signal":{"id":9}},"restart_cnt":0,"nodes":"n[3-4]",
            "het_job_id":0,"het_job_offset":1,"array_job_id":16,"array_task_id":{"set":false},"array_task_string":"1-9%2",
            "array_max_tasks":2,"comment":"x=nodes:2","admin_comment":"seen [weir,start=c/1/0@0,asked=n%3A1-2%3Bk%3A4]",
            "required_nodes":"n[3-4]","excluded_nodes":"n[7-9]","max_nodes":2,"tres_req_str":"cpu=8,mem=400M,node=2",
            "resv_name":"weir-system.1","prefer":"fast","features":"a&(b|c)","memory_per_cpu":100,"memory_per_node":400,
            "minimum_tmp_disk_per_node":10,"tres_per_task":"gres:gpu:1","tres_per_node":"gres:gpu:tesla:2(S:0-1),gres:x",
            "tres_per_job":"gres:gpu:4","licenses":"lic:2","shared":["none"],"requeue":true,
            "job_resources":{"allocated_nodes":[{"nodename":"n4","sockets":{"0":{"cores":{"0":"allocated"}}}}],
            "nodes":{"allocation":[{"name":"n3","cpus":{"count":2}}]}}}""";

    private static final String NODE = """
            {"name":"n1","state":["IDLE"],"state_flags":["DRAIN"],"cpus":8,"alloc_cpus":2,"real_memory":1000,"cpu_load":50,
            "active_features":["a","b"],"features":"a,b","reason":"tired","alloc_memory":10,"temporary_disk":5,
            "gres":"gpu:tesla:2(S:0-1),x:1","partitions":["p"],"architecture":"x86_64","operating_system":"Linux 6"}""";

    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "0",
            "-1",
            "1",
            "2147483647",
            "2147483648",
            "4294967294",
            "4294967297",
            "-9223372036854775808",
            "9223372036854775807",
            "18446744073709551614",
            "31556889864403200",
            "1e300",
            "-1e300",
            "0.5",
            "1" + "0".repeat(300),
            "{}",
            "[]",
            "[null]",
            "[[[]]]",
            "{\"set\":true,\"number\":9223372036854775807}",
            "{\"set\":true,\"number\":4294967296}",
            "{\"set\":true,\"infinite\":true}",
            "{\"set\":\"x\",\"number\":\"x\"}",
            "\"\"",
            "\" \"",
            "\",\"",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "\"a\\nb\\u001b[31m\"",
            "\"%\"",
            "\"[weir,start=%zz@0,hold=%@1,asked=%]\"",
            "\"[weir,start=c@999999999,requeue=x@999999999999]\"",
            "\"[weir,asked=n%3A1-999999999999%3Bk%3A4]\"",
            "\"[weir,asked=n%3A0-0%3Bk%3A0%3Bw%3An%5B0-999999999%5D]\"",
            "\"n[0-999999999]\"",
            "\"n[0-999999999]m[2-1]\"",
            "\"n[0-99]m[0-99]o[0-99]p[0-99]q[2-1]\"",
            "\"" + "[1]".repeat(3_000) + "\"",
            "\"[,]\"",
            "\"n[1-2\"",
            "\"]n[\"",
            "\"" + "[".repeat(3_000) + "\"",
            "\"" + "(".repeat(3_000) + "\"",
            "\"()\"",
            "\"((a|b)&)\"",
            "\"[a|b]&|\"",
            "\"a*99999999999\"",
            "\"cpu=999999999,node=999999999,mem=1\"",
            "\"cpu=0,node=0\"",
            "\"gpu:999999999,gpu:999999999\"",
            "\"" + ":1(".repeat(20_000) + "\"",
            "\"" + "a,".repeat(20_000) + "\"",
            "\"" + "x".repeat(70_000) + "\"",
            "\"0-999999999:0\"",
            "\"1-2:999999999...\"",
            "\"RUNNING\"",
            "\"COMPLETED\"",
            "[\"RUNNING\",\"COMPLETING\"]",
            "\"PENDING,SUSPENDED\"");

    private final long seed = Long.getLong("weir.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final SlurmJobTranslation jobs =
            new SlurmJobTranslation("c1", false, new StartObstacles(), new NodePartitions());
    private final SlurmNodeTranslation nodes = new SlurmNodeTranslation("c1", true, true);

    @Test
    @Timeout(120)
    void shouldTranslateEveryValueOfEveryFieldOfAJob() throws JsonProcessingException {
        JsonNode sound = JSON.readTree(JOB);
        for (JsonNode spoilt : everyFieldWithEveryValue(sound)) {
            job(spoilt);
        }
        for (int i = 0; i < 500; i++) {
            job(spoiltTwice(sound));
        }
    }

    @Test
    @Timeout(120)
    void shouldTranslateEveryValueOfEveryFieldOfANode() throws JsonProcessingException {
        JsonNode sound = JSON.readTree(NODE);
        for (JsonNode spoilt : everyFieldWithEveryValue(sound)) {
            assertHarmless(
                    spoilt,
                    () -> nodes.report(SlurmNode.of(spoilt), 0, ProcUnit.CORE, PartitionCaps.NONE, GresUnits.ONES)
                            .ifPresent(AvroPayload::encode));
        }
    }

    @Test
    @Timeout(20)
    void shouldWriteOutNoMoreNamesThanThereMayBe() {
        assertThat(HostList.expand("n[0-999999999]")).hasSize(100_000);
        assertThat(HostList.expand("n[0-999999999]m[2-1]")).isEmpty();
        assertThat(HostList.expand("r[1-3]n[01-02]"))
                .containsExactly("r1n01", "r1n02", "r2n01", "r2n02", "r3n01", "r3n02");
        assertThat(HostList.expand("x".repeat(100_000) + "[0-999999999]")).isEmpty();
        assertThat(HostList.expand("[1]".repeat(100_000))).isEmpty();
    }

    /** A sum that does not fit may not look like a small job. */
    @Test
    void shouldNotMakeASmallJobOfOneBeyondAllNumbers() throws JsonProcessingException {
        ObjectNode job = (ObjectNode) JSON.readTree(
                "{\"job_id\":17,\"submit_time\":1000,\"job_state\":\"PENDING\",\"priority\":0,\"tasks\":268435457,"
                        + "\"cpus_per_task\":16,\"max_nodes\":1,\"memory_per_cpu\":1099511627776}");

        JobReport report = jobs.report(SlurmJob.of(job), NOW);

        assertThat(report.getRequirements()).hasSize(1);
        assertThat(report.getRequirements().get(0).getProcsPerTask()).isEqualTo(Integer.MAX_VALUE);
        assertThat(report.getRequirements().get(0).getMemoryMb()).isEqualTo(Long.MAX_VALUE);
    }

    private void job(JsonNode node) {
        assertHarmless(node, () -> {
            SlurmJob job = SlurmJob.of(node);
            JobReport report = jobs.report(job, NOW);
            AvroPayload.encode(report);
            AvroPayload.encode(ArrayTasks.reports(List.of(new KnownJob(null, job, report, null)))
                    .get(0));
            SlurmJob component = SlurmJob.of(((ObjectNode) node.deepCopy()).put("het_job_id", 16));
            KnownJob known = new KnownJob(null, component, jobs.report(component, NOW), null);
            HeterogeneousJobs.whole(List.of(known, new KnownJob(null, job, report, null)))
                    .forEach(whole -> AvroPayload.encode(whole.report()));
            job.called("16_3");
            job.wishes().restoring(job);
            job.note().mark("start");
            job.note().mark("hold");
        });
    }

    private void assertHarmless(JsonNode node, Runnable work) {
        long began = THREADS.getCurrentThreadCpuTime();
        try {
            work.run();
        } catch (RuntimeException | StackOverflowError e) {
            String text = node.toString();
            throw new AssertionError("seed " + seed + " on " + text.substring(0, Math.min(2_000, text.length())), e);
        }
        assertThat(Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - began))
                .as(() -> "seed " + seed + " on " + node.toString())
                .isLessThan(Duration.ofSeconds(5));
    }

    private static List<JsonNode> everyFieldWithEveryValue(JsonNode sound) throws JsonProcessingException {
        List<JsonNode> all = new ArrayList<>();
        List<String> fields = new ArrayList<>();
        sound.fieldNames().forEachRemaining(fields::add);
        for (String field : fields) {
            for (String value : VALUES) {
                all.add(((ObjectNode) sound.deepCopy()).set(field, JSON.readTree(value)));
            }
            all.add(((ObjectNode) sound.deepCopy()).without(field));
        }
        return all;
    }

    /** Returns a copy with two values changed, anywhere in it. */
    private JsonNode spoiltTwice(JsonNode sound) throws JsonProcessingException {
        JsonNode copy = sound.deepCopy();
        spoil(copy);
        spoil(copy);
        return copy;
    }

    private void spoil(JsonNode within) throws JsonProcessingException {
        JsonNode value = JSON.readTree(VALUES.get(random.nextInt(VALUES.size())));
        if (within instanceof ObjectNode object && !object.isEmpty()) {
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            String name = names.get(random.nextInt(names.size()));
            if (object.get(name).isContainerNode() && random.nextInt(4) > 0) {
                spoil(object.get(name));
            } else {
                object.set(name, value);
            }
        } else if (within instanceof ArrayNode array && !array.isEmpty()) {
            int place = random.nextInt(array.size());
            if (array.get(place).isContainerNode() && random.nextInt(4) > 0) {
                spoil(array.get(place));
            } else {
                array.set(place, value);
            }
        }
    }
}
