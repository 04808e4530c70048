package io.weir.scheduler.query;

import io.weir.scheduler.core.request.form.AccessLevel;
import io.weir.scheduler.core.request.form.Authorisation;
import io.weir.scheduler.core.request.form.NormalRequest;
import io.weir.scheduler.core.request.form.Principal;
import io.weir.scheduler.core.request.form.RequestObjects;
import io.weir.scheduler.core.request.form.SiteAccess;
import io.weir.scheduler.query.image.ClusterImage;
import io.weir.scheduler.query.image.ImageObjects;
import io.weir.service.http.HttpRefusal;
import java.util.List;
import java.util.Optional;

/**
 * Which level a request or a view needs, by what the topics show. For requests this is an early word: the core decides by
 * the same rules with the state it has then. Who asks about a job of their own needs no level.
 */
final class RequestRules {
    private static final List<String> ANYONES_VIEWS =
            List.of("queue", "reservations", "jobs", "explanations", "waits", "scheduler");

    private final ImageObjects objects;
    private final Authorisation authorisation;

    RequestRules(ClusterImage image, String cluster) {
        objects = new ImageObjects(image, cluster);
        authorisation = new Authorisation(SiteAccess.of(image.reading(cluster).policy()), objects);
    }

    AccessLevel level(Principal principal) {
        return authorisation.level(principal);
    }

    /** Refuses a view that {@code principal} may not see. */
    void checkView(Principal principal, String view, String id) {
        AccessLevel level = level(principal);
        if (view.equals("policy")) {
            need(AccessLevel.AUDITOR, level, principal, "reading the configuration");
        } else if (!ANYONES_VIEWS.contains(view)) {
            need(AccessLevel.HELP_DESK, level, principal, "reading " + view);
        } else if ((view.equals("jobs") || view.equals("explanations")) && !id.isEmpty() && !owns(principal, id)) {
            need(AccessLevel.HELP_DESK, level, principal, "reading job " + id + ", which is someone else's,");
        }
    }

    /** Says whether {@code principal} sees only what is its own. */
    boolean seesOwnOnly(Principal principal) {
        return level(principal) == AccessLevel.USER;
    }

    /** Refuses a request that {@code principal} may not make. */
    void checkRequest(Principal principal, NormalRequest request) {
        Optional<HttpRefusal> refusal = refusal(principal, request);
        if (refusal.isPresent()) {
            throw refusal.get();
        }
    }

    /** Returns why {@code principal} may not make a request; empty when it may. */
    Optional<HttpRefusal> refusal(Principal principal, NormalRequest request) {
        return authorisation.refusal(principal, request).map(why -> new HttpRefusal(HttpRefusal.FORBIDDEN, why));
    }

    /** Refuses a configuration that {@code principal} may not put in force. */
    void checkPolicy(Principal principal) {
        need(AccessLevel.ADMINISTRATOR, level(principal), principal, "changing the configuration");
    }

    private static void need(AccessLevel least, AccessLevel level, Principal principal, String what) {
        if (!level.reaches(least)) {
            throw new HttpRefusal(HttpRefusal.FORBIDDEN, Authorisation.refusal(what, least, principal, level));
        }
    }

    private boolean owns(Principal principal, String jobId) {
        RequestObjects.JobFacts job = objects.job(jobId);
        return job != null && principal.name().equals(job.user());
    }
}
