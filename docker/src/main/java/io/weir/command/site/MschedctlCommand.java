package io.weir.command.site;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.weir.command.ExitCode;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.Origin;
import io.weir.scheduler.core.policy.language.PolicySettings;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir mschedctl}: the scheduler's configuration, shown and changed while it runs. */
@Command(
        name = "mschedctl",
        description = "Shows the configuration in force, or changes a setting until the next policy version.",
        footer = {
            "",
            "Examples: weir mschedctl -m config 'NODEALLOCATIONPOLICY FASTEST'",
            "          weir mschedctl -m config 'BACKFILLDEPTH 100' --flags persistent",
            "          weir mschedctl -l config"
        })
public final class MschedctlCommand extends RequestCommand {
    @ArgGroup(exclusive = true, multiplicity = "1")
    private What what = new What();

    @Parameters(index = "0", arity = "0..1", paramLabel = "SETTING", description = "Setting as in a file: PARAM value.")
    private @Nullable String setting;

    @Option(
            names = "--flags",
            paramLabel = "FLAGS",
            description = "persistent: the change outlives the next policy version.")
    private @Nullable String flags;

    private static final class What {
        @Option(names = "-m", paramLabel = "config", description = "Change a setting.")
        private @Nullable String modify;

        @Option(
                names = "-l",
                paramLabel = "config",
                description = "List the values in force and where they come from, run-time changes included.")
        private @Nullable String list;
    }

    @Override
    void check() {
        String object = what.modify == null ? what.list : what.modify;
        if (!"config".equals(object)) {
            throw usage("'" + object + "': only config can be listed or changed");
        }
        if ((what.modify == null) != (setting == null)) {
            throw usage(setting == null ? "-m config needs a setting: 'PARAM value'" : "-l config takes no setting");
        }
    }

    @Override
    int run(Site site) throws IOException {
        String cluster = options().cluster(site);
        String line = setting;
        if (line != null) {
            Wish wish = Wish.about(RequestKind.MODIFY_CONFIG, "")
                    .with("setting", line)
                    .withOptional("flags", flags);
            return ask(site, cluster, List.of(wish));
        }
        List<PolicySettings.Effective> values = SitePolicy.read(
                        all(site, cluster, "policy").path("text").asText())
                .settings()
                .effective();
        if (options().structured()) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            values.forEach(value -> array.addObject()
                    .put("parameter", value.parameter())
                    .put("value", value.text())
                    .put("origin", origin(value.origin())));
            print(array);
        } else {
            values.forEach(
                    value -> out().printf("%-36s %-40s %s%n", value.parameter(), value.text(), origin(value.origin())));
        }
        return ExitCode.FINE;
    }

    private static String origin(@Nullable Origin origin) {
        return origin == null ? "default" : origin.toString();
    }

    @Override
    String done(Wish wish) {
        return "configuration changed: " + setting;
    }

    @Override
    String failed(Wish wish) {
        return String.valueOf(setting);
    }
}
