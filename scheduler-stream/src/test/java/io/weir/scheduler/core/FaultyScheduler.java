package io.weir.scheduler.core;

import io.weir.scheduler.core.quarantine.CurrentWork;
import io.weir.schemas.QuarantineKind;
import java.util.function.BiPredicate;
import java.util.function.Supplier;

/** Makes schedulers with a deliberate fault: they throw as soon as they turn to certain objects. */
public final class FaultyScheduler {
    private FaultyScheduler() {}

    /** Returns one that throws a {@code failure} whenever it turns to an object that is {@code cursed}. */
    public static ClusterScheduler of(
            String cluster, BiPredicate<QuarantineKind, String> cursed, Supplier<? extends RuntimeException> failure) {
        return new ClusterScheduler(cluster, new CurrentWork() {
            @Override
            public void on(QuarantineKind kind, String id) {
                super.on(kind, id);
                if (cursed.test(kind, id)) {
                    throw failure.get();
                }
            }
        });
    }
}
