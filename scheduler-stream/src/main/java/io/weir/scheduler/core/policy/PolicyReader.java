package io.weir.scheduler.core.policy;

import io.weir.scheduler.core.event.EventRules;
import io.weir.scheduler.core.event.ForwardedMetrics;
import io.weir.scheduler.core.event.MetricConditions;
import io.weir.scheduler.core.policy.job.AccrualPolicy;
import io.weir.scheduler.core.policy.job.FairshareSettings;
import io.weir.scheduler.core.policy.job.PrioritySettings;
import io.weir.scheduler.core.policy.job.PriorityWeight;
import io.weir.scheduler.core.policy.language.ObjectSettings;
import io.weir.scheduler.core.policy.language.Origin;
import io.weir.scheduler.core.policy.language.PolicyProblem.Kind;
import io.weir.scheduler.core.policy.language.PolicySettings;
import io.weir.scheduler.core.policy.language.parameter.IndexRule;
import io.weir.scheduler.core.policy.language.value.PolicyTime;
import io.weir.scheduler.core.policy.language.value.PolicyValue;
import io.weir.scheduler.core.policy.node.AllocationChoice;
import io.weir.scheduler.core.policy.node.AllocationPlugin;
import io.weir.scheduler.core.policy.node.AllocationPolicyKind;
import io.weir.scheduler.core.policy.node.AllocationSettings;
import io.weir.scheduler.core.policy.node.AvailabilityMeasure;
import io.weir.scheduler.core.policy.node.AvailabilitySettings;
import io.weir.scheduler.core.policy.node.FailureSettings;
import io.weir.scheduler.core.policy.node.FeatureHeaders;
import io.weir.scheduler.core.policy.node.NodeAccessPolicy;
import io.weir.scheduler.core.policy.node.NodeConfig;
import io.weir.scheduler.core.policy.node.NodeFailurePolicy;
import io.weir.scheduler.core.policy.node.PartitionPolicy;
import io.weir.scheduler.core.policy.node.ResourceKind;
import io.weir.scheduler.core.policy.node.ResourceLimit;
import io.weir.scheduler.core.policy.node.TaskDistribution;
import io.weir.scheduler.core.policy.node.TransientFailureSettings;
import io.weir.scheduler.core.policy.nonstop.NonstopReader;
import io.weir.scheduler.core.policy.reservation.ReallocationPolicy;
import io.weir.scheduler.core.policy.reservation.ReservationGroup;
import io.weir.scheduler.core.policy.reservation.ReservationPolicy;
import io.weir.scheduler.core.policy.reservation.ReservationSettings;
import io.weir.scheduler.core.policy.scheduler.AdminLevel;
import io.weir.scheduler.core.policy.scheduler.BackfillMetric;
import io.weir.scheduler.core.policy.scheduler.BackfillPolicy;
import io.weir.scheduler.core.policy.scheduler.BackfillSettings;
import io.weir.scheduler.core.policy.scheduler.Mode;
import io.weir.scheduler.core.policy.scheduler.PreemptionPolicy;
import io.weir.scheduler.core.policy.scheduler.PreemptionSettings;
import io.weir.scheduler.core.policy.scheduler.RecordedEvents;
import io.weir.scheduler.core.policy.scheduler.SchedulerSettings;
import io.weir.scheduler.core.trigger.TriggerRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes a {@link SitePolicy} out of settings, and reports what fits together badly. One reader reads one text. */
final class PolicyReader {
    private final PolicySettings settings;

    PolicyReader(PolicySettings settings) {
        this.settings = settings;
    }

