package io.weir.rm.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;

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
