package io.weir.scheduler.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class ClientNetworkTest {
    @Test
    void shouldTellAddressesOfVersion4Apart() throws UnknownHostException {
        assertThat(of("10.0.0.1")).isNotEqualTo(of("10.0.0.2")).isEqualTo(of("10.0.0.1"));
        assertThat(of("::ffff:10.0.0.1")).as("written as version 6").isEqualTo(of("10.0.0.1"));
    }

    @Test
    void shouldTakeTheUpperHalfOfVersion6() throws UnknownHostException {
        assertThat(of("2001:db8:0:1::1"))
                .isEqualTo(of("2001:db8:0:1:ffff:2:3:4"))
                .isNotEqualTo(of("2001:db8:0:2::1"));
        assertThat(of("2001:db8:0:1::1").name()).isEqualTo("2001:db8:0:1");
    }

    private static ClientNetwork of(String address) throws UnknownHostException {
        return ClientNetwork.of(InetAddress.getByName(address).getHostAddress());
    }
}
