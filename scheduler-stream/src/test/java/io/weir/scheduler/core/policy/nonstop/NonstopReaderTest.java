package io.weir.scheduler.core.policy.nonstop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.PolicyLine;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.core.policy.language.PolicyProblem.Level;
import io.weir.schemas.bound.Limit;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What nonstop.conf may say, what of it is passed over, and what refuses all of it. */
@NullUnmarked
class NonstopReaderTest {
    private static final String CONTROL = "ControlAddr=head1";

    private SitePolicy.Reading reading;

    private NonstopSettings read(String... lines) {
        reading = SitePolicy.read("FAILURESERVICE nonstop\n" + PolicyLine.marker(NonstopText.FILE, 1) + "\n"
                + String.join("\n", lines) + "\n");
        return reading.policy().nonstop();
    }

    private List<Level> levels() {
        return reading.problems().stream().map(PolicyProblem::level).toList();
    }

    /** The sample of the manual page, its spelling included. */
    @Test
    @Feature({"SMD-30", "SMD-31", "SMD-32", "SMD-33", "SMD-34", "SMD-35", "SMD-36", "SMD-37", "SMD-38", "SMD-39"})
    void shouldReadASampleFile() {
        NonstopSettings settings = read(
                "#",
                "# Sample nonstop.conf",
                "ControlAddr=prometeo   # primary",
                "BackupAddr=10.0.0.2",
                "Debug=1",
                "Port=9114",
                "HotSpareCount=batch:8,debug:2",
                "MaxSpareNodesCount=4",
                "TimeLimitDelay=600",
                "TimeLimitDrop=30",
                "TimeLimitExtend=2",
                "UserDrainAllow=alan,brenda");
        assertThat(reading.problems()).isEmpty();
        assertThat(settings.controlAddress()).isEqualTo("prometeo");
        assertThat(settings.backupAddress()).isEqualTo("10.0.0.2");
        assertThat(settings.debug()).isEqualTo(1);
        assertThat(settings.port()).isEqualTo(9114);
        assertThat(settings.hotSpares()).containsExactly(entry("batch", 8), entry("debug", 2));
        assertThat(settings.mostSpares()).isEqualTo(4);
        assertThat(settings.delayMinutes()).isEqualTo(600);
        assertThat(settings.dropMinutes()).isEqualTo(30);
        assertThat(settings.extendMinutes()).isEqualTo(2);
        assertThat(settings.drainers()).isEqualTo(new DrainAccess(List.of("alan", "brenda"), List.of()));
    }

    @Test
    void shouldKnowItsDefaults() {
        NonstopSettings settings = read(CONTROL);
        assertThat(settings.backupAddress()).isNull();
        assertThat(settings.port()).isEqualTo(6820);
        assertThat(settings.hotSpares()).isEmpty();
        assertThat(List.of(
                        settings.debug(),
                        settings.mostSpares(),
                        settings.delayMinutes(),
                        settings.extendMinutes(),
                        settings.dropMinutes()))
                .containsOnly(0);
        assertThat(settings.readTimeoutMillis()).isEqualTo(10_000);
        assertThat(settings.writeTimeoutMillis()).isEqualTo(10_000);
        assertThat(settings.drainers().allows("ann")).isFalse();
    }

