package io.weir.rm;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.weir.rm", importOptions = ImportOption.DoNotIncludeTests.class)
class RmArchitectureTest {

    @ArchTest
    static final ArchRule SPI_KNOWS_RECORDS_ONLY = classes()
            .that()
            .resideInAPackage("io.weir.rm.spi")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "io.weir.rm.spi", "io.weir.schemas", "org.jspecify.annotations")
            .because("an integration must not have to carry Kafka, a configuration library or our runtime");

    @ArchTest
    static final ArchRule INTEGRATIONS_KNOW_THE_SPI_ONLY = classes()
            .that()
            .resideInAPackage("io.weir.rm.simulated..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "io.weir.rm.spi",
                    "io.weir.rm.simulated..",
                    "io.weir.schemas",
                    "io.weir.trace",
                    "io.weir.topics",
                    "io.weir.service.setting",
                    "org.apache.kafka.common.config..",
                    "org.slf4j",
                    "org.jspecify.annotations")
            .because("what an integration needs is in the SPI; topics and epochs are the runner's business");

    @ArchTest
    static final ArchRule NATIVE_KNOWS_THE_SPI_ONLY = classes()
            .that()
            .resideInAPackage("io.weir.rm.nativerm..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "io.weir.rm.spi",
                    "io.weir.rm.nativerm..",
                    "io.weir.schemas",
                    "io.weir.schemas.bound",
                    "io.weir.service.http",
                    "io.weir.service.setting",
                    "org.apache.kafka.common.config..",
                    "org.slf4j",
                    "org.jspecify.annotations")
            .because(
                    "processes, files and the web are the JDK's, how text is written in headers is shared; topics and epochs are the runner's business");

    @ArchTest
    static final ArchRule NATIVE_TEXT_KNOWS_NO_SOURCE = noClasses()
            .that()
            .resideInAPackage("io.weir.rm.nativerm.text")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.weir.rm.nativerm.call", "io.weir.rm.nativerm", "java.net..", "java.nio.file..")
            .because("a text is read the same wherever it comes from");

    @ArchTest
    static final ArchRule SLURM_KNOWS_THE_SPI_ONLY = classes()
            .that()
            .resideInAPackage("io.weir.rm.slurm..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "io.weir.rm.spi",
                    "io.weir.rm.slurm..",
                    "io.weir.schemas",
                    "io.weir.schemas.bound",
                    "com.fasterxml.jackson..",
                    "io.weir.service.setting",
                    "org.apache.kafka.common.config..",
                    "org.slf4j",
                    "org.jspecify.annotations")
            .because("what an integration needs is in the SPI, and its own client");

    @ArchTest
    static final ArchRule RUNTIME_KNOWS_NO_INTEGRATION = noClasses()
            .that()
            .resideInAPackage("io.weir.rm.runtime..")
            .should()
            .dependOnClassesThat(resideInAPackage("io.weir.rm..")
                    .and(not(resideInAPackage("io.weir.rm.runtime..")))
                    .and(not(resideInAPackage("io.weir.rm.spi"))))
            .because("integrations are found by ServiceLoader");

    @ArchTest
    static final ArchRule CLIENTS_STAY_BEHIND_THE_SEAMS = noClasses()
            .that()
            .resideInAPackage("io.weir.rm..")
            .and()
            .haveSimpleNameNotStartingWith("Kafka")
            .and()
            .doNotHaveFullyQualifiedName("io.weir.rm.runtime.ConnectorService")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.kafka.clients..")
            .because("the runner is tested without Kafka");

    @ArchTest
    static final ArchRule SERVICES_MEET_IN_TOPICS = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.weir.scheduler..", "io.weir.notifier..", "io.weir.standalone..")
            .because("the three services never import each other");

    @ArchTest
    static final ArchRule NO_CYCLES =
            slices().matching("io.weir.rm.(**)").should().beFreeOfCycles();
}
