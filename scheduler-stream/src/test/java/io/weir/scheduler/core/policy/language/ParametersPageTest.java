package io.weir.scheduler.core.policy.language;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.policy.language.parameter.Alias;
import io.weir.scheduler.core.policy.language.parameter.Attribute;
import io.weir.scheduler.core.policy.language.parameter.Parameter;
import io.weir.scheduler.core.policy.language.parameter.ParameterRegistry;
import io.weir.scheduler.core.policy.language.parameter.UnimplementedParameters;
import io.weir.scheduler.core.policy.language.value.ValueType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ParametersPageTest {
    private static final Path PAGE = Path.of("docs", "parameters.md");

    @Test
    @Feature("CFG-1")
    void shouldListEveryEntryOfTheRegister() throws IOException {
        String page = page();
        if (Boolean.getBoolean("weir.docs.update")) {
            Files.writeString(PAGE, page);
        }

        assertThat(PAGE).as("stale? run the test with -Dweir.docs.update=true").hasContent(page);
        assertThat(Files.readString(PAGE, StandardCharsets.UTF_8)).isEqualTo(page);
    }

    @Test
    @Feature("CFG-1")
    void shouldSayWhyAnEntryHasNoEffect() {
        List<String> silent = new ArrayList<>();
        for (Parameter parameter : ParameterRegistry.get().parameters()) {
            if (!parameter.effective()
                    && UnimplementedParameters.reason(parameter.name()).isEmpty()) {
                silent.add(parameter.name());
            }
            for (Attribute attribute : parameter.attributes()) {
                String name = parameter.name() + " " + attribute.name();
                if (!attribute.effective()
                        && UnimplementedParameters.reason(name).isEmpty()) {
                    silent.add(name);
                }
            }
        }

        assertThat(silent).as("put them on the list in UnimplementedParameters").isEmpty();
    }

    private static String page() {
        StringBuilder page = new StringBuilder("""
                # Parameters

                Everything the site's configuration may say. This page is made from the register that reads it; after a
                change run `mvn -pl scheduler-stream -am test -Dtest=ParametersPageTest -Dweir.docs.update=true
                -Dsurefire.failIfNoSpecifiedTests=false`. How lines are written, and what happens to lines with mistakes, is
                in [configuration.md](configuration.md). Entries marked ○ are accepted, have no effect yet, and are
                reported as such with the reason in brackets.
                """);
        String area = "";
        for (Parameter parameter : ParameterRegistry.get().parameters()) {
            if (!parameter.area().equals(area)) {
                area = parameter.area();
                page.append("\n## ").append(area).append('\n');
            }
            if (parameter.isObject()) {
                object(page, parameter);
            } else {
                plain(page, parameter);
            }
        }
        page.append("\n## Other names\n\n| Name | Write | |\n|---|---|---|\n");
        for (Alias alias : ParameterRegistry.get().aliases()) {
            row(page, "`" + alias.name() + "`", "`" + alias.instead() + "`", alias.deprecated() ? "old" : "");
        }
        return page.toString();
    }

    private static void plain(StringBuilder page, Parameter parameter) {
        ValueType type = parameter.type();
        if (!page.substring(Math.max(0, page.length() - 3)).endsWith("|\n")) {
            page.append("\n| Parameter | Value | Default | |\n|---|---|---|---|\n");
        }
        row(
                page,
                mark(parameter.effective()) + "`" + parameter.name()
                        + parameter.index().shown() + "`",
                type == null ? "" : type.description(),
                parameter.standard() == null ? "–" : "`" + parameter.standard() + "`",
                parameter.doc() + reason(parameter.effective(), parameter.name()));
    }

    private static void object(StringBuilder page, Parameter parameter) {
        page.append("\n### `")
                .append(parameter.name())
                .append(parameter.index().shown())
                .append("`\n\n")
                .append(parameter.doc())
                .append("\n\n| Attribute | Value | Default | |\n|---|---|---|---|\n");
        for (Attribute attribute : parameter.attributes()) {
            row(
                    page,
                    mark(attribute.effective()) + "`" + attribute.name() + "`",
                    attribute.type().description(),
                    attribute.standard() == null ? "–" : "`" + attribute.standard() + "`",
                    attribute.elsewhere() == null
                            ? attribute.doc() + reason(attribute.effective(), parameter.name() + " " + attribute.name())
                            : attribute.doc() + " Read by " + attribute.elsewhere() + ".");
        }
        page.append('\n');
    }

    private static String reason(boolean effective, String name) {
        String reason = UnimplementedParameters.reason(name);
        return effective || reason.isEmpty() ? "" : " (" + reason.substring(2) + ")";
    }

    private static String mark(boolean effective) {
        return effective ? "" : "○ ";
    }

    private static void row(StringBuilder page, String... cells) {
        page.append('|');
        for (String cell : cells) {
            page.append(' ').append(cell.replace("|", "\\|")).append(" |");
        }
        page.append('\n');
    }
}
