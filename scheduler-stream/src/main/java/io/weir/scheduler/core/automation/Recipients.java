package io.weir.scheduler.core.automation;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobCredentials;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.scheduler.AdminLevel;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.state.ClusterState;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Whom a message about an object is for, as addresses where the configuration has them and as user names else. */
public final class Recipients {
    private static final String USER = "USER:";
    private static final String ALL = "ALL";

    /** Owners of jobs who are told of one node. */
    private static final int MOST_OWNERS = 1_000;

    private final ClusterState state;

    public Recipients(ClusterState state) {
        this.state = state;
    }

    /** Returns the users of ADMINCFG[1], the primary administrator first; empty when there are none. */
    public List<String> administrators() {
        return addresses(users(1));
    }

    /** Says whether the administrators are told of {@code event}, if anybody is. */
    public boolean administratorsHear(String event) {
        AdminLevel admin = level(1);
        return admin == null || admin.subscribes(event);
    }

    /**
     * Returns the users of the levels below who are told of {@code event}, and the managers of the credentials that the
     * object has to do with.
     */
    public List<String> managers(String event, String objectType, String objectId) {
        Set<String> managers = new LinkedHashSet<>();
        for (int level = 2; level <= 4; level++) {
            AdminLevel admin = level(level);
            if (admin != null && admin.subscribes(event)) {
                managers.addAll(users(level));
            }
        }
        SitePolicy policy = state.domain.policy;
        for (Job job : jobs(objectType, objectId)) {
            JobCredentials credentials = job.request().credentials();
            managers.addAll(policy.user(credentials.user()).managers());
            managers.addAll(policy.group(credentials.group()).managers());
            managers.addAll(policy.account(credentials.account()).managers());
        }
        return addresses(List.copyOf(managers));
    }

    /** Returns the owner of an object, of a node the owners of its jobs, by name. */
    public SortedSet<String> owners(String objectType, String objectId) {
        SortedSet<String> owners = new TreeSet<>();
        if (objectType.equals("rsv")) {
            AdministrativeReservation reservation = state.administrativeReservations.get(objectId);
            String owner = reservation == null ? null : reservation.terms().owner();
            if (owner != null && owner.startsWith(USER)) {
                owners.add(owner.substring(USER.length()));
            }
            return owners;
        }
        for (Job job : jobs(objectType, objectId)) {
            String user = job.request().credentials().user();
            if (user != null && owners.size() < MOST_OWNERS) {
                owners.add(user);
            }
        }
        return owners;
    }

    /** Returns the address of a user: the one configured, or the name with MAILDOMAIN if there is one. */
    public String address(String user) {
        String address = state.domain.policy.user(user).email();
        String domain = state.domain.policy.scheduler().mailDomain();
        if (address != null || domain == null || user.indexOf('@') >= 0) {
            return address == null ? user : address;
        }
        return user + "@" + domain;
    }

    /** Returns the jobs an object is about: the job itself, or those on a node or on the nodes of a reservation. */
    public List<Job> jobs(String objectType, String objectId) {
        return switch (objectType) {
            case "job" -> {
                Job job = state.jobs.get(objectId);
                yield job == null ? List.of() : List.of(job);
            }
            case "node" -> on(List.of(objectId));
            case "rsv" -> {
                AdministrativeReservation reservation = state.administrativeReservations.get(objectId);
                yield reservation == null ? List.of() : on(reservation.nodeIds());
            }
            default -> List.of();
        };
    }

    private List<Job> on(List<String> nodes) {
        SortedSet<String> ids = new TreeSet<>();
        for (String node : nodes) {
            if (state.nodes.get(node) != null) {
                ids.addAll(state.nodes.sharesAt(state.nodes.position(node)).keySet());
            }
        }
        List<Job> jobs = new ArrayList<>();
        for (String id : ids) {
            @Nullable Job job = state.jobs.get(id);
            if (job != null) {
                jobs.add(job);
            }
        }
        return jobs;
    }

    private List<String> users(int level) {
        AdminLevel admin = level(level);
        return admin == null
                ? List.of()
                : admin.users().stream().filter(user -> !user.equals(ALL)).toList();
    }

    private @Nullable AdminLevel level(int level) {
        for (AdminLevel admin : state.domain.policy.admins()) {
            if (admin.level() == level) {
                return admin;
            }
        }
        return null;
    }

    private List<String> addresses(List<String> users) {
        return users.stream().map(this::address).distinct().toList();
    }
}
