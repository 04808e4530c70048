package io.weir.scheduler.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.core.request.form.AccessLevel;
import io.weir.scheduler.core.request.form.Principal;
import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.query.image.ImageFixture;
import io.weir.schemas.IterationTrigger;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.schemas.ReservationStatus;
import io.weir.service.http.HttpRefusal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * However a request is written, the API and the core read the same in it and decide the same: what one refuses for its form
 * or its principal, the other refuses in the same words.
 */
class RequestAgreementPropertyTest {
    private static final int TRIALS = 400;

    private static final String POLICY = """
            ADMINCFG[1] USERS=root
            ADMINCFG[2] USERS=olga
            ADMINCFG[3] USERS=alba,bob3
            ADMINCFG[4] USERS=hans
            RSVCTLPOLICY ANY
            """;

    private static final String[] PRINCIPALS = {
        "root", "olga", "alba", "hans", "bob", "bob", "bob", "carl", "BOB", "Root", "bob ", "bo\u212a", "ALL", "bob3"
    };

    private static final String[] OBJECTS = {
        "7", "8", "9", "07", "7 ", "kth/7", "-", "ALL", "all", "bob.1", "BOB.1", ".*"
    };

    private static final String[] NAMES = {
        "type",
        "Type",
        "TYPE",
        "typ\u0435",
        "type ",
        "action",
        "ACTION",
        "wclimit",
        "walltime",
        "qos",
        "hostlist",
        "nodelist",
        "message",
        "variable",
        "gevent",
        "GMetric[x]",
        "gmetric[]",
        "nodesetdelay",
        "resfailpolicy",
        "level",
        "Level",
        "accountable",
        "S",
        "s",
        "owner",
        "flags",
        "F",
        "h",
        "hostexp",
        "group",
        "g",
        "profile",
        "setting",
        "method",
        "force",
        "priority",
        "signal",
        "state",
        "clear",
        "t",
        "d",
        "D",
        "subtype",
        "trigger",
        "t\u0131me"
    };

    private static final String[] VALUES = {
        "user",
        "USER",
        "all",
        "All",
        "system",
        "SYSTEM",
        "sy\u017ftem",
        " all",
        "all ",
        "batch",
        "defer",
        "pause",
        "PAUSE",
        "message",
        "unmessage",
        "2:00:00",
        "+1:00:00",
        "-0:10:00",
        "0:10:00",
        "n1",
        "+n2",
        "-n1",
        "ignrsv",
        "byname",
        "+=IGNJOBRSV",
        "-=byname",
        "bob",
        "USER:carl",
        "true",
        "x=1",
        "persistent",
        "aaccount=x",
        "1",
        "",
        "rsv"
    };

    private final ImageFixture fixture = new ImageFixture();
    private final List<Change> snapshot;

    RequestAgreementPropertyTest() {
        ClusterScheduler scheduler = new ClusterScheduler("kth");
        scheduler.apply(Fact.foreign(new PolicyVersion("kth", "v1", POLICY, null, null, ImageFixture.NOW)));
        for (String node : List.of("n1", "n2")) {
            scheduler.apply(Fact.foreign(NodeReport.newBuilder()
                    .setCluster("kth")
                    .setNodeId(node)
                    .setState(NodeState.IDLE)
                    .setProcs(1)
                    .build()));
        }
        scheduler.apply(Fact.foreign(job("7", "bob")
                .setState(JobState.RUNNING)
                .setStartTime(ImageFixture.NOW)
                .setAllocation(List.of(new NodeAllocation("n1", 1)))
                .build()));
        scheduler.apply(Fact.foreign(job("8", "bob").setState(JobState.HOLD).build()));
        scheduler.apply(Fact.foreign(job("9", "carl").setState(JobState.HOLD).build()));
        scheduler.apply(Fact.foreign(
                request("made", "bob", null, RequestKind.CREATE_RESERVATION, "-", List.of(new NameValue("h", "n2")))));
        scheduler
                .iterate(ImageFixture.NOW, IterationTrigger.EVENT, null)
                .outputs()
                .forEach(output -> {
                    if (output.value() instanceof JobStatus status) {
                        fixture.image.jobs().put(output.key(), status);
                    } else if (output.value() instanceof ReservationStatus status) {
                        fixture.image.reservations().put(output.key(), status);
                    }
                });
        assertThat(fixture.image.reservations()).containsKey("kth/bob.1");
        fixture.policy(POLICY);
        snapshot = scheduler.snapshot();
    }