    SitePolicy policy() {
        ObjectReader objects = new ObjectReader(settings);
        ReservationObjects reservations = new ReservationObjects(settings);
        TriggerRules triggers = TriggerRules.of(settings);
        SortedMap<String, NodeConfig> nodes = byName("NODECFG", objects::node);
        return new SitePolicy(
                scheduler(),
                availability(),
                failures(),
                new FeatureHeaders(
                        settings.text("FEATUREPROCSPEEDHEADER"),
                        settings.text("FEATUREPARTITIONHEADER"),
                        settings.text("FEATURENODETYPEHEADER")),
                allocation(),
                new NodeSetReader(settings).read(),
                new ReservationSettings(
                        settings.requiredChoice("RESERVATIONPOLICY", ReservationPolicy.class),
                        groups(),
                        settings.count("RESERVATIONSLICE"),
                        settings.requiredChoice("RSVREALLOCPOLICY", ReallocationPolicy.class),
                        "ANY".equals(settings.text("RSVCTLPOLICY")),
                        settings.flag("FORCERSVSUBTYPE")),
                new BackfillSettings(
                        settings.requiredChoice("BACKFILLPOLICY", BackfillPolicy.class),
                        settings.requiredChoice("BACKFILLMETRIC", BackfillMetric.class),
                        settings.count("BACKFILLDEPTH"),
                        seconds("BFCHUNKDURATION"),
                        settings.count("BFCHUNKSIZE")),
                new PreemptionSettings(
                        settings.requiredChoice("PREEMPTPOLICY", PreemptionPolicy.class),
                        seconds("JOBPREEMPTMINACTIVETIME"),
                        seconds("JOBPREEMPTMAXACTIVETIME")),
                priority(),
                new FairshareSettings(
                        "DEDICATEDPS".equals(settings.text("FSPOLICY")),
                        seconds("FSINTERVAL"),
                        settings.count("FSDEPTH"),
                        settings.decimal("FSDECAY")),
                new CategoryReader(settings).read(),
                nodes,
                byName("CLASSCFG", objects::jobClass),
                byName("PARCFG", ObjectReader::partition),
                byName("QOSCFG", ObjectReader::qos),
                byName("USERCFG", ObjectReader::credential),
                byName("GROUPCFG", ObjectReader::credential),
                byName("ACCOUNTCFG", ObjectReader::credential),
                reservations.standing(),
                reservations.profiles(),
                admins(),
                EventRules.of(settings),
                triggers,
                new ChargeReader(settings).read(),
                MetricConditions.of(settings).and(triggers.metricThresholds().keySet()),
                ForwardedMetrics.of(
                        settings,
                        nodes.values().stream()
                                .map(NodeConfig::priorityFunction)
                                .filter(Objects::nonNull)
                                .toList()),
                new NonstopReader(settings).read());
    }

    private SchedulerSettings scheduler() {
        return new SchedulerSettings(
                mode(),
                seconds("JOBCPURGETIME"),
                seconds("JOBRETRYTIME"),
                seconds("DEFERTIME"),
                settings.count("DEFERCOUNT"),
                settings.count("DEFERSTARTCOUNT"),
                settings.whole("RANDOMSEED"),
                settings.count("EXPLAINDEPTH"),
                settings.text("MAILDOMAIN"),
                RecordedEvents.of(settings.items("RECORDEVENTLIST")));
    }

    private Mode mode() {
        List<ObjectSettings> schedulers = new ArrayList<>(settings.objects("SCHEDCFG"));
        warnOfSeveral(schedulers);
        schedulers.add(0, settings.object("SCHEDCFG", IndexRule.DEFAULT_INDEX));
        Mode mode = Mode.NORMAL;
        for (ObjectSettings scheduler : schedulers) {
            if (scheduler.isOwn("MODE")) {
                mode = "NORMAL".equals(scheduler.text("MODE")) ? Mode.NORMAL : Mode.MONITOR;
            }
        }
        return mode;
    }

    private void warnOfSeveral(List<ObjectSettings> schedulers) {
        for (ObjectSettings scheduler : schedulers.subList(Math.min(1, schedulers.size()), schedulers.size())) {
            Origin origin = scheduler.writtenNames().stream()
                    .map(scheduler::origin)
                    .findFirst()
                    .orElse(null);
            if (origin != null) {
                settings.report(
                        Kind.DOUBTFUL,
                        origin,
                        "SCHEDCFG[" + scheduler.id() + "]",
                        "the scheduler is called " + schedulers.get(0).id()
                                + " before; a configuration is for one, so this is taken for the same");
            }
        }
    }

    private AvailabilitySettings availability() {
        AvailabilityEntries entries = AvailabilityEntries.of(settings.items("NODEAVAILABILITYPOLICY"));
        Origin origin = settings.origin("NODEAVAILABILITYPOLICY");
        if (origin != null) {
            entries.repeated()
                    .forEach(entry -> settings.report(
                            Kind.DOUBTFUL,
                            origin,
                            "NODEAVAILABILITYPOLICY",
                            entry + " is stated more than once; the last entry wins"));
        }
        return new AvailabilitySettings(
                entries.byDefault() == null ? AvailabilityMeasure.COMBINED : entries.byDefault(),
                entries.byResource(),
                settings.decimal("NODEMAXLOAD"),
                "ADJUSTPROCS".equals(settings.text("NODELOADPOLICY")),
                seconds("NODEBUSYSTATEDELAYTIME"),
                seconds("NODEDOWNSTATEDELAYTIME"),
                seconds("NODEDRAINSTATEDELAYTIME"));
    }

    private FailureSettings failures() {
        String alias = settings.text("JOBACTIONONNODEFAILURE");
        boolean byAlias = settings.origin("NODEALLOCRESFAILUREPOLICY") == null && alias != null;
        String job = byAlias && alias != null ? alias : String.valueOf(settings.text("NODEALLOCRESFAILUREPOLICY"));
        return new FailureSettings(
                NodeFailurePolicy.of(job),
                seconds("JOBACTIONONNODEFAILUREDURATION"),
                settings.flag("JOBREALLOCATE"),
                seconds("NODEPOLLTIMEOUT"),
                passingFailures());
    }

