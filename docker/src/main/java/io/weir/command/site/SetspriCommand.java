package io.weir.command.site;

import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir setspri}: short for {@code weir mjobctl -p}. */
@Command(name = "setspri", description = "Sets the system priority of jobs. Short for weir mjobctl -p.")
public final class SetspriCommand extends RequestCommand {
    @Parameters(index = "0", paramLabel = "PRIO", description = "Priority; 0 removes it.")
    private String value = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "JOB", description = "Job ids.")
    private List<String> ids = List.of();

    @Override
    void check() {
        if (!value.matches("[+-]?\\d{1,9}")) {
            throw usage(value + " is no priority; give a whole number");
        }
    }

    @Override
    int run(Site site) throws IOException {
        List<Wish> wishes =
                ids.stream().map(id -> MjobctlCommand.priority(id, value)).toList();
        return ask(site, options().cluster(site), wishes);
    }

    @Override
    String done(Wish wish) {
        return "job '" + wish.objectId() + "' modified";
    }
}
