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
            String cluster, BiPredicate<QuarantineKind, String> cursed, Supplier<? extends Throwable> failure) {
        return new ClusterScheduler(cluster, new CurrentWork() {
            @Override
            public void on(QuarantineKind kind, String id) {
                super.on(kind, id);
                if (cursed.test(kind, id)) {
                    FaultyScheduler.<RuntimeException>raise(failure.get());
                }
            }
        });
    }

    /** Says whether the caller was called by a method whose class and name, as in {@code Iteration.run}, begin so. */
    public static boolean calledBy(String method) {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> (frame.getClassName()
                                        .substring(frame.getClassName().lastIndexOf('.') + 1)
                                + "." + frame.getMethodName())
                        .startsWith(method)));
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void raise(Throwable failure) throws T {
        throw (T) failure;
    }
}
