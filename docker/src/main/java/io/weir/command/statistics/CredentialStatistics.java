package io.weir.command.statistics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.client.RequestAnswer;
import io.weir.command.format.FieldText;
import io.weir.command.format.NumberText;
import io.weir.command.format.TextTable;
import java.io.PrintWriter;
import java.util.Locale;

/** What the jobs of credentials of one kind did, as the scheduler answers it and as it is printed. */
final class CredentialStatistics {
    private static final String TOTAL = "total";
    private static final String OTHERS = "others";
    private static final String CREDITS = "credits";

    private final String kind;
    private final PrintWriter out;

    /** Makes statistics of a {@code kind} of credential, in lower case, such as user. */
    CredentialStatistics(String kind, PrintWriter out) {
        this.kind = kind;
        this.out = out;
    }

    /**
     * Returns the rows of an answer: one of all jobs, one for each credential, one of those that found no room, and what node
     * time was charged to labels.
     */
    ObjectNode read(JsonNode details) {
        ObjectNode read = total(details);
        ArrayNode credentials = read.putArray("credentials");
        for (JsonNode detail : details) {
            String name = detail.path("name").asText();
            if (name.startsWith(kind + " ")) {
                ObjectNode credential = credentials.addObject().put(kind, name.substring(kind.length() + 1));
                credential.setAll(
                        Figures.object(RequestAnswer.row(detail.path("value").asText())));
            }
        }
        RequestAnswer.rows(details, OTHERS).forEach(row -> read.set(OTHERS, Figures.object(row)));
        ArrayNode credits = read.putArray(CREDITS);
        RequestAnswer.rows(details, "credit").forEach(row -> credits.add(Figures.object(row)));
        return read;
    }

    /** Returns the row of all jobs together. */
    static ObjectNode total(JsonNode details) {
        ObjectNode read = JsonNodeFactory.instance.objectNode();
        RequestAnswer.rows(details, TOTAL).forEach(row -> read.set(TOTAL, Figures.object(row)));
        return read;
    }

    /** Prints a table with a row for each credential. */
    void print(JsonNode read) {
        JsonNode total = read.path(TOTAL);
        out.printf("statistics since %s%n%n", FieldText.time(total, "since"));
        String heading = kind.equals("qos") ? "QoS" : kind.substring(0, 1).toUpperCase(Locale.ROOT) + kind.substring(1);
        TextTable table = new TextTable(
                heading,
                ">Active",
                ">Procs",
                ">Started",
                ">Ended",
                ">Ended%",
                ">PHReq",
                ">PHDed",
                ">PHDed%",
                ">FSTgt",
                ">AvgXF",
                ">MaxXF",
                ">AvgQTime",
                ">WCAcc");
        for (JsonNode credential : read.path("credentials")) {
            row(table, FieldText.text(credential, kind), credential, total);
        }
        if (read.has(OTHERS)) {
            row(table, "(others)", read.path(OTHERS), total);
        }
        row(table, "(all jobs)", total, total);
        table.print(out);
        NodeStatistics.credits(read.path(CREDITS), out);
    }

    private static void row(TextTable table, String name, JsonNode line, JsonNode total) {
        table.row(
                name,
                FieldText.text(line, "activeJobs"),
                FieldText.text(line, "activeProcs"),
                FieldText.text(line, "started"),
                FieldText.text(line, "ended"),
                share(line, total, "ended"),
                Figures.hours(line, "requestedProcSeconds"),
                Figures.hours(line, "procSeconds"),
                share(line, total, "procSeconds"),
                FieldText.text(line, "fsTarget"),
                Figures.thousandths(line, "averageExpansionMillis"),
                Figures.thousandths(line, "largestExpansionMillis"),
                Figures.span(line, "averageQueueSeconds"),
                accuracy(line));
    }

    private static String share(JsonNode line, JsonNode total, String field) {
        return NumberText.percent(line.path(field).asLong(), total.path(field).asLong());
    }

    /** Returns which part of their limits jobs used. */
    static String accuracy(JsonNode line) {
        return NumberText.percent(
                line.path("usedSeconds").asLong(), line.path("limitSeconds").asLong());
    }
}
