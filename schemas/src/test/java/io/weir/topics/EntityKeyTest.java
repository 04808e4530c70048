package io.weir.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntityKeyTest {

    @ParameterizedTest
    @CsvSource({"alpha/job.1,alpha,job.1", "alpha,alpha,''", "alpha/7/2,alpha,7/2", "'','',''", "/n1,'',n1"})
    void shouldSplitAtTheFirstSlashAndJoinAgain(String text, String cluster, String entity) {
        EntityKey key = EntityKey.parse(text);

        assertThat(key).isEqualTo(new EntityKey(cluster, entity));
        assertThat(key).hasToString(text);
        assertThat(EntityKey.parse(key.toBytes())).isEqualTo(key);
    }

    @Test
    void shouldNotThrowOnMalformedBytes() {
        assertThat(EntityKey.parse(new byte[] {(byte) 0xff, '/', 'x'}).entity()).isEqualTo("x");
    }

    @Test
    void shouldRefuseAClusterNameWithASlash() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EntityKey("a/b", "c"))
                .withMessageContaining("a/b");
    }
}
