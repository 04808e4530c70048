package io.weir.scheduler.core.category;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.policy.node.CategorySettings;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Labels of NODECATCREDLIST that are users, too: what is charged to them looks like what they used. */
public final class LabelCollisions {
    private LabelCollisions() {}

    /** Returns a warning for each label of {@code settings} that is the user of one of {@code jobs}, in the order of labels. */
    public static List<String> warnings(CategorySettings settings, Collection<Job> jobs) {
        Set<String> labels = new TreeSet<>(settings.labels().values());
        if (labels.isEmpty()) {
            return List.of();
        }
        Set<String> taken = new TreeSet<>();
        for (Job job : jobs) {
            String user = job.request().credentials().user();
            if (user != null && labels.contains(user)) {
                taken.add(user);
            }
        }
        return taken.stream().map(LabelCollisions::warning).toList();
    }

    private static String warning(String label) {
        return "NODECATCREDLIST: label " + label
                + " is the name of a user who has jobs; node time is charged to it all the same";
    }
}
