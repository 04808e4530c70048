package io.weir.command.slurm;

import io.weir.command.slurm.Step.Action;
import io.weir.rm.slurm.client.SlurmJob;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Weir's plug-ins beside slurm.conf, and those of the site that they replace. */
final class PluginFiles {
    private static final String SAVED = ".before-weir";

    private final SlurmConf conf;
    private final ChangeMark taken;

    /** The plug-ins beside {@code conf}; {@code taken} tells of a takeover under way. */
    PluginFiles(SlurmConf conf, ChangeMark taken) {
        this.conf = conf;
        this.taken = taken;
    }

    /** Returns what writes them. */
    List<Action> installing() {
        List<Action> actions = new ArrayList<>();
        for (String name : conf.plugins()) {
            SiteFile file = conf.beside(name);
            String text = resource(name);
            if (!text.equals(file.content())) {
                SiteFile saved = saved(name);
                // On a cluster that is Weir's already it is that of an earlier build.
                if (file.exists() && !saved.exists() && !conf.isWeirs()) {
                    actions.add(new Action("mv " + file + " " + saved, () -> file.moveTo(saved)));
                }
                actions.add(new Action("write " + file, () -> install(file, text)));
            }
        }
        return actions;
    }

    private void install(SiteFile file, String text) {
        SiteFile saved = saved(file.path().getFileName().toString());
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
        return resource(file.path().getFileName().toString()).equals(file.content());
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
