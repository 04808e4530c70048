package io.weir.scheduler.core.placement.priority;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@NullUnmarked
class PreferenceTest {
    private record Machine(Set<String> features, long memoryMb, long swapMb, long diskMb)
            implements Preference.Attributes {
        @Override
        public boolean feature(String feature) {
            return features.contains(feature);
        }
    }

    private static final Machine MACHINE = new Machine(Set.of("fast", "TAPE"), 2048, 512, 100);

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "feature:fast;true",
                "FEATURE:fast;true",
                "feature:FAST;false",
                "feature:fast&mem>=2048;true",
                "feature:fast&mem>2048;false",
                "feature:none&mem>0|swap==512;true",
                "swap==512|feature:none&mem>0;true",
                "memory <= 2G;true",
                "disk<100;false",
                "disk>=100,swap<513;true",
                "PREF(FEATURE:fast,FEATURE:TAPE);true",
                "PREF(FEATURE:fast,FEATURE:DISK);false"
            })
    void shouldTellWhetherANodeIsPreferred(String text, boolean preferred) {
        Preference.Reading reading = Preference.read(text);
        assertThat(reading.problem()).isNull();
        assertThat(reading.preference().holds(MACHINE)).isEqualTo(preferred);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "feature:", "speed>3", "mem>>3", "mem>=x", "feature:a&&feature:b", "(feature:a)"})
    void shouldDropWhatIsNoCondition(String text) {
        Preference.Reading reading = Preference.read(text);
        assertThat(reading.preference()).isNull();
        assertThat(reading.problem()).contains("ignored");
    }

    @Test
    void shouldNameTheBadCondition() {
        assertThat(Preference.read("feature:a & colour:red").problem()).contains("'colour:red'");
    }
}
