package io.weir.command.site;

import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir canceljob}: short for {@code weir mjobctl -c}. */
@Command(name = "canceljob", description = "Cancels jobs. Short for weir mjobctl -c.")
public final class CanceljobCommand extends RequestCommand {
    @Parameters(arity = "1..*", paramLabel = "JOB", description = "Ids.")
    private List<String> ids = List.of();

    @Override
    int run(Site site) throws IOException {
        List<Wish> wishes =
                ids.stream().map(id -> Wish.about(RequestKind.CANCEL_JOB, id)).toList();
        return ask(site, options().cluster(site), wishes);
    }

    @Override
    String done(Wish wish) {
        return "job '" + wish.objectId() + "' cancelled";
    }
}
