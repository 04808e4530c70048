package io.weir.notifier.snmp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.snmp4j.PDU;
import org.snmp4j.smi.Counter32;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.VariableBinding;

class SnmpReportTest {
    @Test
    void shouldSayThatTheReceiverDoesNotKnowTheUser() {
        assertThat(SnmpReport.of(report("1.3.6.1.6.3.15.1.1.3.0")))
                .contains("usmStatsUnknownUserNames", "createUser without -e");
    }

    @Test
    void shouldSayThatThePasswordIsAnother() {
        assertThat(SnmpReport.of(report("1.3.6.1.6.3.15.1.1.5.0"))).contains("authentication password");
    }

    @Test
    void shouldShowAReportOfAnotherKindAsItIs() {
        assertThat(SnmpReport.of(report("1.3.6.1.6.3.11.2.1.3.0"))).contains("1.3.6.1.6.3.11.2.1.3.0 = 1");
    }

    private static PDU report(String oid) {
        PDU report = new PDU();
        report.setType(PDU.REPORT);
        report.add(new VariableBinding(new OID(oid), new Counter32(1)));
        return report;
    }
}
