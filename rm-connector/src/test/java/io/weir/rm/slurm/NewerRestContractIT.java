package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Nested;

/** The contract once more, over services that speak as those of newer releases do, with a real Slurm behind them. */
class NewerRestContractIT {
    /** By default the last, which has most that is new; each takes minutes. */
    private static final List<String> ASKED =
            List.of(System.getProperty("slurm.rest.versions", "43").split(","));

    /** Offers a version that this client does not know beside those it does; the newest of these is to be taken. */
    abstract static class Spoken extends SlurmContractIT {
        private final int version;
        private @Nullable NewerRest rest;

        Spoken(int version) {
            Assumptions.assumeTrue(
                    ASKED.contains(Integer.toString(version)),
                    () -> "version " + version + " is not in slurm.rest.versions, " + ASKED);
            this.version = version;
        }

        @Override
        Map<String, String> settings(SlurmTestCluster running) {
            if (rest == null) {
                rest = NewerRest.before(running, version - 1, 99, version);
            }
            Map<String, String> settings = running.settings();
            settings.put("rest.url", rest.url());
            settings.put("rest.token.file", rest.token().toString());
            return settings;
        }

        @AfterEach
        void stopService() {
            if (rest != null) {
                assertThat(rest.asked()).isSubsetOf("v0.0." + version);
                rest.close();
            }
        }
    }

    /** Slurm 23.02: jobs are changed by their description, numbers say whether they are set. */
    @Nested
    class Version39 extends Spoken {
        Version39() {
            super(39);
        }
    }

    /** Slurm 23.11: moments too; states are lists. */
    @Nested
    class Version40 extends Spoken {
        Version40() {
            super(40);
        }
    }

    /** Slurm 25.05: a job's nodes are told in another way. */
    @Nested
    class Version43 extends Spoken {
        Version43() {
            super(43);
        }
    }
}