    @ParameterizedTest
    @EnumSource(value = RequestKind.class, mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
    void shouldDecideAlikeInApiAndCore(RequestKind kind) {
        Random random = new Random(kind.name().hashCode());
        int refused = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            String name = any(PRINCIPALS, random);
            boolean fixed = random.nextInt(4) == 0;
            Principal principal = new Principal(name, fixed ? AccessLevel.of(1 + random.nextInt(5)) : Optional.empty());
            String object = any(OBJECTS, random);
            List<NameValue> arguments = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                arguments.add(new NameValue(any(NAMES, random), any(VALUES, random)));
            }
            String api = apiRefusal(principal, kind, object, arguments);
            RequestResult core = decide(principal, kind, object, arguments);
            String what = "trial " + trial + ": " + principal + " " + kind + " " + object + " " + arguments;
            if (api != null) {
                refused++;
                assertThat(core.getOutcome()).as(what).isEqualTo(RequestOutcome.REFUSED);
                assertThat(core.getMessage()).as(what).isEqualTo(api);
            } else {
                assertThat(core.getMessage())
                        .as(what)
                        .doesNotContain("needs level")
                        .doesNotContain("unknown argument")
                        .doesNotContain("more than once");
            }
        }
        assertThat(refused).as("refusals in %s trials", TRIALS).isBetween(1, TRIALS - 1);
    }

    /** Returns why the API refuses a request; null when it passes it on. */
    private @Nullable String apiRefusal(
            Principal principal, RequestKind kind, String object, List<NameValue> arguments) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("kind", kind.name()).put("objectId", object);
        ArrayNode list = body.putArray("arguments");
        arguments.forEach(a -> list.addObject().put("name", a.getName()).put("value", a.getValue()));
        try {
            RequestForm form = RequestForm.read(principal, "kth", body, Instant.EPOCH);
            new RequestRules(fixture.image, "kth").checkRequest(principal, form.normal());
            return null;
        } catch (HttpRefusal e) {
            return e.getMessage();
        }
    }

    /** Has the core decide about a request that went past every check of the API. */
    private RequestResult decide(Principal principal, RequestKind kind, String object, List<NameValue> arguments) {
        ClusterScheduler scheduler = new ClusterScheduler("kth");
        snapshot.forEach(scheduler::replay);
        Integer level = principal.fixed().map(AccessLevel::number).orElse(null);
        scheduler.apply(Fact.foreign(request("asked", principal.name(), level, kind, object, arguments)));
        return scheduler.iterate(ImageFixture.NOW, IterationTrigger.EVENT, null).outputs().stream()
                .map(output -> output.value())
                .filter(RequestResult.class::isInstance)
                .map(RequestResult.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private static Request request(
            String id,
            String principal,
            @Nullable Integer level,
            RequestKind kind,
            String object,
            List<NameValue> arguments) {
        return new Request("kth", id, principal, kind, object, null, ImageFixture.NOW, arguments, level);
    }

    private static JobReport.Builder job(String id, String user) {
        return JobReport.newBuilder()
                .setCluster("kth")
                .setJobId(id)
                .setQueueSequence(Long.parseLong(id))
                .setUser(user)
                .setTasks(1)
                .setProcsPerTask(1)
                .setWalltimeSeconds(3600L)
                .setSubmitTime(ImageFixture.NOW)
                .setAsOfCommand(0L);
    }

    private static String any(String[] of, Random random) {
        return of[random.nextInt(of.length)];
    }
}
