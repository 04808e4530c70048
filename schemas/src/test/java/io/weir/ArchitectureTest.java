package io.weir;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.weir", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule importsNoOtherModule = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.weir.scheduler..", "io.weir.rm..", "io.weir.notifier..", "io.weir.standalone..")
            .because("schemas is the contract everybody else imports");

    @ArchTest
    static final ArchRule plumbingKnowsNoDomain = noClasses()
            .that()
            .resideInAPackage("io.weir.service..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.weir.topics..", "io.weir.schemas..", "io.weir.trace..")
            .because("settings, health and lifecycle are the same for any service");

    @ArchTest
    static final ArchRule onlyTheCodecKnowsTheRegistry = classes()
            .that()
            .resideInAPackage("io.weir..")
            .and()
            .haveNameNotMatching("io\\.weir\\.topics\\.(AvroCodec|RegistryCalls)(\\$.*)?")
            .should()
            .onlyDependOnClassesThat()
            .resideOutsideOfPackage("io.confluent..")
            .because("everything else must not care how schemas are found");

    @ArchTest
    static final ArchRule recordsDependOnNothingOfOurs = noClasses()
            .that()
            .resideInAPackage("io.weir.schemas..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.weir.topics..", "io.weir.service..", "io.weir.trace..")
            .because("generated records are data");
}
