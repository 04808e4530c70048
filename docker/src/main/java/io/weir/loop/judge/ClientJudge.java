package io.weir.loop.judge;

import io.weir.loop.site.ApiClient;
import io.weir.scheduler.core.request.form.NormalRequest;
import io.weir.scheduler.core.request.form.RequestSubject;
import io.weir.scheduler.core.request.form.UnreadableRequestException;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import java.util.List;

/** Judges what clients of the API were told: an answer, the same whenever and wherever they asked, and the truth. */
public final class ClientJudge {
    private static final String INVARIANT = "clients";

    private final CommittedRecords committed;
    private final Charges charges;

    /** Creates a judge that knows what was {@code committed}. */
    public ClientJudge(CommittedRecords committed, Charges charges) {
        this.committed = committed;
        this.charges = charges;
    }

    /** Judges what {@code client} was told. */
    public void judge(ApiClient client) {
        List<RequestResult> answers = client.answers();
        String who = client.wish().principal().name() + ":" + client.wish().id();
        if (!client.isSettled()) {
            charges.add(INVARIANT, who + " was not answered as often as it asked: " + answers.size() + " answers");
        }
        for (RequestResult answer : answers) {
            if (!told(answer).equals(told(answers.get(0)))) {
                charges.add(INVARIANT, who + " was told " + answers.get(0) + " and " + answer);
                return;
            }
        }
        if (!answers.isEmpty()) {
            judge(client.wish(), who, answers.get(0));
        }
    }

    private void judge(ApiClient.Wish wish, String who, RequestResult answer) {
        long fingerprint;
        try {
            fingerprint = NormalRequest.of(wish.kind(), wish.object(), wish.arguments())
                    .fingerprint(wish.principal().name());
        } catch (UnreadableRequestException e) {
            charges.add(INVARIANT, who + " has no form and was passed on");
            return;
        }
        if (answer.getFingerprint() != fingerprint && answer.getFingerprint() != 0) {
            charges.add(INVARIANT, who + " was told the answer to another request: " + answer);
        }
        String key = answer.getCluster() + "/" + answer.getRequestId();
        if (answer.getOutcome() == RequestOutcome.REFUSED
                && !RequestSubject.of(wish.kind()).isQuestion()
                && committed.isCarriedOut(key, fingerprint)) {
            charges.add(INVARIANT, who + " was told that it is refused, and it was carried out: " + answer);
        }
    }

    /** Returns what an answer says, whatever id it came under. */
    private static List<Object> told(RequestResult answer) {
        return List.of(
                answer.getIteration(),
                answer.getOutcome(),
                String.valueOf(answer.getMessage()),
                String.valueOf(answer.getObjectId()),
                answer.getDetails());
    }
}