    private TransientFailureSettings passingFailures() {
        SortedMap<String, String> profiles = new TreeMap<>();
        for (ObjectSettings manager : settings.objects("RMCFG")) {
            String profile = manager.text("NODEFAILURERSVPROFILE");
            if (profile != null) {
                profiles.put(manager.id(), profile);
            }
        }
        return new TransientFailureSettings(seconds("NODEFAILURERESERVETIME"), seconds("RMPOLLINTERVAL"), profiles);
    }

    private AllocationSettings allocation() {
        SortedMap<String, AllocationPlugin> plugins = new TreeMap<>();
        for (ObjectSettings plugin : settings.objects("NODEALLOCPLUGIN")) {
            plugins.put(plugin.id(), plugin(plugin));
        }
        List<String> match = settings.items("JOBNODEMATCHPOLICY");
        AllocationChoice choice = AllocationChoice.of(String.valueOf(settings.text("NODEALLOCATIONPOLICY")));
        Origin origin = settings.origin("NODEALLOCATIONPOLICY");
        if (origin != null && choice.kind() == AllocationPolicyKind.PLUGIN && !plugins.containsKey(choice.plugin())) {
            settings.report(
                    Kind.DOUBTFUL,
                    origin,
                    "NODEALLOCATIONPOLICY",
                    "there is no NODEALLOCPLUGIN[" + choice.plugin() + "]; LASTAVAILABLE is used until there is");
        }
        return new AllocationSettings(
                choice,
                settings.requiredChoice("NODEACCESSPOLICY", NodeAccessPolicy.class),
                match.contains("EXACTNODE"),
                match.contains("EXACTPROC"),
                settings.requiredChoice("TASKDISTRIBUTIONPOLICY", TaskDistribution.class),
                settings.requiredChoice("PARALLOCATIONPOLICY", PartitionPolicy.class),
                settings.items("RESOURCELIMITPOLICY").stream()
                        .map(PolicyReader::limit)
                        .toList(),
                plugins);
    }

    private AllocationPlugin plugin(ObjectSettings plugin) {
        String className = plugin.text("CLASS");
        String program = plugin.text("EXEC");
        String first =
                plugin.writtenNames().isEmpty() ? null : plugin.writtenNames().get(0);
        Origin origin = first == null ? null : plugin.origin(first);
        if (origin != null && (className == null) == (program == null)) {
            settings.report(
                    Kind.BAD_VALUE,
                    origin,
                    "NODEALLOCPLUGIN[" + plugin.id() + "]",
                    "needs either CLASS or EXEC, and not both");
        }
        String arguments = plugin.text("ARGS");
        return new AllocationPlugin(
                plugin.id(),
                className == null ? "" : className,
                program == null ? "" : program,
                arguments == null ? "" : arguments,
                (int) Math.min(Integer.MAX_VALUE, plugin.seconds("TIMEOUT")));
    }

    private static ResourceLimit limit(String text) {
        String[] parts = text.split(":", 4);
        return new ResourceLimit(
                ResourceLimit.LimitedResource.valueOf(parts[0]),
                ResourceLimit.LimitAction.valueOf(parts[2]),
                parts[1].equals("ALWAYS") ? 0 : PolicyTime.seconds(parts[3]));
    }

    private List<ReservationGroup> groups() {
        List<ReservationGroup> groups = new ArrayList<>();
        SortedMap<String, String> listed = new TreeMap<>();
        List<String> names = settings.indexes("RESERVATIONDEPTH", "RESERVATIONQOSLIST", "RESERVATIONRETRYTIME");
        for (String name : names) {
            if (!name.equals(ReservationGroup.DEFAULT_NAME)) {
                ReservationGroup group = group(name);
                groups.add(group);
                warnOfSecondListing(group, listed);
            }
        }
        groups.add(group(ReservationGroup.DEFAULT_NAME));
        return groups;
    }

    private ReservationGroup group(String name) {
        return new ReservationGroup(
                name,
                settings.value("RESERVATIONDEPTH", name) instanceof PolicyValue.Whole depth
                        ? (int) Math.min(SitePolicy.UNLIMITED, depth.number())
                        : settings.count("RESERVATIONDEPTH"),
                settings.value("RESERVATIONQOSLIST", name) instanceof PolicyValue.Items list
                        ? list.items().stream()
                                .map(qos -> qos.equalsIgnoreCase(ReservationGroup.ALL) ? ReservationGroup.ALL : qos)
                                .toList()
                        : List.of(ReservationGroup.ALL),
                settings.value("RESERVATIONRETRYTIME", name) instanceof PolicyValue.Interval retry
                        ? Math.min(PolicyTime.LONGEST, retry.seconds())
                        : seconds("RESERVATIONRETRYTIME"));
    }

