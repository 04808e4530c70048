package io.weir.rm.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LimitRecordsTest {
    private static final String LISTING = """
            Current Association Manager state

            Association Records

            ClusterName=c Account=chem UserName= Partition= Priority=0 ID=3 SharesRaw/Norm/Level/Factor=1/0.00/1/0.00 \
            UsageRaw/Norm/Efctv=0.00/1.00/0.00 ParentAccount=root(1) Lft=6 DefAssoc=No GrpJobs=N(0) GrpTRES=cpu=4(2),mem=N(0)
            ClusterName=c Account=chem UserName=ann(65534) Partition= Priority=0 ID=7 \
            SharesRaw/Norm/Level/Factor=1/0.00/1/0.00 UsageRaw/Norm/Efctv=0.00/1.00/0.00 ParentAccount= Lft=7 MaxJobs= MaxWallPJ=
            QOS Records

            QOS=normal(1) UsageRaw=0.000000 GrpJobs=N(0) MaxWallPJ=2 MinTRESPJ= Priority=0 Account Limits= \
            chem={MaxJobsPA=N(0)} User Limits= 65534={MaxJobsPU=3(2) MaxTRESPU=cpu=N(0)}
            """;

    private static LimitRecords changed(String from, String to) {
        assertThat(LISTING).contains(from);
        return LimitRecords.parse(LISTING.replace(from, to));
    }

    @Test
    void shouldReadUsersAccountsAndQoss() {
        LimitRecords records = LimitRecords.parse(LISTING);

        assertThat(records.byUser()).containsOnlyKeys("ann");
        assertThat(records.others()).containsOnlyKeys("account chem", "QOS normal");
    }

    @Test
    void shouldTellWhichAccountsAboveLimitTheirJobsTogether() {
        String account =
                "ClusterName=c Account=%s UserName= Partition= Priority=0 ID=3 ParentAccount=%s Lft=6 DefAssoc=No %s\n";
        String tree = account.formatted("root", "", "GrpJobs=N(2) GrpTRES=cpu=N(4)")
                + account.formatted("science", "root(1)", "GrpJobs=N(2) GrpWall=N(0.00) GrpTRES=mem=N(0),cpu=4(2)")
                + account.formatted("chem", "science(2)", "GrpJobs=5(2) GrpTRES=cpu=N(2)")
                + account.formatted("organic", "chem(3)", "GrpJobs=N(2) GrpTRES=cpu=2(2)")
                + account.formatted("bio", "science(2)", "GrpJobs=N(2) GrpTRES=cpu=N(2)")
                + account.formatted("loop", "noose(9)", "GrpJobs=1(0)")
                + account.formatted("noose", "loop(8)", "GrpTRESRunMins=cpu=60(0)");

        assertThat(LimitRecords.parse(tree).above())
                .containsOnly(
                        Map.entry("chem", List.of("science")),
                        Map.entry("organic", List.of("chem", "science")),
                        Map.entry("bio", List.of("science")),
                        Map.entry("loop", List.of("noose")),
                        Map.entry("noose", List.of("loop")));
        assertThat(LimitRecords.parse(LISTING).above()).isEmpty();
    }

    @Test
    void shouldNotTakeUseForAChange() {
        LimitRecords records = LimitRecords.parse(LISTING);

        assertThat(changed("cpu=4(2)", "cpu=4(3)")).isEqualTo(records);
        assertThat(changed("UsageRaw=0.000000", "UsageRaw=7.5")).isEqualTo(records);
        assertThat(changed("Lft=7", "Lft=9")).isEqualTo(records);
        assertThat(changed("User Limits= 65534", "User Limits= 1={MaxJobsPU=3(1) MaxTRESPU=cpu=N(5)} 65534"))
                .isEqualTo(records);
    }

    @Test
    void shouldSeeWhichLimitsChange() {
        LimitRecords records = LimitRecords.parse(LISTING);

        assertThat(changed("cpu=4(2)", "cpu=5(2)").others()).isNotEqualTo(records.others());
        assertThat(changed("MaxWallPJ=2", "MaxWallPJ=").others()).isNotEqualTo(records.others());
        assertThat(changed("MaxJobsPU=3(2)", "MaxJobsPU=4(2)").others()).isNotEqualTo(records.others());
        assertThat(changed("MaxWallPJ=\n", "MaxWallPJ=9\n").of("ann")).isNotEqualTo(records.of("ann"));
        assertThat(changed("MaxWallPJ=\n", "MaxWallPJ=9\n").others()).isEqualTo(records.others());
        assertThat(changed("ID=7", "ID=8").of("ann")).as("made anew").isNotEqualTo(records.of("ann"));
    }
}
