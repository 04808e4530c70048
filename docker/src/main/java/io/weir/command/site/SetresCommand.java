package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir setres}: short for {@code weir mrsvctl -c}. */
@Command(name = "setres", description = "Makes a reservation. Short for weir mrsvctl -c.")
public final class SetresCommand extends RequestCommand {
    @Mixin
    private ReservationForm form = new ReservationForm();

    @Option(names = "-g", paramLabel = "GROUP", description = "Group of reservations.")
    private @Nullable String group;

    @Override
    void check() {
        if (!form.problem().isEmpty()) {
            throw usage(form.problem());
        }
    }

    @Override
    int run(Site site) throws IOException {
        return ask(site, options().cluster(site), List.of(form.wish(group)));
    }

    @Override
    void tell(Wish wish, JsonNode answer) {
        if (Answers.accepted(answer)) {
            out().printf("NOTE:  reservation %s created%n", Shown.text(answer, "objectId"));
        } else {
            super.tell(wish, answer);
        }
    }

    @Override
    String done(Wish wish) {
        return "reservation created";
    }

    @Override
    String failed(Wish wish) {
        return "cannot create reservation";
    }
}
