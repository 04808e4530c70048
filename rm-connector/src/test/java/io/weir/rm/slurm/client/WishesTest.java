package io.weir.rm.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class WishesTest {
    private static final String PINNED = "\"required_nodes\":\"n[1-2]\",\"tasks\":2,\"cpus\":2,\"max_nodes\":2,"
            + "\"tres_req_str\":\"cpu=2,node=2\",\"time_limit\":30,\"admin_comment\":\"";

    private static SlurmJob job(String fields) {
        try {
            return SlurmJob.of(new ObjectMapper().readTree("{" + fields + "}"));
        } catch (JsonProcessingException e) {
            throw new AssertionError(fields, e);
        }
    }

    @Test
    void shouldReadWhatItWrote() {
        Wishes wishes = new Wishes("n[3,5-9]", 2, 4, 5, "monday 8", null, null, null).withLimit(60, 30);

        AdminNote note = AdminNote.parse("see ticket 7")
                .with(AdminNote.START, "c/1/0", 0)
                .keeping(wishes);

        assertThat(AdminNote.parse(note.text())).isEqualTo(note);
        assertThat(AdminNote.parse(note.text()).asked()).contains(wishes);
    }

    @Test
    void shouldNotTakeTheNodesOfAStartForTheUsersHostList() {
        AdminNote note = AdminNote.parse("").keeping(new Wishes("", 1, 0, 2, null, null, null, null));

        SlurmJob job = job(PINNED + note.text() + "\"");

        assertThat(job.demands().hosts()).isEmpty();
        assertThat(job.demands().mostNodes()).isZero();
        assertThat(job.wishes().restoring(job)).containsExactly("ReqNodeList=", "NumNodes=1-500000");
    }

    @Test
    void shouldPutBackEverythingThatAStartWroteOver() {
        Wishes asked = new Wishes("n7", 1, 4, 1, "weekly", null, null, null).withLimit(SlurmJob.UNLIMITED_MINUTES, 30);
        SlurmJob job = job(PINNED + AdminNote.parse("").keeping(asked).text() + "\"");

        assertThat(job.wishes().restoring(job))
                .containsExactly(
                        "ReqNodeList=n7",
                        "NumNodes=1-4",
                        "NumTasks=1",
                        "ReservationName=weekly",
                        "TimeLimit=UNLIMITED");
    }

    @Test
    void shouldLeaveTheNumberOfNodesThatNoStartChanged() {
        String told =
                "\"required_nodes\":\"n1\",\"tasks\":1,\"cpus\":1,\"tres_req_str\":\"cpu=1,node=1\",\"admin_comment\":\""
                        + AdminNote.parse("")
                                .keeping(new Wishes("", 1, 0, 1, null, null, null, null))
                                .text() + "\"";

        SlurmJob refused = job(told);
        SlurmJob requeued = job(told + ",\"restart_cnt\":1");

        assertThat(refused.wishes().restoring(refused)).containsExactly("ReqNodeList=");
        assertThat(requeued.wishes().restoring(requeued))
                .as("of a job that ran Slurm does not tell it")
                .containsExactly("ReqNodeList=", "NumNodes=1-500000");
    }

    @Test
    void shouldLeaveATimeLimitThatSomebodyElseSetSince() {
        Wishes asked = new Wishes("", 1, 0, 2, null, null, null, null).withLimit(60, 45);
        SlurmJob job = job(PINNED + AdminNote.parse("").keeping(asked).text() + "\"");

        assertThat(job.wishes().restoring(job)).noneMatch(field -> field.startsWith("TimeLimit"));
    }

    @Test
    void shouldRememberTheMostNodesThatSlurmTellsNoMore() {
        AdminNote note = AdminNote.parse("").havingRestored(new Wishes("", 2, 4, 2, null, null, null, null));
        String comment = ",\"admin_comment\":\"" + note.text() + "\"";

        assertThat(job("\"tasks\":2,\"tres_req_str\":\"cpu=2,node=2\"" + comment)
                        .wishes()
                        .mostNodes())
                .isEqualTo(4);
        assertThat(job("\"tasks\":2,\"tres_req_str\":\"cpu=2,node=3\"" + comment)
                        .wishes()
                        .mostNodes())
                .as("another count was asked for since")
                .isZero();
    }

    @Test
    void shouldKnowWhichJobsSlurmNeverDivides() {
        String one = "\"tasks\":1,\"cpus\":4,\"tres_req_str\":\"cpu=4,node=1\"";

        assertThat(job(one).staysOnOneNode()).isTrue();
        assertThat(job(one + ",\"max_nodes\":1").staysOnOneNode()).isTrue();
        assertThat(job(one + ",\"max_nodes\":4").staysOnOneNode())
                .as("takes what nodes there are")
                .isFalse();
        assertThat(job(one + ",\"tres_per_job\":\"gres:gpu:4\"").staysOnOneNode())
                .as("the resources of one job may lie on several nodes")
                .isFalse();
        assertThat(job(PINNED + "\"").staysOnOneNode()).isFalse();
        AdminNote restored = AdminNote.parse("").havingRestored(new Wishes("", 1, 0, 1, null, null, null, null));
        assertThat(job(one + ",\"admin_comment\":\"" + restored.text() + "\"").staysOnOneNode())
                .as("was told as many as there are")
                .isFalse();
    }

    @Test
    void shouldTakeUnreadableWordsForNone() {
        assertThat(AdminNote.parse("[weir asked=n%3A2]").asked()).isEmpty();
        assertThat(AdminNote.parse("[weir asked=%ZZ]").asked()).isEmpty();
        assertThat(AdminNote.parse("[weir asked=n%3A99999999999-0%3Bk%3A1]").asked())
                .isEmpty();
    }
}
