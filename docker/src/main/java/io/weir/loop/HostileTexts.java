package io.weir.loop;

import io.weir.scheduler.core.policy.language.parameter.Attribute;
import io.weir.scheduler.core.policy.language.parameter.Parameter;
import io.weir.scheduler.core.policy.language.parameter.ParameterRegistry;
import io.weir.scheduler.core.request.form.ArgumentForm;
import io.weir.scheduler.core.request.form.RequestSyntax;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What hostile users write: words, arguments of requests, extension texts of jobs, and lines of site configurations. */
final class HostileTexts {
    /** Texts that once stopped something, values at the edges, and what looks like syntax. */
    private static final List<String> WORDS = List.of(
            "",
            " ",
            "/",
            ":",
            ",",
            "=",
            "+",
            "a/b:c,d=e f;g|h&i",
            "a=b,c=d;e=f",
            "n0001",
            "n0001,n0002",
            "n[0001-9999]",
            "r:1-2",
            "r:n0-n999999999",
            "user",
            "USER:user1",
            "USER==user1",
            "USER==user1,CLASS==batch-",
            "batch",
            "all",
            "ALL",
            "DEFAULT",
            "NONE",
            "INFINITY",
            "UNLIMITED",
            "GLOBAL",
            "message",
            "pause",
            "resume",
            "TRUE",
            "\u0000\uFFFF\uD800",
            "a\nb",
            "\u001b[31mred",
            "\uD83D\uDE80".repeat(40),
            "\u202Eright to left",
            "ß\u0130ıſ",
            "'",
            "\"unclosed",
            "(",
            "[",
            "\\",
            "(a+)+$",
            "^(.*)\\1$",
            "(?=x)",
            "((x{1000}){1000}){1000}",
            "(a|a)*b".repeat(30),
            "x{1,1000}y{1,1000}",
            "^n000[12]$",
            "0",
            "1",
            "-1",
            "17",
            "+1",
            "+1:00",
            "00:00:01",
            "1e308",
            "1e-308",
            "NaN",
            "2147483647",
            "-2147483648",
            "9223372036854775807",
            "-9223372036854775808",
            "9".repeat(40),
            "99999999:99:99:99",
            "36600:00:00:00",
            "-36600:00:00:00",
            "13:00_02/29",
            "99:99:99_99/99/99",
            "999999999999T",
            "100%",
            "50+",
            "PROC:EXTENDEDVIOLATION:CANCEL:36600:00:00:00",
            "PROCS:2147483647;MEM:999999999999",
            "nodes:1000000:ppn=1000000",
            "nodes=1000000:ppn=1000000",
            "nodes=1000000:ppn=5+1000000:ppn=6",
            "procs=999999999,tpn=999999999",
            "nodes=" + "1+".repeat(500) + "1",
            "walltime=36600:00:00:00,mem=999999999T,gres=a:999999999",
            "deadline=+36600:00:00:00",
            "ONEOF:FEATURE:" + "a,".repeat(300) + "b",
            "'1e300*SPEED + 1e300*AMEM - 1e300/0'",
            "'" + "(".repeat(2_000) + "1" + ")".repeat(2_000) + "'",
            "'" + "-".repeat(3_000) + "1'",
            "memory>=999999999999T&&feature:a||feature:b",
            "x".repeat(Limit.NAME_LENGTH),
            "x".repeat(Limit.NAME_LENGTH + 1),
            "ü".repeat(Limit.NAME_LENGTH),
            "y".repeat(Limit.NOTE_LENGTH + 1));

    /** What requests about triggers, failed nodes and subscriptions say, rightly and wrongly. */
    private static final List<String> PARTICULARS = List.of(
            "EType=start,AType=mail,Action=$OID",
            "EType=start,AType=mail,Action=x,Interval=TRUE,RearmTime=0",
            "EType=end,Offset=-36600:00:00:00,AType=mail,Action=x",
            "EType=fail,AType=jobaction,Action=cancel,MultiFire=TRUE",
            "EType=start,AType=internal,Action=job:-:hold",
            "EType=start,AType=internal,Action=job:-:modify:variable+=x=1",
            "EType=gevent:hot,AType=exec,Action=/bin/true",
            "EType=gevent:hot,AType=http,Action=http://h/$OID?$OWNER",
            "EType=gevent:hot,AType=internal,Action=node:-:reserve,MultiFire=TRUE,RearmTime=1",
            "EType=threshold,Threshold=gmetric[temp]>1e308,AType=mail,Action=x",
            "EType=threshold,Threshold=gmetric[temp]>34,AType=cancel,FailOffset=1",
            "EType=start,AType=mail,Action=" + "$OID".repeat(900),
            "EType=start,AType=mail,Action=x,Requires=a.!b,Sets=^b.!c,Unsets=a",
            "EType=start,AType=cancel,MaxRetry=99,expiretime=0",
            "EType=start,AType=exec,Action=/x,Env=LD_PRELOAD=/x;PATH=/x;A=" + "$OID".repeat(100),
            "t1",
            "t9223372036854775807",
            "node",
            "n0002",
            "0",
            "5",
            "525600",
            "http://127.0.0.1:9/x",
            "http://[::1]:99999999/",
            "http://a@b/../..",
            "file:///etc/passwd",
            "http://x/" + "y".repeat(2_000),
            "user1",
            "low",
            "drained for repair\nand more");

