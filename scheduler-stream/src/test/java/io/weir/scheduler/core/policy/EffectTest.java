package io.weir.scheduler.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.weir.scheduler.Feature;
import io.weir.scheduler.core.policy.language.parameter.Attribute;
import io.weir.scheduler.core.policy.language.parameter.Parameter;
import io.weir.scheduler.core.policy.language.parameter.ParameterRegistry;
import io.weir.scheduler.core.reservation.ReservationTerms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the register says has an effect is read by somebody. The records of the model say which parameter each of their
 * components holds: {@code @param component PARAMETER}.
 */
class EffectTest {
    private static final Path SOURCES = Path.of("src/main/java/io/weir/scheduler/core/policy");
    private static final Pattern COMPONENT = Pattern.compile("@param (\\w+) ([A-Z][A-Z0-9.]+)");

    private static final Map<String, List<String>> OBJECTS = Map.of(
            "NodeConfig", List.of("NODECFG"),
            "ClassConfig", List.of("CLASSCFG"),
            "PartitionConfig", List.of("PARCFG"),
            "QosConfig", List.of("QOSCFG"),
            "CredentialConfig", List.of("USERCFG", "GROUPCFG", "ACCOUNTCFG"),
            "StandingConfig", List.of("SRCFG", "RSVPROFILE"));

    /** Components that are kept with reservations, and the component of their terms that holds them. */
    private static final Map<String, String> KEPT = Map.of("accountable", "accountable", "priority", "priority");

    /** Who keeps terms of reservations and gives them out again, and does nothing about them. */
    private static final List<String> KEEPERS =
            List.of("ReservationTerms", "TermsEdit", "TermsReader", "AdministrativeReservation");

    /** Read from the text by the API, which decides who may ask for what. */
    private static final List<String> READ_BY_THE_API = List.of("RSVCTLPOLICY");

    @Test
    @Feature("CFG-1")
    void shouldClaimAnEffectOnlyForWhatIsRead() throws IOException {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.weir.scheduler.core");
        TreeSet<String> unread = new TreeSet<>();
        TreeSet<String> silent = new TreeSet<>();
        for (Map.Entry<String, Map<String, String>> type : components().entrySet()) {
            JavaClass record = classes.get(type.getKey());
            String simple = record.getSimpleName();
            type.getValue().forEach((component, name) -> {
                String kept = simple.equals("StandingConfig") ? KEPT.get(component) : null;
                boolean read = kept != null
                        ? actedOn(classes.get(ReservationTerms.class), kept)
                        : read(record, component) || READ_BY_THE_API.contains(name);
                for (String entry : entries(simple, name)) {
                    if (effective(entry) && !read) {
                        unread.add(entry);
                    } else if (!effective(entry) && read) {
                        silent.add(entry);
                    }
                }
            });
        }

        assertThat(components()).hasSizeGreaterThan(OBJECTS.size());
        assertThat(silent)
                .as("read by now: take them off the list in UnimplementedParameters")
                .isEmpty();
        assertThat(unread)
                .as("nothing reads them: put them on the list in UnimplementedParameters, or mark them pending")
                .isEmpty();
    }

    private static List<String> entries(String record, String name) {
        return OBJECTS.containsKey(record)
                ? OBJECTS.get(record).stream()
                        .map(object -> object + " " + name)
                        .filter(entry -> attribute(entry) != null)
                        .toList()
                : ParameterRegistry.get().find(name) == null
                                || ParameterRegistry.get().require(name).isObject()
                        ? List.of()
                        : List.of(name);
    }

    private static boolean effective(String entry) {
        Attribute attribute = attribute(entry);
        return attribute != null
                ? attribute.effective()
                : ParameterRegistry.get().require(entry).effective();
    }

    private static Attribute attribute(String entry) {
        int blank = entry.indexOf(' ');
        if (blank < 0) {
            return null;
        }
        Parameter object = ParameterRegistry.get().require(entry.substring(0, blank));
        return object.attributes().stream()
                .filter(attribute -> attribute.name().equals(entry.substring(blank + 1)))
                .findFirst()
                .orElse(null);
    }

    private static boolean read(JavaClass record, String component) {
        JavaMethod accessor = record.getMethod(component);
        return accessor.getAccessesToSelf().stream()
                .anyMatch(access -> !access.getOriginOwner().getPackageName().contains(".core.policy")
                        || (access.getOriginOwner().equals(record)
                                        || access.getOriginOwner()
                                                .getSimpleName()
                                                .equals("SitePolicy"))
                                && !access.getOrigin().getName().equals(component)
                                && isUsed(access.getOrigin().getName()));
    }

    private static boolean actedOn(JavaClass terms, String component) {
        return terms.getMethod(component).getAccessesToSelf().stream()
                .anyMatch(access -> !KEEPERS.contains(access.getOriginOwner().getSimpleName()));
    }

    /** Methods of the record itself and of the whole policy count as readers, those the compiler makes apart. */
    private static boolean isUsed(String method) {
        return !List.of("equals", "hashCode", "toString", "<init>").contains(method);
    }

    private static Map<String, Map<String, String>> components() throws IOException {
        Map<String, Map<String, String>> components = new TreeMap<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                String text = Files.readString(file);
                String type = file.getFileName().toString().replace(".java", "");
                if (!text.contains("public record " + type + "(")) {
                    continue;
                }
                Matcher matcher = COMPONENT.matcher(text);
                while (matcher.find()) {
                    String parent = SOURCES.getParent()
                            .getParent()
                            .getParent()
                            .getParent()
                            .getParent()
                            .relativize(file.getParent())
                            .toString();
                    components
                            .computeIfAbsent(parent.replace('/', '.') + "." + type, name -> new TreeMap<>())
                            .put(matcher.group(1), matcher.group(2));
                }
            }
        }
        return components;
    }
}
