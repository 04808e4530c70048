package io.weir.loop;

import io.weir.loop.site.ApiClient;
import io.weir.loop.site.ApiProcess;
import io.weir.loop.turn.Turns;
import io.weir.scheduler.core.request.form.AccessLevel;
import io.weir.scheduler.core.request.form.Principal;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntFunction;

/** The clients of the API of a site, each with one request to the troubled cluster. */
final class SiteClients {
    private final String cluster;
    private final Turns turns;
    private final Random chance;
    private final IntFunction<Optional<ApiProcess>> instances;
    private final boolean withoutId;
    private final List<ApiClient> clients = new ArrayList<>();

    /**
     * Makes room for clients.
     *
     * @param cluster the troubled cluster
     * @param chance decides what clients leave to chance
     * @param instances finds an instance of the API by number, if it is up
     * @param withoutId whether requests that are repeated have another id each time
     */
    SiteClients(
            String cluster,
            Turns turns,
            Random chance,
            IntFunction<Optional<ApiProcess>> instances,
            boolean withoutId) {
        this.cluster = cluster;
        this.turns = turns;
        this.chance = chance;
        this.instances = instances;
        this.withoutId = withoutId;
    }

    /** Has a client begin. */
    void call(Deed.Call call) {
        begin(new ApiClient.Wish(
                cluster,
                new Principal(call.principal(), Optional.empty()),
                call.id(),
                call.kind(),
                call.object(),
                call.arguments(),
                call.repetitions(),
                false,
                call.instance()));
    }

    /** Has an administrator resume the troubled cluster, which may have come to a standstill. */
    void resume() {
        begin(new ApiClient.Wish(
                cluster,
                new Principal("root", Optional.of(AccessLevel.ADMINISTRATOR)),
                "resume",
                RequestKind.CONTROL_SCHEDULER,
                "-",
                List.of(new NameValue("action", "resume")),
                0,
                false,
                0));
    }

    /** Asks each instance of the API a question that it alone has to answer. */
    void askEachInstance() {
        for (int instance = 0; instance < 2; instance++) {
            begin(new ApiClient.Wish(
                    cluster,
                    new Principal("admin", Optional.empty()),
                    "last-" + instance,
                    RequestKind.SHOW_PRIORITY,
                    "-",
                    List.of(),
                    0,
                    true,
                    instance));
        }
    }

    private void begin(ApiClient.Wish wish) {
        ApiClient client = new ApiClient(turns, chance, instances, wish);
        clients.add(client);
        client.begin(withoutId);
    }

    /** Returns all clients so far. */
    List<ApiClient> all() {
        return List.copyOf(clients);
    }

    /** Says whether everybody has an answer. */
    boolean areSettled() {
        return clients.stream().allMatch(ApiClient::isSettled);
    }
}
