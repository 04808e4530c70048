package io.weir.command.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.format.FieldText;
import io.weir.command.format.TextTable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Prints priorities the way {@code mdiag -p} does: per job the total, and of each component its share in percent with the
 * contributions of its parts; components that nothing weighs are left out.
 */
final class PriorityText {
    private static final Pattern WAITING = Pattern.compile("(\\d{1,9}) jobs wait");

    private final PrintWriter out;
    private final List<Ranked> jobs;

    /** By component its parts with their weights, in the order met; only those that some job has anything of. */
    private final Map<String, Map<String, String>> columns = new LinkedHashMap<>();

    private PriorityText(JsonNode details, PrintWriter out) {
        this.out = out;
        this.jobs = Ranked.read(details);
        for (Ranked job : jobs) {
            job.parts().forEach((name, part) -> {
                int open = name.indexOf('(');
                if (part.contribution() != 0) {
                    columns.computeIfAbsent(name.substring(0, open), component -> new LinkedHashMap<>())
                            .put(name.substring(open + 1, name.length() - 1), part.weight());
                }
            });
        }
    }

    static void print(JsonNode answer, PrintWriter out) {
        PriorityText text = new PriorityText(answer.path("details"), out);
        text.print();
        text.rest(answer.path("message").asText());
    }

    /** Says where there are more jobs than the answer holds; {@code message} says how many wait. */
    private void rest(String message) {
        Matcher waiting = WAITING.matcher(message);
        if (waiting.matches() && Long.parseLong(waiting.group(1)) > jobs.size()) {
            out.printf(
                    "%nthe first %d of %s waiting jobs are shown; give the id of another%n",
                    jobs.size(), waiting.group(1));
        }
    }

    private void print() {
        if (jobs.isEmpty()) {
            out.println("no job waits");
            return;
        }
        out.printf("diagnosing job priority information%n%n");
        List<String> headings = new ArrayList<>(List.of("Job", ">PRIORITY*"));
        List<String> weights = new ArrayList<>(List.of("Weights", "--------"));
        columns.forEach((component, parts) -> {
            headings.add(component + "(" + String.join(":", parts.keySet()) + ")");
            weights.add("(" + String.join(":", parts.values()) + ")");
        });
        TextTable table = new TextTable(headings.toArray(String[]::new));
        table.row(weights.toArray(String[]::new));
        table.below("");
        Map<String, Double> shares = new LinkedHashMap<>();
        for (Ranked job : jobs) {
            List<String> cells = new ArrayList<>(List.of(job.id(), job.priority() + (job.system() ? "*" : "")));
            columns.forEach((component, parts) -> {
                double share = share(job, component);
                shares.merge(component, share, Double::sum);
                cells.add(percent(share) + "(" + contributions(job, component, parts) + ")");
            });
            table.row(cells.toArray(String[]::new));
        }
        if (!shares.isEmpty()) {
            List<String> foot = new ArrayList<>(List.of("Percent Contribution", "--------"));
            shares.values().forEach(sum -> foot.add(percent(sum / jobs.size())));
            table.below("");
            table.row(foot.toArray(String[]::new));
        }
        table.print(out);
        out.printf("%n* indicates system prio set on job%n");
    }

    private double share(Ranked job, String component) {
        double whole = columns.keySet().stream()
                .mapToDouble(each -> Math.abs(job.sum(each)))
                .sum();
        return whole == 0 ? 0 : 100 * job.sum(component) / whole;
    }

    private static String contributions(Ranked job, String component, Map<String, String> parts) {
        StringBuilder text = new StringBuilder();
        for (String part : parts.keySet()) {
            Factor found = job.parts().get(component + "(" + part + ")");
            text.append(text.isEmpty() ? "" : ":")
                    .append(String.format(Locale.ROOT, "%.1f", found == null ? 0 : found.contribution()));
        }
        return text.toString();
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%5.1f", share);
    }

    /** What a part of a component gives to a job's priority. */
    private record Factor(double contribution, String weight) {}

    /** A job with the parts of its priority, by names such as {@code Serv(QTime)}. */
    private record Ranked(String id, String priority, boolean system, Map<String, Factor> parts) {
        static List<Ranked> read(JsonNode details) {
            List<Ranked> jobs = new ArrayList<>();
            for (JsonNode detail : details) {
                String name = detail.path("name").asText();
                String value = detail.path("value").asText();
                if (name.equals("job")) {
                    jobs.add(new Ranked(value, FieldText.NOTHING, false, new LinkedHashMap<>()));
                } else if (!jobs.isEmpty()) {
                    Ranked last = jobs.remove(jobs.size() - 1);
                    jobs.add(last.with(name, value));
                }
            }
            return jobs;
        }

        private Ranked with(String name, String value) {
            if (name.equals("priority")) {
                return new Ranked(id, value, system, parts);
            } else if (name.equals("system")) {
                return new Ranked(id, priority, true, parts);
            } else if (name.endsWith(")") && name.indexOf('(') > 0) {
                String[] words = value.split(" ", -1);
                parts.put(name, new Factor(number(words[0]), words[words.length - 1]));
            }
            return this;
        }

        double sum(String component) {
            return parts.entrySet().stream()
                    .filter(part -> part.getKey().startsWith(component + "("))
                    .mapToDouble(part -> part.getValue().contribution())
                    .sum();
        }

        private static double number(String text) {
            try {
                return Double.parseDouble(text);
            } catch (NumberFormatException e) {
                return 0;
            }
        }
    }
}
