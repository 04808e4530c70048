package io.weir.rm.slurm.control;

import io.weir.rm.slurm.client.HostList;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmError;
import io.weir.rm.slurm.client.SlurmRefusal;
import io.weir.rm.spi.CommandArguments;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Weir's reservations in Slurm, under the names {@code weir-<id>}, so that Slurm's users see them ({@code scontrol show
 * reservation}) and Slurm itself keeps others out. Who gets in is Weir's decision: a job that Weir starts on reserved nodes
 * is let into the reservation with it. What exists is asked of Slurm, never remembered. One thread.
 */
public final class ReservationMirror {
    private static final Logger log = LoggerFactory.getLogger(ReservationMirror.class);

    private static final String PREFIX = "weir-";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final Pattern FIELD = Pattern.compile("(?:^|\\s)(\\w+)=(\\S*)");

    private final SlurmCommands commands;

    /** Whether there may be any: asking for each start costs a call. */
    private boolean any = true;

    public ReservationMirror(SlurmCommands commands) {
        this.commands = commands;
    }

    /** A mirrored reservation. */
    private record Mirrored(String name, Instant start, Instant end, Set<String> nodes, Set<String> users) {}

    static String nameOf(RmCommand command) {
        return PREFIX + String.valueOf(command.getObjectId()).replaceAll("[^A-Za-z0-9_.-]", "_");
    }

    /**
     * Makes the reservation, or makes the one of that name what it is to be. Users and accounts that Slurm does not know
     * are left out, for they have no jobs there that could use it.
     *
     * @return the names left out
     */
    public List<String> create(RmCommand command, Instant now) throws SlurmRefusal {
        String nodes = CommandArguments.find(command, CommandArguments.NODES)
                .orElseGet(() -> HostList.compress(command.getAllocation().stream()
                        .map(NodeAllocation::getNodeId)
                        .toList()));
        long start = required(command, CommandArguments.START);
        Optional<Long> end = CommandArguments.number(command, CommandArguments.END);
        if (nodes.isEmpty() || (end.isPresent() && end.get() <= Math.max(start, now.getEpochSecond()))) {
            throw new SlurmRefusal(new SlurmError(0, "a reservation needs nodes, and its end may not be past"));
        }
        String name = nameOf(command);
        List<String> users = names(command, CommandArguments.USERS);
        List<String> accounts = names(command, CommandArguments.ACCOUNTS);
        any = true;
        Optional<Mirrored> existing = find(name);
        boolean started = existing.isPresent() && !existing.get().start().isAfter(now);
        if (started && start > now.getEpochSecond()) {
            // Slurm does not put off what has begun.
            commands.change("delete", List.of("ReservationName=" + name));
            existing = Optional.empty();
        }
        boolean update = existing.isPresent();
        List<String> fields = new ArrayList<>();
        fields.add("ReservationName=" + name);
        if (!update || !started) {
            fields.add("StartTime=" + TIME.format(Instant.ofEpochSecond(Math.max(start, now.getEpochSecond()))));
        }
        fields.add(end.map(at -> "EndTime=" + TIME.format(Instant.ofEpochSecond(at)))
                .orElse("Duration=UNLIMITED"));
        fields.add("Nodes=" + nodes);
        try {
            make(update, fields, users, accounts);
            return List.of();
        } catch (SlurmRefusal refusal) {
            if (!refusal.error().isUnknownCredential() || (users.isEmpty() && accounts.isEmpty())) {
                throw refusal;
            }
        }
        make(update, fields, List.of(), List.of());
        List<String> unknown = new ArrayList<>();
        letIn(name, "Users+=", users, unknown);
        letIn(name, "Accounts+=", accounts, unknown);
        log.warn("reservation={} is in Slurm without {}, whom Slurm does not know", name, unknown);
        return unknown;
    }

    private static List<String> names(RmCommand command, String argument) {
        return CommandArguments.find(command, argument)
                .map(list -> List.of(list.split(",", -1)).stream()
                        .filter(name -> !name.isBlank())
                        .toList())
                .orElse(List.of());
    }

