package io.weir.scheduler.core.request.form;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.reservation.ReservationFlag;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Holds the page about permissions to what the code decides, for every kind of request and every argument.
 * {@code mvn test -Dtest=PermissionsPageTest -Dweir.docs.update=true} writes it.
 */
class PermissionsPageTest {
    private static final Path PAGE = Path.of("docs", "permissions.md");
    private static final String BEGIN = "<!-- permissions: begin; made by PermissionsPageTest from the code -->\n";
    private static final String END = "<!-- permissions: end -->";

    /** Values worth telling apart, of arguments that take any text. */
    private static final Map<String, List<String>> SAMPLES =
            Map.of("wclimit", List.of("-1:00", "+1:00"), "hostlist", List.of("n1", "+n1", "-n1"), "flags", flags());

    private static final RequestObjects OBJECTS = new RequestObjects() {
        @Override
        public @Nullable JobFacts job(String id) {
            return switch (id) {
                case "waiting" -> new JobFacts("owner", false, 3600);
                case "running" -> new JobFacts("owner", true, 3600);
                default -> null;
            };
        }

        @Override
        public @Nullable String reservationOwner(String id) {
            return id.equals("reservation") ? "USER:owner" : null;
        }
    };

    @Test
    void shouldSayWhoMayDoWhat() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        String expected = page.substring(0, begin) + table() + page.substring(page.indexOf(END));
        if (Boolean.getBoolean("weir.docs.update")) {
            Files.writeString(PAGE, expected);
        }

        assertThat(Files.readString(PAGE))
                .as("stale: mvn test -pl scheduler-stream -am -Dtest=PermissionsPageTest -Dweir.docs.update=true")
                .isEqualTo(expected);
    }

    private static String table() {
        StringBuilder table = new StringBuilder("| request | argument | owner | other users | 4 | 3 | 2 | 1 |\n")
                .append("|---|---|---|---|---|---|---|---|\n");
        for (RequestKind kind : RequestKind.values()) {
            if (kind != RequestKind.UNKNOWN) {
                kind(kind, table);
            }
        }
        return table.toString();
    }

    private static void kind(RequestKind kind, StringBuilder table) {
        Map<String, List<String>> before = Map.of();
        for (String object : objects(kind)) {
            String name = "`" + kind + "`" + (object.equals("running") ? ", the job has its nodes" : "");
            Map<String, List<String>> cases = cases(kind, object);
            if (!cases.equals(before)) {
                cases.forEach((row, names) -> table.append("| %s | %s | %s\n"
                        .formatted(name, String.join(" ", names).strip(), row)));
            }
            before = cases;
        }
    }

    /** Returns which arguments go with which decisions; nothing stands for none. */
    private static Map<String, List<String>> cases(RequestKind kind, String object) {
        Map<String, List<String>> cases = new LinkedHashMap<>();
        cases.put(row(kind, object, List.of()), new ArrayList<>(List.of("")));
        for (NameValue argument : arguments(kind)) {
            String value = argument.getValue().equals("x") ? "" : "=" + argument.getValue();
            cases.computeIfAbsent(row(kind, object, List.of(argument)), row -> new ArrayList<>())
                    .add("`" + argument.getName() + value + "`");
        }
        return cases;
    }

    private static List<String> objects(RequestKind kind) {
        return switch (kind) {
            case MODIFY_RESERVATION, RELEASE_RESERVATION, ENABLE_RESERVATION, REBUILD_RESERVATION ->
                List.of("reservation");
            case CREATE_RESERVATION,
                    MODIFY_NODE,
                    MODIFY_CONFIG,
                    CONTROL_SCHEDULER,
                    SHOW_BACKFILL,
                    SHOW_NODE,
                    SHOW_NODE_STATISTICS,
                    SHOW_TRIGGERS,
                    SHOW_EVENTS -> List.of("-");
            case SHOW_CREDENTIAL_STATISTICS -> List.of("owner");
            default -> List.of("waiting", "running");
        };
    }

    private static List<NameValue> arguments(RequestKind kind) {
        List<NameValue> all = new ArrayList<>();
        for (ArgumentForm form : RequestSyntax.argumentsOf(kind)) {
            boolean sampled = form.words().isEmpty() && (kind != RequestKind.MODIFY_CONFIG);
            List<String> values = !form.words().isEmpty()
                    ? form.words()
                    : sampled ? SAMPLES.getOrDefault(form.name(), List.of("x")) : List.of("x");
            values.forEach(value -> all.add(new NameValue(form.name(), value)));
        }
        if (RequestSyntax.setsMetrics(kind)) {
            all.add(new NameValue(RequestSyntax.METRIC + "NAME]", "x"));
        }
        return all;
    }

    private static String row(RequestKind kind, String object, List<NameValue> arguments) {
        List<String> cells = new ArrayList<>();
        for (Principal who : List.of(
                new Principal("owner", Optional.of(AccessLevel.USER)),
                new Principal("other", Optional.of(AccessLevel.USER)),
                new Principal("other", Optional.of(AccessLevel.HELP_DESK)),
                new Principal("other", Optional.of(AccessLevel.AUDITOR)),
                new Principal("other", Optional.of(AccessLevel.OPERATOR)),
                new Principal("other", Optional.of(AccessLevel.ADMINISTRATOR)))) {
            cells.add(
                    may(who, kind, object, arguments, false)
                            ? "yes"
                            : may(who, kind, object, arguments, true) ? "ANY" : "no");
        }
        return String.join(" | ", cells) + " |";
    }

    private static boolean may(
            Principal who, RequestKind kind, String object, List<NameValue> arguments, boolean usersReserve) {
        try {
            NormalRequest request = NormalRequest.of(kind, object, arguments);
            return new Authorisation(new SiteAccess(Map.of(), usersReserve), OBJECTS)
                    .refusal(who, request)
                    .isEmpty();
        } catch (UnreadableRequestException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> flags() {
        List<String> flags = new ArrayList<>();
        for (ReservationFlag flag : ReservationFlag.values()) {
            flags.add(flag.name().toLowerCase(Locale.ROOT));
        }
        return flags;
    }
}
