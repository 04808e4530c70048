package io.weir.scheduler.core;

import io.weir.scheduler.core.policy.ValueVariations;
import io.weir.scheduler.core.policy.language.parameter.Attribute;
import io.weir.scheduler.core.policy.language.parameter.Parameter;
import io.weir.scheduler.core.policy.language.parameter.ParameterRegistry;
import io.weir.scheduler.core.policy.language.value.ValueType;
import io.weir.scheduler.core.request.form.RequestSyntax;
import io.weir.schemas.NameValue;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.bound.Limit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/**
 * Makes of records that make sense such as nobody should send: values at and beyond every bound, hostile text, lists far too
 * long, and configurations and requests out of every name the scheduler knows with every kind of value.
 */
@NullUnmarked
final class Hostility {
    private static final List<Long> NUMBERS = List.of(
            Long.MIN_VALUE,
            Long.MIN_VALUE + 1,
            (long) Integer.MIN_VALUE,
            -1L,
            0L,
            1L,
            2L,
            7L,
            (long) Integer.MAX_VALUE,
            Integer.MAX_VALUE + 1L,
            (long) Limit.PROCS,
            Limit.PROCS + 1L,
            Limit.AMOUNT,
            Limit.AMOUNT + 1,
            Limit.SECONDS,
            Limit.SECONDS + 1,
            Limit.PROC_SECONDS,
            4_102_444_799L,
            4_102_444_800L,
            4_102_444_800_000L,
            4_102_444_800_001L,
            1_000_000_000_000_000_000L,
            Long.MAX_VALUE - 1,
            Long.MAX_VALUE);

    private static final List<Double> DECIMALS = List.of(
            Double.NaN,
            Double.NEGATIVE_INFINITY,
            -Double.MAX_VALUE,
            -1e15,
            -0.5,
            -0.0,
            0.0,
            Double.MIN_VALUE,
            0.01,
            1e6,
            1e15,
            Double.MAX_VALUE,
            Double.POSITIVE_INFINITY);

    private static final List<String> WORDS = List.of(
            "",
            " ",
            "x",
            "/",
            ":",
            ",",
            "=",
            "+",
            "-",
            "a/b:c,d=e f;g|h&i",
            "n0",
            "n1,n2",
            "n[0-1]",
            "r:0-1",
            "r:n0-n999999999",
            "ALL",
            "DEFAULT",
            "NONE",
            "INFINITY",
            "UNLIMITED",
            "GLOBAL",
            "SHARED",
            "ann",
            "USER:ann",
            "USER==ann,CLASS==batch-",
            "a\u0000b",
            "a\nb",
            "line\r\nline",
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
            "(.*)\\1",
            "(?=x)",
            "((x{1000}){1000}){1000}",
            "(a|a)*b".repeat(30),
            "x{1,1000}y{1,1000}",
            "^n0$",
            "TRUE",
            "0",
            "1",
            "-1",
            "+1",
            "1e308",
            "1e-308",
            "NaN",
            "9".repeat(9),
            "9".repeat(18),
            "9".repeat(40),
            "-" + "9".repeat(18),
            "2147483647",
            "-2147483648",
            "99999999:99:99:99",
            "36600:00:00:00",
            "+36600:00:00:00",
            "-36600:00:00:00",
            "13:00_02/29",
            "00:00:00_12/31/9999",
            "99:99:99_99/99/99",
            "999999999999T",
            "100%",
            "50+",
            "PROC:EXTENDEDVIOLATION:CANCEL:36600:00:00:00",
            "UTILIZED:MEM",
            "PROCS:2147483647;MEM:999999999999",
            "nodes:1000000:ppn=1000000",
            "nodes=1000000:ppn=1000000",
            "nodes=" + "1+".repeat(500) + "1",
            "walltime=36600:00:00:00,mem=999999999T,gres=a:999999999",
            "deadline=+36600:00:00:00",
            "EType=threshold,Threshold=gmetric[" + "x".repeat(300) + "]>1,AType=mail,Action=x",
            "EType=fail,AType=changeparam,Action=NODECFG[n0] TRIGGER=EType=fail",
            "EType=fail,AType=exec,Action=" + "$OID".repeat(2_000),
            "notify:" + "ann+".repeat(500) + "bob",
            "0:notify;".repeat(300),
            "file:///c?" + "x".repeat(300),
            "http://[::1]:99999999/",
            "http://n1:7000/" + "e".repeat(600),
            "DEFAULT:999999999",
            "ONEOF:FEATURE:" + "a,".repeat(300) + "b",
            "'1e300*SPEED + 1e300*AMEM - 1e300/0'",
            "'" + "(".repeat(2_000) + "1" + ")".repeat(2_000) + "'",
            "'" + "-".repeat(3_000) + "1'",
            "memory>=999999999999T&&feature:a||feature:b",
            "x".repeat(Limit.NAME_LENGTH - 1),
            "x".repeat(Limit.NAME_LENGTH),
            "x".repeat(Limit.NAME_LENGTH + 1),
            "ü".repeat(Limit.NAME_LENGTH),
            "y".repeat(Limit.NOTE_LENGTH + 1));

