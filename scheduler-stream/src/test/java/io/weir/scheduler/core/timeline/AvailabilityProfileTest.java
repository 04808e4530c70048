package io.weir.scheduler.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class AvailabilityProfileTest {
    private static final int HORIZON = 60;

    @Test
    void shouldAnswerLikeACountPerSecond() {
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            AvailabilityProfile profile = new AvailabilityProfile();
            long[] counts = new long[HORIZON * 3];
            long base = 1 + random.nextInt(9);
            profile.reset(0, base);
            java.util.Arrays.fill(counts, base);
            for (int at = 0; at < 20; at += 1 + random.nextInt(7)) {
                int more = random.nextInt(4);
                profile.append(at, more);
                for (int t = at; t < counts.length; t++) {
                    counts[t] += more;
                }
            }
            for (int step = 0; step < 40; step++) {
                int from = random.nextInt(HORIZON);
                int duration = 1 + random.nextInt(HORIZON);
                int procs = 1 + random.nextInt(12);
                long expected = earliest(counts, from, duration, procs);
                long found = profile.earliest(from, duration, procs);
                assertThat(found).as("earliest, seed %d step %d", seed, step).isEqualTo(expected);
                assertThat(profile.fits(from, duration, procs))
                        .as("fits, seed %d step %d", seed, step)
                        .isEqualTo(expected == from);
                if (found < HORIZON) {
                    profile.take(found, duration, procs);
                    add(counts, (int) found, duration, -procs);
                    if (random.nextInt(3) == 0) {
                        profile.giveBack(found, duration, procs);
                        add(counts, (int) found, duration, procs);
                    }
                }
                int at = random.nextInt(HORIZON);
                assertThat(profile.freeAt(at))
                        .as("free, seed %d step %d", seed, step)
                        .isEqualTo(counts[at]);
                assertThat(profile.overcommitted()).isFalse();
            }
        }
    }

    @Test
    void shouldNoticeOvercommitment() {
        AvailabilityProfile profile = new AvailabilityProfile();
        profile.reset(0, 4);
        profile.take(10, 5, 3);
        profile.take(12, 5, 2);

        assertThat(profile.overcommitted()).isTrue();
        assertThat(profile.nextStep(0)).isEqualTo(10);
        assertThat(profile.nextStep(15)).isEqualTo(17);
        assertThat(profile.nextStep(17)).isEqualTo(AvailabilityProfile.NEVER);
        assertThat(profile.earliest(0, 1, 5)).isEqualTo(AvailabilityProfile.NEVER);
    }

    private static long earliest(long[] counts, int from, int duration, int procs) {
        for (int start = from; start < counts.length - duration; start++) {
            boolean free = true;
            for (int t = start; t < start + duration; t++) {
                free &= counts[t] >= procs;
            }
            if (free) {
                return start;
            }
        }
        return AvailabilityProfile.NEVER;
    }

    private static void add(long[] counts, int from, int duration, int procs) {
        for (int t = from; t < from + duration; t++) {
            counts[t] += procs;
        }
    }
}
