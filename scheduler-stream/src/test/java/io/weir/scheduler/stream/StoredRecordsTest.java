package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.scheduler.core.EntityKind;
import io.weir.scheduler.state.FairshareStatus;
import io.weir.scheduler.state.StoredHeader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class StoredRecordsTest {
    @Test
    void shouldSayThatAnotherBuildWroteWhatItCannotRead() {
        byte[] other =
                StoredRecords.encode(StoredHeader.getEncoder(), new StoredHeader("h", ByteBuffer.wrap(new byte[] {1})));

        assertThatThrownBy(() -> StoredRecords.decode(EntityKind.FAIRSHARE, "f", other))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("fingerprint")
                .hasMessageContaining("written by another build");
        assertThatThrownBy(() -> StoredRecords.decode(FairshareStatus.getDecoder(), Arrays.copyOf(other, 3)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot read");
    }
}
