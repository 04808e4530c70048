package io.weir.notifier;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.weir.notifier.spi.ActorProvider;
import io.weir.notifier.spi.ChargePeerProvider;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.NotifierProvider;

@AnalyzeClasses(packages = "io.weir.notifier", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule spiKnowsNoRunnerAndNoChannel = noClasses()
            .that()
            .resideInAPackage("io.weir.notifier.spi")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.weir.notifier.runtime..", "io.weir.topics", "io.weir.service", "org.apache.kafka.clients..");

    @ArchTest
    static final ArchRule runnerKnowsNoChannel = noClasses()
            .that()
            .resideInAPackage("io.weir.notifier.runtime..")
            .should()
            .dependOnClassesThat()
            .implement(NotifierProvider.class);

    @ArchTest
    static final ArchRule channelsKnowTheSpiAlone = noClasses()
            .that()
            .resideOutsideOfPackages("io.weir.notifier.spi", "io.weir.notifier.runtime..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.weir.notifier.runtime..", "io.weir.topics", "io.weir.service");

    @ArchTest
    static final ArchRule onlyTheChannelForTopicsHasClientsOfKafka = noClasses()
            .that()
            .resideOutsideOfPackages("io.weir.notifier.runtime..", "io.weir.notifier.kafka")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.kafka.clients..");

    @ArchTest
    static final ArchRule channelsDoNotKnowEachOther =
            slices().matching("io.weir.notifier.(*)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule channelsNeverSleep =
            noClasses().that().implement(Notifier.class).should().callMethod(Thread.class, "sleep", long.class);

    @ArchTest
    static final ArchRule notifierImportsNoOtherService = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.weir.scheduler..", "io.weir.rm..", "io.weir.standalone..", "io.weir.command..");

    @ArchTest
    static final ArchRule onlyProvidersArePublicInAChannel = classes()
            .that()
            .resideOutsideOfPackages("io.weir.notifier.spi", "io.weir.notifier.runtime..")
            .and()
            .arePublic()
            .and()
            .areTopLevelClasses()
            .should()
            .implement(NotifierProvider.class)
            .orShould()
            .implement(ActorProvider.class)
            .orShould()
            .implement(ChargePeerProvider.class);
}
