package io.weir.command.slurm;

import io.weir.command.slurm.Step.Action;
import io.weir.rm.slurm.client.SlurmJob;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Weir's plug-ins beside slurm.conf, and those of the site that they replace. */
final class PluginFiles {
    private static final String SAVED = ".before-weir";
    private static final String REPLACED = ".replaced-";
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuu-MM-dd-HHmmss").withZone(ZoneId.systemDefault());

    /** In front of the name of one of Weir's that a plug-in of the site's own calls. */
    private static final String WRAPPED = "weir-";

    /** Those that a plug-in of the site's own can call. */
    private static final Set<String> PLUG_INS_CALLED = Set.of("job_submit.lua", "cli_filter.lua", "jobcomp.lua");

    private final SlurmConf conf;
    private final ChangeMark taken;
    private final InstantSource now;

    /** The plug-ins beside {@code conf}; {@code taken} tells of a takeover under way. */
    PluginFiles(SlurmConf conf, ChangeMark taken, InstantSource now) {
        this.conf = conf;
        this.taken = taken;
        this.now = now;
    }

    /** Returns what writes them. What the site wrote in place of one of Weir's is kept. */
    List<Action> installing() {
        List<Action> actions = new ArrayList<>();
        for (String name : conf.plugins()) {
            SiteFile called = conf.beside(name);
            boolean wrapped = isWrapper(called);
            SiteFile file = wrapped ? wrapped(name) : called;
            if (isCurrent(name, file)) {
                continue;
            }
            SiteFile saved = saved(name);
            if (!wrapped && file.exists() && !saved.exists() && !conf.isWeirs()) {
                actions.add(new Action("mv " + file + " " + saved, () -> file.moveTo(saved)));
            } else {
                actions.addAll(keeping(file));
            }
            actions.add(new Action("write " + file, () -> install(name, file)));
            if (wrapped) {
                // The controller reads it again, and with it the one that it calls.
                actions.add(new Action("touch " + called, () -> called.change(called.content())));
            }
        }
        return actions;
    }

    /** Returns what keeps a copy of a file that is about to be replaced, unless Weir wrote it and nobody changed it since. */
    private List<Action> keeping(SiteFile file) {
        if (!file.exists() || isOurs(file)) {
            return List.of();
        }
        String name = file.path().getFileName().toString();
        SiteFile copy = conf.beside(name + REPLACED + STAMP.format(now.instant()));
        String words =
                "cp " + file + " " + copy + " (the site changed it, or a build of Weir wrote it that did not mark it";
        words += PLUG_INS_CALLED.contains(name)
                ? "; what the site adds belongs in a " + name + " of its own that calls Weir's by dofile(\""
                        + wrapped(name) + "\"))"
                : ")";
        return List.of(new Action(words, () -> copy.write(file.content())));
    }

    /** Says whether it is one of the site's own that calls Weir's. */
    private boolean isWrapper(SiteFile file) {
        String name = file.path().getFileName().toString();
        return PLUG_INS_CALLED.contains(name)
                && file.content()
                        .lines()
                        .anyMatch(line -> !line.strip().startsWith("--")
                                && line.contains("dofile")
                                && line.contains(WRAPPED + name));
    }

    private SiteFile wrapped(String name) {
        return conf.beside(WRAPPED + name);
    }

    private void install(String name, SiteFile file) {
        String text = PluginMark.on(resource(name));
        SiteFile saved = saved(name);
        if (file.path().endsWith(SlurmConf.POKE)) {
            file.writeScript(text);
        } else if (taken.exists() && saved.exists()) {
            // A controller that runs with the site's own reads it again when it is younger: this one comes with the
            // restart.
            file.write(text, saved.modified());
        } else {
            file.write(text);
        }
    }

    private SiteFile saved(String name) {
        return conf.beside(name + SAVED);
    }

    /** Returns whether one of them is there. */
    boolean isInstalled() {
        return SlurmConf.PLUGINS.stream().map(conf::beside).anyMatch(PluginFiles::isOurs);
    }

    /** Returns what puts back those of the site. */
    List<Action> restoring() {
        List<Action> actions = new ArrayList<>();
        for (String name : SlurmConf.PLUGINS) {
            SiteFile file = conf.beside(name);
            SiteFile saved = saved(name);
            if (saved.exists()) {
                actions.addAll(keeping(file));
                actions.add(new Action("mv " + saved + " " + file, () -> saved.moveTo(file)));
            }
        }
        return actions;
    }

    /** Returns what gives back the site's own, or takes away Weir's where there was none. */
    List<Action> removing() {
        List<Action> actions = restoring();
        for (String name : SlurmConf.PLUGINS) {
            SiteFile file = conf.beside(name);
            if (!saved(name).exists() && isOurs(file)) {
                actions.add(new Action("rm " + file, file::delete));
            }
        }
        return actions;
    }

    private static boolean isOurs(SiteFile file) {
        return PluginMark.isIntact(file.content())
                || isCurrent(file.path().getFileName().toString(), file);
    }

    /** Says whether it is that of this build, marked or as it is shipped. */
    private static boolean isCurrent(String name, SiteFile file) {
        String text = resource(name.startsWith(WRAPPED) ? name.substring(WRAPPED.length()) : name);
        return file.content().equals(text) || file.content().equals(PluginMark.on(text));
    }

    private static String resource(String name) {
        try (InputStream stream = SlurmJob.class.getResourceAsStream("/io/weir/rm/slurm/" + name)) {
            if (stream == null) {
                throw new IllegalStateException(name + " is missing in this build");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
