package io.weir.command.site;

import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir runjob}: short for {@code weir mjobctl -p} with the highest priority. */
@Command(
        name = "runjob",
        description = {
            "Runs jobs next: each starts at once where its nodes are free, else before any other.",
            "Short for weir mjobctl -p 1000000000."
        })
public final class RunjobCommand extends RequestCommand {
    private static final String HIGHEST = "1000000000";

    @Parameters(arity = "1..*", paramLabel = "JOB", description = "Ids.")
    private List<String> ids = List.of();

    @Override
    int run(Site site) throws IOException {
        List<Wish> wishes = ids.stream()
                .map(id -> Wish.about(RequestKind.SET_JOB_PRIORITY, id).with("priority", HIGHEST))
                .toList();
        return ask(site, options().cluster(site), wishes);
    }

    @Override
    String done(Wish wish) {
        return "job '" + wish.objectId() + "' runs next";
    }

    @Override
    String failed(Wish wish) {
        return "job '" + wish.objectId() + "' not changed";
    }
}