    @Test
    void shouldNotCareForTheCaseOfNames() {
        assertThat(read("controladdr=head1", "PORT=7000", "maxSpareNodeCount=3"))
                .extracting(NonstopSettings::port, NonstopSettings::mostSpares)
                .containsExactly(7000, 3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            batch:8,debug:2    | {batch=8, debug=2} |
            batch:8, debug:2   | {batch=8, debug=2} |
            a:b:3              | {a:b=3}            |
            batch:8,           | {batch=8}          |
            batch              | {}                 | ERROR
            :8                 | {}                 | ERROR
            batch:             | {}                 | ERROR
            batch:-1,debug:2   | {debug=2}          | ERROR
            batch:many,debug:2 | {debug=2}          | ERROR
            batch:9999999      | {}                 | ERROR
            batch:0,debug:2    | {debug=2}          | INFO
            batch:1,batch:2    | {batch=1}          | INFO
            """)
    @Feature("SMD-34")
    void shouldPassOverCountsOfSparesThatMakeNoSense(String text, String spares, Level problem) {
        assertThat(read(CONTROL, "HotSpareCount=" + text).hotSpares()).hasToString(spares);
        assertThat(levels()).isEqualTo(problem == null ? List.of() : List.of(problem));
    }

    @Test
    @Feature("SMD-34")
    void shouldSayThatItCountsSparesOfNoMorePartitions() {
        StringBuilder text = new StringBuilder("HotSpareCount=p0:1");
        for (int i = 1; i < Limit.WORDS + 5; i++) {
            text.append(",p").append(i).append(":1");
        }

        assertThat(read(CONTROL, text.toString()).hotSpares()).hasSize(Limit.WORDS);
        assertThat(levels()).containsExactly(Level.ERROR);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Port=0", "Port=65536", "Port=http", "Port=", "TimeLimitDelay=65534", "TimeLimitExtend=-1",
                "TimeLimitDrop=1h", "MaxSpareNodeCount=-1", "Debug=x", "ReadTimeout=0", "WriteTimeout=0", "Prot=6820",
                "UserDrainAllow=ann\nUserDrainDeny=ben"
            })
    @Feature({"SMD-30", "SMD-36", "SMD-37", "SMD-38", "SMD-39"})
    void shouldRefuseAFileItCannotMakeSenseOf(String lines) {
        assertThat(read(CONTROL, lines)).isNull();
        assertThat(levels()).contains(Level.ERROR);
    }

    @Test
    @Feature({"SMD-30", "SMD-40"})
    void shouldSayInWhichFileAndLineAMistakeIs() {
        read(CONTROL, "UserDrainAllow=ann", "UserDrainDeny=ben", "Frobnicate=3");
        assertThat(reading.problems())
                .extracting(problem -> problem.origin().toString())
                .containsExactly("nonstop.conf:3", "nonstop.conf:4");
        read("Port=9114");
        assertThat(reading.problems())
                .extracting(problem -> problem.origin().file())
                .containsExactly("nonstop.conf");
    }

    @Test
    @Feature("SMD-32")
    void shouldRefuseAFileWithoutAnAddress() {
        assertThat(read("Port=9114")).isNull();
        assertThat(levels()).containsExactly(Level.ERROR);
        assertThat(read("ControlAddr=a/b")).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            UserDrainAllow=ann,ben                     | ann,ben       | carol
            UserDrainAllow=all                         | ann,ben,carol |
            UserDrainDeny=carol                        | ann,ben       | carol
            UserDrainDeny=ALL                          |               | ann,ben,carol
            UserDrainAllow=ALL;UserDrainDeny=ben,carol | ann           | ben,carol
            """)
    @Feature("SMD-40")
    void shouldKnowWhoMayDrain(String lines, String may, String mayNot) {
        DrainAccess access = read((CONTROL + ";" + lines).split(";")).drainers();
        assertThat(may == null ? List.<String>of() : List.of(may.split(","))).allMatch(access::allows);
        assertThat(mayNot == null ? List.<String>of() : List.of(mayNot.split(",")))
                .noneMatch(access::allows);
    }

    @Test
    @Feature("SMD-29")
    void shouldBeOffUnlessAskedFor() {
        String conf = PolicyLine.marker(NonstopText.FILE, 1) + "\n" + CONTROL + "\n";
        assertThat(SitePolicy.read(conf).policy().nonstop()).isNull();
        assertThat(SitePolicy.read("SlurmctldPlugin=slurmctld/nonstop\n" + conf)
                        .policy()
                        .nonstop())
                .isNotNull();
    }
}
