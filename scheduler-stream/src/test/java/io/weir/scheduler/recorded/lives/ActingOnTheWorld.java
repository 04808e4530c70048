package io.weir.scheduler.recorded.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.recorded.Life;
import io.weir.scheduler.recorded.Site;
import io.weir.schemas.Charge;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.TriggerFiring;
import io.weir.topics.Topics;
import java.util.List;

/** Nodes fail and come back under configured events and a chain of triggers, some of which fail; everything is charged. */
public final class ActingOnTheWorld implements Life {
    private static final String POLICY = """
            ADMINCFG[1] USERS=root
            ADMINCFG[2] USERS=lead
            AMCFG[am] SERVER=file:///charges FLUSHINTERVAL=0:05:00 REFUNDPOLICY=SYSTEMFAILURE
            USERCFG[eve] CHARGERATE=0.5
            NODEALLOCRESFAILUREPOLICY CANCEL
            GEVENTCFG[nodedown] ACTION=notify:admin+user REARM=0:03:00 ESCALATE=0:02:00:notify:manager
            GEVENTCFG[trigfail] ACTION=record,objectmessage
            NODECFG[DEFAULT] TRIGGER=EType=fail,AType=exec,Action="/opt/fix $OID '$MESSAGE'",MaxRetry=1,Sets=fixed.!broken,MultiFire=TRUE
            NODECFG[DEFAULT] TRIGGER=EType=fail,AType=mail,Action="$OID is fixed: $fixed",Requires=fixed:eq:yes,Offset=10,MultiFire=TRUE
            NODECFG[DEFAULT] TRIGGER=EType=fail,AType=internal,Action="node:-:reserve:0:10:00",Requires=broken,Offset=20,MultiFire=TRUE
            SCHEDCFG[DEFAULT] TRIGGER=EType=epoch,Period=MINUTE,Offset=5,AType=changeparam,Action="RESERVATIONDEPTH 3"
            EXPLAINDEPTH 5
            """;

    @Override
    public void live(Site site) {
        site.policy(POLICY);
        site.firings(ActingOnTheWorld::answer);
        site.at(
                30,
                () -> site.request(
                        RequestKind.CREATE_RESERVATION,
                        "new",
                        "hostexp",
                        "^n0(1|2)$",
                        "duration",
                        "0:12:00",
                        "acl",
                        "user=eve",
                        "accountable",
                        "aaccount=jupiter",
                        "trigger",
                        "EType=end,AType=mail,Action=over,Offset=-60"));
        for (int i = 0; i < 6; i++) {
            String node = "n%02d".formatted(3 + i);
            site.at(
                    90 + 60 * i,
                    () -> site.manager()
                            .node(node, it -> it.setState(NodeState.DOWN).setReason("lost")));
            site.at(
                    210 + 60 * i,
                    () -> site.manager()
                            .node(node, it -> it.setState(NodeState.IDLE).setReason(null)));
        }
        site.manager().nodes(1, 12, 4, node -> node.setMemoryMb(8_000));
        site.jobs(60, 500, 0, 71, (number, random, job) -> job.setTasks(1 + random.nextInt(6)));
        site.runUntil(16 * 60, 15);

        List<TriggerFiring> firings = site.published(Topics.TRIGGER_FIRINGS);
        assertThat(firings).extracting(TriggerFiring::getActionType).contains("exec", "mail");
        assertThat(firings).extracting(TriggerFiring::getAttempt).contains(1, 2);
        assertThat(site.published(Topics.CHARGES)).extracting(Charge::getKind).contains("charge", "refund");
        assertThat(site.published(Topics.CHARGES))
                .extracting(Charge::getObjectType)
                .contains("job", "reservation");
        assertThat(site.notices()).contains("nodedown", "trigfail");
    }

    /** Every third program fails, every fifth answer comes twice over. */
    private static List<DeliveryResult.Builder> answer(TriggerFiring firing) {
        int number = Integer.parseInt(
                        firing.getFiringId().substring(firing.getFiringId().lastIndexOf('/') + 1))
                + (int) firing.getIteration();
        boolean fails = firing.getActionType().equals("exec") && number % 3 != 0;
        DeliveryResult.Builder result = DeliveryResult.newBuilder()
                .setChannel(firing.getActionType())
                .setOutcome(fails ? DeliveryOutcome.FAILED : DeliveryOutcome.DELIVERED)
                .setAttempts(1)
                .setKind("firing")
                .setCode(fails ? 1 : 0)
                .setVariables(fails ? List.of() : List.of(new NameValue("fixed", "yes")));
        return number % 5 == 0 ? List.of(result, result) : List.of(result);
    }
}
