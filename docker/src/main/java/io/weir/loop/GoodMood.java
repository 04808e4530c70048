package io.weir.loop;

import io.weir.loop.site.UnreliableMachine;
import io.weir.schemas.JobReport;

/** The mood of a resource manager that is never in trouble: that of neighbours. */
final class GoodMood implements UnreliableMachine.Mood {
    @Override
    public boolean isAway() {
        return false;
    }

    @Override
    public int trouble() {
        return 0;
    }

    @Override
    public JobReport touched(JobReport job) {
        return job;
    }
}
