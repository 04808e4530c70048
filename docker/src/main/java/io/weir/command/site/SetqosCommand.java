package io.weir.command.site;

import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir setqos}: short for {@code weir mjobctl -m qos=}. */
@Command(name = "setqos", description = "Sets the quality of service of jobs. Short for weir mjobctl -m qos=.")
public final class SetqosCommand extends RequestCommand {
    @Parameters(index = "0", paramLabel = "QOS", description = "Quality of service.")
    private String value = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "JOB", description = "Job ids.")
    private List<String> ids = List.of();

    @Override
    int run(Site site) throws IOException {
        List<Wish> wishes = ids.stream()
                .map(id -> Wish.about(RequestKind.MODIFY_JOB, id).with("qos", value))
                .toList();
        return ask(site, options().cluster(site), wishes);
    }

    @Override
    String done(Wish wish) {
        return "job '" + wish.objectId() + "' modified";
    }
}