    private void make(boolean update, List<String> terms, List<String> users, List<String> accounts)
            throws SlurmRefusal {
        List<String> fields = new ArrayList<>(terms);
        // Root opens the list: Slurm wants somebody, and Weir lets in whom it starts there.
        fields.add("Users="
                + Stream.concat(Stream.of("root"), users.stream()).distinct().collect(Collectors.joining(",")));
        if (!accounts.isEmpty()) {
            fields.add("Accounts=" + String.join(",", accounts));
        }
        if (update) {
            commands.change("update", fields);
        } else {
            fields.add("Flags=IGNORE_JOBS,FLEX");
            fields.add(0, "reservation");
            commands.change("create", fields);
        }
    }

    private void letIn(String name, String field, List<String> whom, List<String> unknown) throws SlurmRefusal {
        for (String one : whom) {
            try {
                commands.change("update", List.of("ReservationName=" + name, field + one));
            } catch (SlurmRefusal refusal) {
                if (!refusal.error().isUnknownCredential()) {
                    throw refusal;
                }
                unknown.add(one);
            }
        }
    }

    private static long required(RmCommand command, String name) throws SlurmRefusal {
        Optional<Long> value = CommandArguments.number(command, name);
        if (value.isEmpty()) {
            throw new SlurmRefusal(new SlurmError(0, "a reservation needs " + name));
        }
        return value.get();
    }

    /** Takes the reservation away; one that does not exist is gone. */
    public void release(RmCommand command) throws SlurmRefusal {
        String name = nameOf(command);
        if (exists(name)) {
            commands.change("delete", List.of("ReservationName=" + name));
        }
    }

    /** Says whether Slurm has it. */
    boolean exists(String name) {
        return find(name).isPresent();
    }

    private Optional<Mirrored> find(String name) {
        return mirrored().stream()
                .filter(reservation -> reservation.name().equals(name))
                .findFirst();
    }

    /**
     * Lets a user's job into all reservations on its nodes.
     *
     * @return their names by comma, to be put on the job; null when there are none
     */
    @Nullable
    public String admit(@Nullable String user, List<String> nodes, Instant from, Instant until) throws SlurmRefusal {
        if (!any) {
            return null;
        }
        List<Mirrored> all = mirrored();
        any = !all.isEmpty();
        List<String> names = new ArrayList<>();
        for (Mirrored reservation : all) {
            if (reservation.start().isBefore(until)
                    && reservation.end().isAfter(from)
                    && nodes.stream().anyMatch(reservation.nodes()::contains)) {
                if (user != null && !reservation.users().contains(user)) {
                    commands.change("update", List.of("ReservationName=" + reservation.name(), "Users+=" + user));
                }
                names.add(reservation.name());
            }
        }
        return names.isEmpty() ? null : String.join(",", names);
    }

    private List<Mirrored> mirrored() {
        List<Mirrored> found = new ArrayList<>();
        for (String line : commands.reservations().split("\n", -1)) {
            Map<String, String> fields = new HashMap<>();
            Matcher matcher = FIELD.matcher(line);
            while (matcher.find()) {
                fields.putIfAbsent(matcher.group(1), matcher.group(2));
            }
            String name = fields.getOrDefault("ReservationName", "");
            if (name.startsWith(PREFIX)) {
                found.add(new Mirrored(
                        name,
                        instant(fields.get("StartTime"), Instant.MIN),
                        instant(fields.get("EndTime"), Instant.MAX),
                        new TreeSet<>(HostList.expand(fields.getOrDefault("Nodes", ""))),
                        new TreeSet<>(
                                Arrays.asList(fields.getOrDefault("Users", "").split(",", -1)))));
            }
        }
        return found;
    }

    private static Instant instant(@Nullable String text, Instant otherwise) {
        try {
            return text == null ? otherwise : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            return otherwise;
        }
    }
}
