package io.weir.command.site;

import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir releaseres}: short for {@code weir mrsvctl -r}. */
@Command(name = "releaseres", description = "Releases reservations. Short for weir mrsvctl -r.")
public final class ReleaseresCommand extends RequestCommand {
    @Parameters(arity = "1..*", paramLabel = "RSV", description = "Ids.")
    private List<String> ids = List.of();

    @Override
    int run(Site site) throws IOException {
        List<Wish> wishes = ids.stream()
                .map(id -> Wish.about(RequestKind.RELEASE_RESERVATION, id))
                .toList();
        return ask(site, options().cluster(site), wishes);
    }

    @Override
    String done(Wish wish) {
        return "reservation '" + wish.objectId() + "' successfully released";
    }
}
