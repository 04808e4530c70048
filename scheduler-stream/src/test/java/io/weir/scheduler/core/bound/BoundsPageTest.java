package io.weir.scheduler.core.bound;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.bound.Bound;
import io.weir.schemas.bound.FactBounds;
import io.weir.schemas.bound.Fields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.junit.jupiter.api.Test;

class BoundsPageTest {
    private static final Path PAGE = Path.of("docs", "bounds.md");

    @Test
    void shouldListTheBoundOfEveryField() throws IOException {
        String page = page();
        if (Boolean.getBoolean("weir.docs.update")) {
            Files.writeString(PAGE, page);
        }

        assertThat(Files.readString(PAGE, StandardCharsets.UTF_8))
                .as("stale? run the test with -Dweir.docs.update=true")
                .isEqualTo(page);
    }

    @Test
    void shouldStateEveryBoundInTheSchema() {
        for (Fields record : FactBounds.all()) {
            Schema schema = schema(record.name());
            for (Fields.Field field : record.fields()) {
                assertThat(schema.getField(field.name()).doc())
                        .as("doc of %s.%s in schemas", record.name(), field.name())
                        .endsWith(" Bounds: " + inOneLine(field) + ".");
            }
        }
    }

    private static Schema schema(String record) {
        try {
            return SpecificData.get().getSchema(Class.forName("io.weir.schemas." + record));
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static String inOneLine(Fields.Field field) {
        return field.bound() instanceof Bound.Items items && items.each() instanceof Fields each
                ? field.bound().words()
                        + each.fields().stream()
                                .map(part -> part.name() + ": " + inOneLine(part))
                                .collect(Collectors.joining("; ", " (", ")"))
                : field.bound().words();
    }

    private static String page() {
        StringBuilder page = new StringBuilder("""
                # Bounds of inputs

                What the fields of the records that the scheduler reads may be. This page is made from the table that
                checks them; after a change run `mvn -pl scheduler-stream -am test -Dtest=BoundsPageTest
                -Dweir.docs.update=true -Dsurefire.failIfNoSpecifiedTests=false`. Flags and closed sets of words are left
                out. A record with a value out of bounds becomes a dead letter that names place, value and bound, except
                that a request is answered with them, and that a text which is "cut" is shortened, with `…` at its end and
                `\uFFFD` in place of control characters, for the sake of what else its record says. Why, and what bounds
                stored state and outputs, is in [decision 0005](decisions/0005-bounds-and-budgets.md).
                """);
        for (Fields record : FactBounds.all()) {
            page.append("\n## ").append(record.name()).append("\n\n");
            if (!record.words().isEmpty()) {
                page.append("All texts together: ").append(record.words()).append(".\n\n");
            }
            page.append("| field | bound |\n|---|---|\n");
            rows(page, "", record);
        }
        return page.toString();
    }

    private static void rows(StringBuilder page, String prefix, Fields record) {
        for (Fields.Field field : record.fields()) {
            String name = prefix + field.name();
            page.append("| ")
                    .append(name)
                    .append(" | ")
                    .append(field.bound().words())
                    .append(" |\n");
            if (field.bound() instanceof Bound.Items items && items.each() instanceof Fields each) {
                rows(page, name + "[].", each);
            }
        }
    }
}
