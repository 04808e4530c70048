package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Prints priorities the way {@code mdiag -p} does: per job the total, and of each component its share in percent with the
 * values of its parts; components that nothing weighs are left out.
 */
final class PriorityText {
    private PriorityText() {}

    static void print(JsonNode answer, boolean verbose, PrintWriter out) {
        List<Map<String, String>> jobs = Answers.rows(answer.path("details"), "job");
        List<Map<String, String>> weights = Answers.rows(answer.path("details"), "weights");
        Map<String, Map<String, Double>> sums = components(jobs);
        out.printf("diagnosing job priority information%n%n");
        StringBuilder heading = new StringBuilder(String.format(Locale.ROOT, "%-18s %12s", "Job", "PRIORITY*"));
        sums.forEach((component, parts) -> heading.append(
                String.format(Locale.ROOT, "  %-26s", component + "(" + String.join(":", parts.keySet()) + ")")));
        out.println(heading.toString().stripTrailing());
        if (!weights.isEmpty()) {
            StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-18s %12s", "Weights", "--------"));
            sums.forEach((component, parts) ->
                    line.append(String.format(Locale.ROOT, "  %-26s", weight(weights.get(0), component, parts))));
            out.println(line.toString().stripTrailing());
        }
        out.println();
        Map<String, Double> shares = new LinkedHashMap<>();
        for (Map<String, String> job : jobs) {
            out.println(line(job, sums, shares));
        }
        if (!jobs.isEmpty() && !sums.isEmpty()) {
            StringBuilder foot =
                    new StringBuilder(String.format(Locale.ROOT, "%n%-18s %12s", "Percent Contribution", "--------"));
            sums.keySet()
                    .forEach(component -> foot.append(String.format(
                            Locale.ROOT,
                            "  %-26s",
                            String.format(Locale.ROOT, "%.1f", shares.getOrDefault(component, 0.0) / jobs.size()))));
            out.println(foot.toString().stripTrailing());
        }
        out.printf("%n* indicates system prio set on job%n");
        if (verbose) {
            for (JsonNode detail : answer.path("details")) {
                out.printf("%s: %s%n", Shown.text(detail, "name"), Shown.text(detail, "value"));
            }
        }
    }

    /** Returns every component with its parts that is not zero for some job, in the order met. */
    private static Map<String, Map<String, Double>> components(List<Map<String, String>> jobs) {
        Map<String, Map<String, Double>> found = new LinkedHashMap<>();
        for (Map<String, String> job : jobs) {
            job.forEach((name, value) -> {
                int dot = name.indexOf('.');
                if (dot > 0 && number(value) != 0) {
                    found.computeIfAbsent(name.substring(0, dot), component -> new LinkedHashMap<>())
                            .merge(name.substring(dot + 1), number(value), Double::sum);
                }
            });
        }
        return found;
    }

    private static String line(
            Map<String, String> job, Map<String, Map<String, Double>> components, Map<String, Double> shares) {
        double whole = components.keySet().stream()
                .mapToDouble(component -> Math.abs(component(job, component, components)))
                .sum();
        boolean system = number(job.getOrDefault("system", "0")) != 0;
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT,
                "%-18s %12s",
                job.getOrDefault("id", "-"),
                job.getOrDefault("priority", "-") + (system ? "*" : "")));
        components.forEach((component, parts) -> {
            double share = whole == 0 ? 0 : 100 * component(job, component, components) / whole;
            shares.merge(component, share, Double::sum);
            StringBuilder values = new StringBuilder();
            parts.keySet()
                    .forEach(part -> values.append(values.isEmpty() ? "" : ":")
                            .append(String.format(
                                    Locale.ROOT, "%.1f", number(job.getOrDefault(component + "." + part, "0")))));
            line.append(String.format(Locale.ROOT, "  %-26s", String.format(Locale.ROOT, "%5.1f(%s)", share, values)));
        });
        return line.toString().stripTrailing();
    }

    private static double component(
            Map<String, String> job, String component, Map<String, Map<String, Double>> components) {
        return components.getOrDefault(component, Map.of()).keySet().stream()
                .mapToDouble(part -> number(job.getOrDefault(component + "." + part, "0")))
                .sum();
    }

    private static String weight(Map<String, String> weights, String component, Map<String, Double> parts) {
        StringBuilder text = new StringBuilder(weights.getOrDefault(component, "1")).append('(');
        String between = "";
        for (String part : parts.keySet()) {
            text.append(between).append(weights.getOrDefault(part, weights.getOrDefault(component + "." + part, "0")));
            between = ":";
        }
        return text.append(')').toString();
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
