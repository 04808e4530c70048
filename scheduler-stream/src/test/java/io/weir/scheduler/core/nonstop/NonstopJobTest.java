package io.weir.scheduler.core.nonstop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NonstopJobTest {
    private final NonstopTable table = new NonstopTable();

    private static Recovery adding(String request, String node) {
        return Recovery.replacing(request, "n2", node, false, 1);
    }

    @Test
    void shouldKnowForAWhileWhichNodesWereRefused() {
        NonstopJob job = table.edit("17");
        job.refused(adding("r1", "n3"), 100);
        job.refused(adding("r2", "n4"), 300);

        assertThat(job.refusedFor("r1")).containsExactly("n3");
        assertThat(job.refusedOfLate(699)).containsExactly("n3", "n4");
        assertThat(job.refusedOfLate(700)).containsExactly("n4");
    }

    @Test
    void shouldKnowThemAfterARestart() {
        table.edit("17").refused(adding("r1", "n3"), 100);
        NonstopTable restored = new NonstopTable();
        restored.restore(table.toRecord("c", "17"));

        assertThat(restored.edit("17").refusedFor("r1")).containsExactly("n3");
    }

    @Test
    void shouldRememberOnlyTheLastOfMany() {
        NonstopJob job = table.edit("17");
        for (int i = 0; i < 40; i++) {
            job.refused(adding("r" + i, "n" + i), 100);
        }

        assertThat(job.refusedOfLate(100)).hasSize(32).contains("n39").doesNotContain("n7");
    }
}