    /** Arguments that some request has, and some that none has. */
    private static final List<String> ARGUMENTS = List.of(
            ("accountable acl action at category class clear comment count delete duration endtime exclusive features"
                            + " flags future gevent gmetric[x] group hold hostexp hostlist index iteration iterations jobs"
                            + " label level message messages method name node nodelist nodes nodesetdelay notify os owner"
                            + " partition persistent policylevel power priority procs profile qos resfailpolicy reservation"
                            + " resources setting signal starttime state stats subtype tasks text trigger type user value"
                            + " variable variables verbose walltime wclimit nonsense \u2028")
                    .split(" "));

    private static final List<String> EXTENSION_KEYS = List.of(
            ("nodes procs tpn walltime cput mem swap disk gres feature partition hostlist naccesspolicy nallocpolicy"
                            + " taskdist pref advres nodeset nodesettolerance class qos application flags deadline trig"
                            + " depend sid minprocspeed")
                    .split(" "));

    private static final List<String> EXTENSIONS = List.of(
            "nodes=2:ppn=1+1:ppn=2",
            "x=nodes:1000000:ppn=1000000",
            "nodes=1000000:ppn=1000000",
            "nodes=1000000:ppn=5+1000000:ppn=6",
            "procs=999999999,tpn=999999999",
            "x=QOS:high;FLAGS:RESTARTABLE,PREEMPTEE",
            "x=GRES:lic:2147483647",
            "x=HOSTLIST:(.*)\\1",
            "x=HOSTLIST:^n000[12]$",
            "x=DEPEND:afterok:1",
            "x=DEPEND:2147483648",
            "x=TRIG:EType=start&AType=exec&Action=/bin/true",
            "x=SID:cluster;HASH:0;\u0000",
            "x=MINPROCSPEED:9999999999999999999",
            "x=NACCESSPOLICY:SINGLEJOB",
            "x=" + "A:b;".repeat(2_000),
            "x".repeat(90_000));

    private static final List<Parameter> PARAMETERS =
            List.copyOf(ParameterRegistry.get().parameters());

    private final Random random;

    HostileTexts(Random random) {
        this.random = random;
    }

    /** Returns a text that nobody expects, seldom a long one. */
    String word() {
        return random.nextInt(60) == 0 ? "z".repeat(one(List.of(3_000, 70_000, 300_000))) : one(WORDS);
    }

    /** Returns an argument of a request. */
    NameValue argument() {
        String name = one(ARGUMENTS);
        String value = name.equals("setting") ? line() : word();
        return new NameValue(name, one(List.of("", "", "", "+=", "-=")) + value);
    }

    /** Returns an argument that requests of {@code kind} have, if they have any. */
    NameValue argument(RequestKind kind) {
        List<ArgumentForm> forms = RequestSyntax.argumentsOf(kind);
        if (forms.isEmpty()) {
            return argument();
        }
        ArgumentForm form = one(forms);
        boolean closed = !form.words().isEmpty() && random.nextInt(4) > 0;
        return new NameValue(
                form.name(), closed ? one(form.words()) : random.nextBoolean() ? one(PARTICULARS) : word());
    }

    /** Returns what a user may have written into a job. */
    String extension() {
        if (random.nextBoolean()) {
            return one(EXTENSIONS);
        }
        StringBuilder text = new StringBuilder(one(List.of("", "x=", "W x=")));
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            text.append(one(EXTENSION_KEYS)).append(one(List.of("=", ":"))).append(word());
            text.append(one(List.of(",", ";", "")));
        }
        return text.toString();
    }

    /** Returns lines of a configuration, about anything and with values of any kind. */
    String configuration() {
        List<String> lines = new ArrayList<>();
        for (int i = 1 + random.nextInt(12); i > 0; i--) {
            lines.add(line());
        }
        return String.join("\n", lines) + "\n";
    }

    private String line() {
        Parameter parameter = one(PARAMETERS);
        String index =
                one(List.of("", "", "[DEFAULT]", "[0]", "[1]", "[batch]", "[n0001]", "[user1]", "[s1]", "[high]"));
        if (!parameter.isObject()) {
            return parameter.name() + index + " " + value();
        }
        StringBuilder line = new StringBuilder(parameter.name()).append(index.isEmpty() ? "[s1]" : index);
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            Attribute attribute = one(parameter.attributes());
            line.append(' ')
                    .append(attribute.name())
                    .append(one(List.of("=", "=", "+=", "-=")))
                    .append(value());
        }
        return line.toString();
    }

    private String value() {
        return one(WORDS).replace('\n', ' ');
    }

    private <T> T one(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
