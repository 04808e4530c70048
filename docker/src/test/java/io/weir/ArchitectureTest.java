package io.weir;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

@AnalyzeClasses(packages = "io.weir", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule onlyTheBrokerPackageKnowsTheServer = noClasses()
            .that()
            .resideOutsideOfPackage("io.weir.standalone.broker")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("kafka..", "org.apache.kafka.metadata..", "org.apache.kafka.server..", "scala..")
            .because("the broker's classes are internal API and change with every release of Kafka");

    @ArchTest
    static final ArchRule nothingDependsOnTheDistribution = noClasses()
            .that()
            .resideOutsideOfPackages("io.weir.standalone..", "io.weir.command..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.weir.standalone..", "io.weir.command..")
            .because("the distribution is put together from the services, not the other way round");

    @ArchTest
    static final ArchRule theLauncherDoesNotSchedule = noClasses()
            .that()
            .resideInAnyPackage("io.weir.standalone..", "io.weir.command..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.weir.scheduler.core..", "io.weir.scheduler.stream..")
                    .and(not(resideInAnyPackage("io.weir.scheduler.core.policy..")))
                    .and(not(simpleName("TimeArgument")))
                    .and(not(simpleName("MessageTerms")))
                    .and(not(simpleName("RequestSubject"))))
            .because("it starts the same services that run as processes of their own and has no logic of its own;"
                    + " what it checks, it reads as they do");

    @ArchTest
    static final ArchRule registryKnowsNoTopicsOfWeir = classes()
            .that()
            .resideInAPackage("io.weir.standalone.registry")
            .should()
            .onlyDependOnClassesThat()
            .resideOutsideOfPackages("io.weir.topics..", "io.weir.schemas..", "io.weir.command..")
            .because("it serves any Avro client, Weir is one of them");

    @ArchTest
    static final ArchRule theClientLibraryNeedsNothingOfTheServices = classes()
            .that()
            .resideInAPackage("io.weir.nonstop.client")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "javax.net.ssl..",
                    "com.fasterxml.jackson..",
                    "org.jspecify.annotations..",
                    "io.weir.nonstop.client")
            .because("applications link it, whatever their licence, and it is a jar of its own");

    @ArchTest
    static final ArchRule smdRunsOnComputeNodesWithoutTheServices = classes()
            .that()
            .resideInAPackage("io.weir.command.nonstop")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                            "java..",
                            "picocli..",
                            "org.jspecify.annotations..",
                            "io.weir.nonstop.client",
                            "io.weir.command.nonstop")
                    .or(simpleName("BadInputException")))
            .because("it is a jar of its own, too, with the client library");

    @ArchTest
    static final ArchRule packagesOfCommandLineAndLauncherFormNoCycle = slices().assignedFrom(
                    new PackagesOfCommandLineAndLauncher())
            .should()
            .beFreeOfCycles();

    /** Each package of the command line and of the launcher is a slice. */
    private static final class PackagesOfCommandLineAndLauncher implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            String name = type.getPackageName();
            return name.startsWith("io.weir.command") || name.startsWith("io.weir.standalone")
                    ? SliceIdentifier.of(name)
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "packages of the command line and of the launcher";
        }
    }
}
