package io.weir.scheduler;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Who may know whom, and the determinism law of the core. */
@AnalyzeClasses(packages = "io.weir.scheduler", importOptions = ImportOption.DoNotIncludeTests.class)
class SchedulerArchitectureTest {
    private static final String CORE = "io.weir.scheduler.core..";
    private static final String STREAM = "io.weir.scheduler.stream..";
    private static final String AUDIT = "io.weir.scheduler.audit..";
    private static final String JOURNAL = "io.weir.scheduler.journal..";
    private static final String QUERY = "io.weir.scheduler.query..";
    private static final String CLI = "io.weir.scheduler.cli..";
    private static final String STATE = "io.weir.scheduler.state..";

    private static final Set<String> FORBIDDEN_CLASSES = Set.of(
            "java.lang.Thread",
            "java.lang.ProcessBuilder",
            "java.lang.Runtime",
            "java.util.UUID",
            "java.util.Timer",
            "java.time.Clock",
            "java.security.SecureRandom",
            "java.util.Scanner");

    private static final List<Class<?>> UNORDERED =
            List.of(HashMap.class, HashSet.class, IdentityHashMap.class, ConcurrentHashMap.class);

    @ArchTest
    static final ArchRule coreKnowsOnlyJavaAndRecords = classes()
            .that()
            .resideInAPackage(CORE)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java.lang..",
                    "java.util..",
                    "java.time..",
                    "java.math..",
                    "java.nio.charset..",
                    "io.weir.schemas..",
                    STATE,
                    CORE,
                    "com.google.re2j..",
                    "org.apache.avro.specific..",
                    "org.apache.avro..",
                    "org.jspecify..")
            .because("the core is a pure fold: no Kafka, no IO, no logging, nothing that a replay could not have");

    @ArchTest
    static final ArchRule coreHasNoClockThreadEnvironmentOrChance = noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .dependOnClassesThat(new DescribedPredicate<JavaClass>("are clocks, threads, chance or the environment") {
                @Override
                public boolean test(JavaClass type) {
                    return FORBIDDEN_CLASSES.contains(type.getName())
                            || type.getPackageName().startsWith("java.util.concurrent")
                            || type.getPackageName().startsWith("java.util.logging");
                }
            })
            .because("the same journal has to give the same outputs on any machine");

    @ArchTest
    static final ArchRule coreAsksTheMachineNothing = noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .callMethodWhere(calls(System.class, "currentTimeMillis|nanoTime|getenv|getProperty|identityHashCode"))
            .orShould()
            .callMethodWhere(calls("java.time.*", "now"))
            .orShould()
            .callMethodWhere(calls(Math.class, "random|exp|log|log10|log1p|pow|sin|cos|tan|cbrt|expm1"))
            .orShould()
            .callMethodWhere(calls(String.class, "format|formatted"))
            .orShould()
            .callMethodWhere(calls("java.util.Locale", "getDefault"))
            .orShould()
            .callMethodWhere(calls("java.util.Collections", "shuffle"))
            .orShould()
            .callMethodWhere(calls("java.util.*", "parallelStream|parallel|parallelSort"))
            .because("`now` comes with the iteration; formatting is for clients; StrictMath where math is needed");

    @ArchTest
    static final ArchRule coreMatchesInLinearTime = noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.util.regex..")
            .orShould()
            .callMethodWhere(calls(String.class, "matches|replaceAll|replaceFirst"))
            .because("a back-reference or a nested repetition takes as long as it likes; RE2/J does not. split() is"
                    + " called with fixed sets of characters only");

    @ArchTest
    static final ArchRule coreIsOrdered = noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .callConstructorWhere(new DescribedPredicate<>("it makes an unordered collection or unseeded chance") {
                @Override
                public boolean test(com.tngtech.archunit.core.domain.JavaConstructorCall call) {
                    JavaClass owner = call.getTargetOwner();
                    boolean unseeded = owner.isEquivalentTo(Random.class)
                            && call.getTarget().getRawParameterTypes().isEmpty();
                    return unseeded || UNORDERED.stream().anyMatch(owner::isEquivalentTo);
                }
            })
            .because("iteration order must not depend on hashes: linked or sorted collections");

    @ArchTest
    static final ArchRule streamKnowsNoReaders = noClasses()
            .that()
            .resideInAPackage(STREAM)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(AUDIT, QUERY, CLI, "io.weir.scheduler.simulator..")
            .because("the stream writes; whoever reads does so from the topics");

    @ArchTest
    static final ArchRule auditKnowsNoStream = noClasses()
            .that()
            .resideInAPackage(AUDIT)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(STREAM, QUERY, CLI, "org.apache.kafka.streams..")
            .because("an audit that ran the audited shell would share its mistakes; what they share is the journal");

    @ArchTest
    static final ArchRule onlyTheRecordLogHasAConsumer = noClasses()
            .that()
            .resideInAPackage(AUDIT)
            .and()
            .haveSimpleNameNotContaining("KafkaRecordLog")
            .and()
            .haveSimpleNameNotContaining("PartitionReader")
            .should()
            .dependOnClassesThat()
            .haveNameMatching("org\\.apache\\.kafka\\.clients\\.(admin\\..*|producer\\..*|consumer\\.(Kafka)?Consumer)")
            .because("everything else runs on logs in memory, too");

    @ArchTest
    static final ArchRule journalIsPure = noClasses()
            .that()
            .resideInAPackage(JOURNAL)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(STREAM, AUDIT, QUERY, CLI, "org.apache.kafka.streams..", "org.apache.kafka.clients..")
            .because("writer and reader of the journal share it");

    @ArchTest
    static final ArchRule simulatorKnowsNoKafka = noClasses()
            .that()
            .resideInAPackage("io.weir.scheduler.simulator..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka..", STREAM, AUDIT)
            .because("it is the core alone, in virtual time");

    @ArchTest
    static final ArchRule pluginsKnowRecordsOnly = noClasses()
            .that()
            .resideInAPackage("io.weir.scheduler.plugin..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(CORE, STREAM, AUDIT, JOURNAL, QUERY, CLI, STATE, "org.apache.kafka.streams..")
            .because("a site's own code sees questions and gives answers: recorded, a replay needs none of it");

    @ArchTest
    static final ArchRule queryReadsTopicsOnly = noClasses()
            .that()
            .resideInAPackage(QUERY)
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage(CORE, STREAM, AUDIT, JOURNAL, CLI, STATE, "org.apache.kafka.streams..")
                            .and(not(resideInAnyPackage(
                                    "io.weir.scheduler.core.policy..", "io.weir.scheduler.core.request.form..")))
                            .and(
                                    not(
                                            nameMatching(
                                                    "io\\.weir\\.scheduler\\.core\\.node\\.(EffectiveNode|Node|NodeAttributes|NodeEventHistory|MetricRange|NodeUsage|Capacity)"
                                                            + "|io\\.weir\\.scheduler\\.core\\.category\\.(NodeCategorizer|ReservationClaim|CategoryFinding)"))))
            .because("what is shown was committed, and any instance can show it: the topics say it all; a"
                    + " configuration, and what it makes of a node, is read as the core reads it");

    @ArchTest
    static final ArchRule queryHasFourClients = noClasses()
            .that()
            .resideInAPackage(QUERY)
            .and()
            .haveSimpleNameNotContaining("ClusterImageFeed")
            .and()
            .haveSimpleNameNotContaining("RequestClient")
            .and()
            .haveSimpleNameNotContaining("VisibleState")
            .and()
            .haveSimpleNameNotContaining("NonstopEventReader")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka.clients..")
            .because("views, rules and the server run on images in memory, too");

    @ArchTest
    static final ArchRule packagesAreFreeOfCycles =
            slices().matching("io.weir.scheduler.(**)").should().beFreeOfCycles();

    private static DescribedPredicate<JavaCall<?>> calls(Class<?> type, String methods) {
        return calls(type.getName().replace(".", "\\."), methods);
    }

    private static DescribedPredicate<JavaCall<?>> calls(String type, String methods) {
        return target(owner(DescribedPredicate.describe(
                        type, owner -> owner.getName().matches(type))))
                .and(target(nameMatching(methods)));
    }
}
