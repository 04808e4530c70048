package io.weir.notifier.snmp;

import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.OneLine;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.notifier.spi.SecretFile;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.snmp4j.CommunityTarget;
import org.snmp4j.MessageDispatcherImpl;
import org.snmp4j.PDU;
import org.snmp4j.ScopedPDU;
import org.snmp4j.Snmp;
import org.snmp4j.Target;
import org.snmp4j.UserTarget;
import org.snmp4j.event.ResponseEvent;
import org.snmp4j.mp.MPv2c;
import org.snmp4j.mp.MPv3;
import org.snmp4j.mp.SnmpConstants;
import org.snmp4j.security.SecurityLevel;
import org.snmp4j.security.SecurityModels;
import org.snmp4j.security.SecurityProtocols;
import org.snmp4j.security.USM;
import org.snmp4j.security.UsmUser;
import org.snmp4j.smi.Address;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.TimeTicks;
import org.snmp4j.smi.UdpAddress;
import org.snmp4j.smi.VariableBinding;
import org.snmp4j.transport.DefaultUdpTransportMapping;

/**
 * Sends each delivery as one SNMP notification: as a trap, which nobody acknowledges, or as an inform, which the receiver
 * does. A session of its own for each attempt keeps no state that a receiver could disagree with.
 */
final class SnmpNotifier implements Notifier {

    private static final int LONGEST_COMMUNITY = 255;
    private static final long NANOS_PER_TICK = 10_000_000;

    private final String host;
    private final int port;
    private final SnmpSecurity security;
    private final boolean inform;
    private final Duration timeout;
    private final WeirMib mib;
    private final LongSupplier nanos;
    private final EngineClock engine;
    private final long started;

    SnmpNotifier(
            String host,
            int port,
            SnmpSecurity security,
            boolean inform,
            Duration timeout,
            WeirMib mib,
            InstantSource clock,
            LongSupplier nanos) {
        this.host = host;
        this.port = port;
        this.security = security;
        this.inform = inform;
        this.timeout = timeout;
        this.mib = mib;
        this.nanos = nanos;
        this.engine = new EngineClock(clock, nanos);
        this.started = nanos.getAsLong();
    }

    @Override
    public Receipt deliver(Delivery delivery) throws DeliveryException, InterruptedException {
        return deliver(delivery, mib.notification());
    }

    /** Delivers as the notification {@code kind}, with the objects of our MIB. */
    Receipt deliver(Delivery delivery, OID kind) throws DeliveryException {
        try (DefaultUdpTransportMapping transport = new DefaultUdpTransportMapping();
                Snmp snmp = new Snmp(new MessageDispatcherImpl(), transport)) {
            Target<Address> target = target(snmp);
            if (inform) {
                snmp.listen();
            }
            PDU pdu = security instanceof SnmpSecurity.User ? new ScopedPDU() : new PDU();
            pdu.setType(inform ? PDU.INFORM : PDU.TRAP);
            pdu.add(new VariableBinding(
                    SnmpConstants.sysUpTime,
                    new TimeTicks((nanos.getAsLong() - started) / NANOS_PER_TICK & 0xFFFFFFFFL)));
            pdu.add(new VariableBinding(SnmpConstants.snmpTrapOID, kind));
            mib.objects(delivery).forEach(pdu::add);
            ResponseEvent<Address> answer = snmp.send(pdu, target);
            return receipt(answer);
        } catch (IOException e) {
            throw new RetriableDeliveryException(
                    host + ":" + port + ": " + OneLine.of(String.valueOf(e.getMessage())), e);
        }
    }

    @Override
    public boolean recognisesRepetitions() {
        return false;
    }

    @Override
    public void close() {
        // Each attempt closes its own session.
    }

    private Receipt receipt(@Nullable ResponseEvent<Address> answer) throws DeliveryException {
        if (!inform) {
            return new Receipt("trap sent to " + host + ":" + port);
        }
        PDU response = answer == null ? null : answer.getResponse();
        if (response == null) {
            throw RetriableDeliveryException.inDoubt(
                    host + ":" + port + " did not acknowledge within " + timeout.toMillis() + " ms",
                    new IOException("no response"));
        }
        if (response.getType() == PDU.REPORT || response.getErrorStatus() != PDU.noError) {
            throw new RetriableDeliveryException(OneLine.of(host + ":" + port + " refused: "
                    + (response.getType() == PDU.REPORT ? SnmpReport.of(response) : response.getErrorStatusText())));
        }
        return new Receipt("acknowledged by " + host + ":" + port);
    }

    private Target<Address> target(Snmp snmp) throws IOException {
        Address address = new UdpAddress(InetAddress.getByName(host), port);
        Target<Address> target;
        if (security instanceof SnmpSecurity.User user) {
            target = userTarget(snmp, user);
        } else if (security instanceof SnmpSecurity.Community community) {
            snmp.getMessageDispatcher().addMessageProcessingModel(new MPv2c());
            String name = community.community().read();
            if (name.length() > LONGEST_COMMUNITY) {
                throw new IOException("the community is longer than " + LONGEST_COMMUNITY);
            }
            target = new CommunityTarget<>(address, new OctetString(name));
            target.setVersion(SnmpConstants.version2c);
        } else {
            throw new IllegalStateException("no such security");
        }
        target.setAddress(address);
        target.setRetries(0);
        target.setTimeout(timeout.toMillis());
        return target;
    }

    private Target<Address> userTarget(Snmp snmp, SnmpSecurity.User user) throws IOException {
        EngineClock.Age age = engine.age();
        USM usm = new USM(SecurityProtocols.getInstance(), user.engine(), age.boots());
        usm.setLocalEngine(user.engine(), age.boots(), age.time());
        SecurityModels models = new SecurityModels();
        models.addSecurityModel(usm);
        MPv3 v3 = new MPv3(usm);
        v3.setSecurityModels(models);
        v3.setLocalEngineID(user.engine().getValue());
        v3.setCurrentMsgID(age.boots() & 0xFFFF); // it would be made from the boots, and negative
        snmp.getMessageDispatcher().addMessageProcessingModel(v3);
        OctetString name = new OctetString(user.name());
        UsmUser account = new UsmUser(
                name,
                user.authPassword().isPresent() ? user.authentication() : null,
                secret(user.authPassword()),
                user.privPassword().isPresent() ? user.privacy() : null,
                secret(user.privPassword()));
        if (inform) {
            usm.addUser(account); // the receiver's engine is the one that counts, and is asked for its id
        } else {
            usm.addUser(account, user.engine());
        }
        UserTarget<Address> target = new UserTarget<>();
        target.setVersion(SnmpConstants.version3);
        target.setSecurityName(name);
        target.setSecurityLevel(
                user.privPassword().isPresent()
                        ? SecurityLevel.AUTH_PRIV
                        : user.authPassword().isPresent() ? SecurityLevel.AUTH_NOPRIV : SecurityLevel.NOAUTH_NOPRIV);
        if (!inform) {
            target.setAuthoritativeEngineID(user.engine().getValue());
        }
        return target;
    }

    private static @Nullable OctetString secret(Optional<SecretFile> file) throws IOException {
        return file.isPresent() ? new OctetString(file.get().read()) : null;
    }
}
