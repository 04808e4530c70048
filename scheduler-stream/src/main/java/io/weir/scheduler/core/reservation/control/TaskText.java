package io.weir.scheduler.core.reservation.control;

import io.weir.scheduler.core.job.TaskResources;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The resources of one task as text, such as {@code PROCS:2;MEM:512}; {@code PROCS:-1}, or nothing, is a whole node.
 *
 * @param task resources; null for a whole node
 * @param problem what is wrong with the text; null when nothing is
 */
record TaskText(@Nullable TaskResources task, @Nullable String problem) {
    static TaskText of(String text) {
        int procs = 0;
        long memory = 0;
        long swap = 0;
        long disk = 0;
        if (text.isBlank()) {
            return new TaskText(null, null);
        }
        for (String item : text.split("[;,+]", -1)) {
            String[] parts = item.trim().split("[:=]", 2);
            long amount = parts.length == 2 ? amount(parts[1].trim()) : -2;
            String name = parts[0].trim().toUpperCase(Locale.ROOT);
            boolean processors = name.equals("PROCS") || name.equals("PROC");
            if (processors && amount == -1) {
                return new TaskText(null, null);
            }
            if (amount < (processors ? 1 : 0) || amount > Integer.MAX_VALUE) {
                return new TaskText(null, "'" + item.trim() + "' is no amount of a task; write PROCS:<n>;MEM:<MB>");
            }
            switch (name) {
                case "PROCS", "PROC" -> procs = (int) amount;
                case "MEM", "MEMORY" -> memory = amount;
                case "SWAP" -> swap = amount;
                case "DISK" -> disk = amount;
                default -> {
                    return new TaskText(
                            null,
                            "'" + item.trim()
                                    + "' is nothing a reservation can hold; there are PROCS, MEM, SWAP and DISK");
                }
            }
        }
        return new TaskText(new TaskResources(Math.max(1, procs), memory, swap, disk, new TreeMap<>()), null);
    }

    private static long amount(String text) {
        if (text.isEmpty()) {
            return -2;
        }
        long factor = switch (Character.toUpperCase(text.charAt(text.length() - 1))) {
            case 'M' -> 1;
            case 'G' -> 1024;
            default -> 0;
        };
        try {
            return factor == 0 ? Long.parseLong(text) : Long.parseLong(text.substring(0, text.length() - 1)) * factor;
        } catch (NumberFormatException e) {
            return -2;
        }
    }
}
