package io.weir.rm.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class AdminNoteTest {

    @Test
    void shouldReadWhatItWrote() {
        AdminNote note = AdminNote.parse("see ticket 7").with(AdminNote.START, "my cluster/12/0", 3);

        AdminNote read = AdminNote.parse(note.text());

        assertThat(note.text()).isEqualTo("see ticket 7 [weir,start=my+cluster/12/0@3]");
        assertThat(read).isEqualTo(note);
        assertThat(read.mark(AdminNote.START)).contains(new AdminNote.Mark("my cluster/12/0", 3));
        assertThat(read.names(AdminNote.START, "my cluster/12/0")).isTrue();
        assertThat(read.names(AdminNote.START, "my cluster/12/1")).isFalse();
    }

    @Test
    void shouldKeepOneMarkOfEachKind() {
        AdminNote note = AdminNote.parse("")
                .with(AdminNote.START, "c/1/0", 0)
                .with(AdminNote.HOLD, "c/2/0", 0)
                .with(AdminNote.START, "c/3/0", 1)
                .without(AdminNote.HOLD);

        assertThat(note.text()).isEqualTo("[weir,start=c/3/0@1]");
    }

    @Test
    void shouldKeepWhatTheSubmitPluginWroteOfNoKill() {
        AdminNote note = AdminNote.parse("see ticket 7 [weir,nokill=1]").with(AdminNote.START, "c/1/0", 0);

        assertThat(note.noKill()).isTrue();
        assertThat(AdminNote.parse(note.without(AdminNote.START).text()).noKill())
                .isTrue();
        assertThat(AdminNote.parse("nokill").noKill()).isFalse();
    }

    @Test
    void shouldTellTheBeginTimeOfTheSubmitPluginFromTheUsers() {
        AdminNote note = AdminNote.parse("[weir,nokill=1,begin=1005]");

        assertThat(note.gave(Instant.ofEpochSecond(1_005))).isTrue();
        assertThat(note.gave(Instant.ofEpochSecond(1_006))).isFalse();
        assertThat(AdminNote.parse("").gave(Instant.ofEpochSecond(1_005))).isFalse();
    }

    @Test
    void shouldKeepOtherTextWhenNothingIsLeft() {
        assertThat(AdminNote.parse("a [weir hold=c/1/0@0] b")
                        .without(AdminNote.HOLD)
                        .text())
                .isEqualTo("a b");
    }

    @Test
    void shouldNotTrustUnreadableMarks() {
        AdminNote note = AdminNote.parse("[weir start=c/1/0 hold=@x undone]");

        assertThat(note.mark(AdminNote.START)).isEmpty();
        assertThat(note.mark(AdminNote.HOLD)).isEmpty();
        assertThat(note.mark(AdminNote.UNDONE)).isEmpty();
    }

    @Test
    void shouldTellSinceWhenAJobHasItsGraceTimeByWhichCommand() {
        Instant since = Instant.ofEpochSecond(1_796_135_712);
        AdminNote note =
                AdminNote.parse("text").with(AdminNote.START, "c/1/0", 2).withGrace("c/12,@/0", since);

        AdminNote read = AdminNote.parse(note.text());

        assertThat(read.graceSince("c/12,@/0")).contains(since);
        assertThat(read.graceSince("c/12")).isEmpty();
        assertThat(read.names(AdminNote.START, "c/1/0")).isTrue();
        assertThat(AdminNote.parse("[weir,grace=c/1@x]").graceSince("c/1")).isEmpty();
    }
}