    private void warnOfSecondListing(ReservationGroup group, SortedMap<String, String> listed) {
        Origin origin = settings.origin("RESERVATIONQOSLIST", group.name());
        for (String qos : new TreeSet<>(group.qosList())) {
            String first = listed.putIfAbsent(qos, group.name());
            if (first != null && origin != null) {
                settings.report(
                        Kind.DOUBTFUL,
                        origin,
                        "RESERVATIONQOSLIST[" + group.name() + "]",
                        qos + " is listed for group " + first + " before, which its jobs belong to");
            }
        }
    }

    private PrioritySettings priority() {
        SortedMap<PriorityWeight, Long> weights = new TreeMap<>();
        for (PriorityWeight weight : PriorityWeight.values()) {
            if (settings.isSet(weight.name())) {
                weights.put(weight, settings.whole(weight.name()));
            }
        }
        PrioritySettings priority = new PrioritySettings(
                weights,
                settings.decimal("QUEUETIMECAP"),
                settings.decimal("XFACTORCAP"),
                settings.decimal("USERPRIOCAP"),
                settings.decimal("RESCAP"),
                settings.decimal("FSCAP"),
                Math.min(PolicyTime.LONGEST, settings.seconds("XFMINWCLIMIT", 0)),
                settings.requiredChoice("JOBPRIOACCRUALPOLICY", AccrualPolicy.class),
                settings.flag("ENABLENEGJOBPRIORITY"));
        warnOfStarvation(priority);
        return priority;
    }

    private void warnOfStarvation(PrioritySettings priority) {
        boolean grows = priority.weight(PriorityWeight.SERVICEWEIGHT) > 0
                && (priority.weight(PriorityWeight.QUEUETIMEWEIGHT) > 0
                        || priority.weight(PriorityWeight.XFACTORWEIGHT) > 0);
        if (grows || "NONE".equals(settings.text("BACKFILLPOLICY"))) {
            return;
        }
        for (PriorityWeight weight : List.of(PriorityWeight.QUEUETIMEWEIGHT, PriorityWeight.SERVICEWEIGHT)) {
            Origin origin = settings.origin(weight.name());
            if (origin != null && priority.weight(weight) <= 0) {
                settings.report(
                        Kind.DOUBTFUL,
                        origin,
                        weight.name(),
                        "no weight makes a job's priority grow while it waits, so jobs can starve under backfill;"
                                + " give QUEUETIMEWEIGHT or XFACTORWEIGHT a positive value");
                return;
            }
        }
    }

    private List<AdminLevel> admins() {
        return settings.objects("ADMINCFG").stream()
                .map(level -> new AdminLevel(
                        Integer.parseInt(level.id()),
                        level.items("USERS"),
                        level.items("GROUPS"),
                        level.items("EVENTSUBSCRIPTION")))
                .sorted((a, b) -> Integer.compare(a.level(), b.level()))
                .toList();
    }

    private <V> SortedMap<String, V> byName(String parameter, Function<ObjectSettings, V> reader) {
        SortedMap<String, V> byName = new TreeMap<>();
        for (ObjectSettings object : settings.objects(parameter)) {
            byName.put(object.id(), reader.apply(object));
        }
        ObjectSettings byDefault = settings.object(parameter, IndexRule.DEFAULT_INDEX);
        if (!byDefault.writtenNames().isEmpty()) {
            byName.put(SitePolicy.DEFAULT_OBJECT, reader.apply(byDefault));
        }
        return byName;
    }

    private long seconds(String name) {
        return Math.min(PolicyTime.LONGEST, settings.seconds(name));
    }

    /** Entries of a NODEAVAILABILITYPOLICY. */
    record AvailabilityEntries(
            @Nullable AvailabilityMeasure byDefault,
            SortedMap<ResourceKind, AvailabilityMeasure> byResource,
            List<String> repeated) {
        static AvailabilityEntries of(List<String> items) {
            AvailabilityMeasure byDefault = null;
            SortedMap<ResourceKind, AvailabilityMeasure> byResource = new TreeMap<>();
            List<String> repeated = new ArrayList<>();
            for (String item : items) {
                int colon = item.indexOf(':');
                AvailabilityMeasure measure = AvailabilityMeasure.valueOf(colon < 0 ? item : item.substring(0, colon));
                if (colon < 0) {
                    if (byDefault != null) {
                        repeated.add("the default");
                    }
                    byDefault = measure;
                } else if (byResource.put(ResourceKind.valueOf(item.substring(colon + 1)), measure) != null) {
                    repeated.add(item.substring(colon + 1));
                }
            }
            return new AvailabilityEntries(byDefault, byResource, repeated);
        }
    }
}