    /** Arguments that some request has, by any of their names, and some that none has. */
    private static final List<String> ARGUMENTS = Stream.concat(
                    Stream.of(RequestKind.values()).flatMap(kind -> names(kind).stream()),
                    Stream.of("gmetric[x]", "gmetric[]", "stats", "nonsense", ""))
            .distinct()
            .toList();

    private static final List<Parameter> PARAMETERS =
            List.copyOf(ParameterRegistry.get().parameters());

    private static final List<String> VARIATIONS = ValueVariations.patterns();

    private static final ValueType FAILURE_POLICY = Objects.requireNonNull(
            ParameterRegistry.get().require("NODEALLOCRESFAILUREPOLICY").type());

    private final Random random;

    Hostility(Random random) {
        this.random = random;
    }

    /** Returns a copy of {@code record} with one or two of its values changed for the worse, ids mostly left alone. */
    <T extends SpecificRecord> T spoilt(T record) {
        T copy = SpecificData.get().deepCopy(record.getSchema(), record);
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            spoil(copy, 0);
        }
        return copy;
    }

    private void spoil(SpecificRecord record, int depth) {
        List<Schema.Field> fields = record.getSchema().getFields();
        Schema.Field field = fields.get(random.nextInt(fields.size()));
        boolean identity = field.name().equals("cluster") || (field.name().endsWith("Id") && depth == 0);
        if (identity && random.nextInt(20) > 0) {
            return;
        }
        record.put(field.pos(), value(field.schema(), record.get(field.pos()), depth));
    }

    private @Nullable Object value(Schema schema, @Nullable Object was, int depth) {
        return switch (schema.getType()) {
            case UNION ->
                random.nextInt(4) == 0
                        ? null
                        : value(
                                schema.getTypes().stream()
                                        .filter(each -> each.getType() != Schema.Type.NULL)
                                        .findFirst()
                                        .orElseThrow(),
                                was,
                                depth);
            case STRING -> depth == 0 ? word() : one(WORDS);
            case INT -> (int) (long) one(NUMBERS);
            case LONG -> schema.getLogicalType() == null ? one(NUMBERS) : (Object) Instant.ofEpochMilli(one(NUMBERS));
            case DOUBLE -> one(DECIMALS);
            case BOOLEAN -> random.nextBoolean();
            case ENUM -> SpecificData.get().createEnum(one(schema.getEnumSymbols()), schema);
            case ARRAY -> list(schema.getElementType(), was instanceof List<?> list ? list : List.of(), depth);
            case RECORD -> record(schema, was, depth);
            default -> was;
        };
    }

    private List<Object> list(Schema element, List<?> was, int depth) {
        List<Object> list = new ArrayList<>(was);
        int more = one(depth == 0 ? List.of(1, 1, 1, 2, 3, 70, 1_100) : List.of(1, 2, 3));
        Object item = value(element, null, depth + 1);
        for (int i = 0; i < more; i++) {
            list.add(random.nextInt(3) == 0 ? value(element, null, depth + 1) : item);
        }
        list.removeIf(java.util.Objects::isNull);
        return list;
    }

    private Object record(Schema schema, @Nullable Object was, int depth) {
        SpecificRecord record = was == null
                ? (SpecificRecord) SpecificData.newInstance(SpecificData.get().getClass(schema), schema)
                : SpecificData.get().deepCopy(schema, (SpecificRecord) was);
        for (Schema.Field field : schema.getFields()) {
            if (record.get(field.pos()) == null || random.nextInt(4) == 0) {
                Object value = depth > 2 && field.schema().getType() == Schema.Type.ARRAY
                        ? List.of()
                        : value(field.schema(), null, depth + 1);
                record.put(field.pos(), value);
            }
        }
        return record;
    }

    /** Returns a request of any kind with any arguments. */
    Request request(Request like, List<String> objects) {
        RequestKind kind = one(List.of(RequestKind.values()));
        List<NameValue> arguments = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            List<String> own = names(kind);
            String name = own.isEmpty() || random.nextInt(3) == 0 ? one(ARGUMENTS) : one(own);
            String value = name.equals("setting") ? line() : word();
            arguments.add(new NameValue(name, one(List.of("", "", "+=", "-=")) + value));
        }
        String object = objects.isEmpty() || random.nextInt(4) == 0 ? word() : one(objects);
        return Request.newBuilder(like)
                .setKind(kind)
                .setObjectId(object)
                .setPrincipal(one(List.of("ann", "root", "bob", "")))
                .setArguments(arguments)
                .build();
    }

    private static List<String> names(RequestKind kind) {
        return RequestSyntax.argumentsOf(kind).stream()
                .flatMap(form -> Stream.concat(Stream.of(form.name()), form.aliases().stream()))
                .toList();
    }

    /** Returns a configuration of lines about anything with values of any kind. */
    String configuration() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            text.append(line()).append('\n');
        }
        return text.toString();
    }

    private String line() {
        Parameter parameter = one(PARAMETERS);
        String index = one(List.of("", "", "[DEFAULT]", "[0]", "[1]", "[batch]", "[n0]", "[ann]", "[s1]", "[hi]"));
        if (!parameter.isObject()) {
            return parameter.name() + index + " " + value(parameter.type(), parameter.standard());
        }
        StringBuilder line = new StringBuilder(parameter.name()).append(index.isEmpty() ? "[s1]" : index);
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            Attribute attribute = one(parameter.attributes());
            line.append(' ')
                    .append(attribute.name())
                    .append(one(List.of("=", "=", "+=", "-=")))
                    .append(value(attribute.type(), attribute.standard()));
        }
        return line.toString();
    }

    /** Returns any value, or one that is almost legal. */
    private String value(ValueType type, @Nullable String standard) {
        return random.nextInt(3) > 0
                ? value()
                : one(VARIATIONS).replace("W", one(ValueVariations.words(type, standard)));
    }

    private String value() {
        return one(WORDS).replace('\n', ' ').replace('\r', ' ');
    }

    /** Returns a text that nobody expects. */
    String word() {
        return random.nextInt(40) == 0 ? "z".repeat(one(List.of(40_000, 70_000, 300_000))) : one(WORDS);
    }

    /** Returns an extension of any words. */
    String extension() {
        List<String> keys = List.of(
                "nodes",
                "procs",
                "tpn",
                "walltime",
                "cput",
                "mem",
                "swap",
                "disk",
                "gres",
                "feature",
                "partition",
                "hostlist",
                "naccesspolicy",
                "nallocpolicy",
                "taskdist",
                "pref",
                "advres",
                "nodeset",
                "nodesettolerance",
                "class",
                "qos",
                "application",
                "flags",
                "deadline",
                "resfailpolicy",
                "nokill",
                "restartable",
                "checkpointable",
                "trig");
        StringBuilder text = new StringBuilder(one(List.of("", "x=", "W x=")));
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            String key = one(keys);
            String value = key.equals("resfailpolicy") ? value(FAILURE_POLICY, null) : word();
            text.append(key).append(one(List.of("=", ":"))).append(value).append(one(List.of(",", ";", "")));
        }
        return text.toString();
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
