package io.weir.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.command.terminal.ExitCode;
import org.junit.jupiter.api.Test;

/** What users and resource managers wrote, as an operator's terminal gets it. */
class PrintedTextTest extends PreparedSite {
    private static final String HOSTILE = """
            {'jobId':'18','name':'a\\u202Eb\\u2066c','user':'b\\u009b31mob','state':'IDLE','section':'ELIGIBLE',
             'now':'2000-01-03T12:00:00Z','submitTime':'2000-01-03T11:00:00Z','walltimeSeconds':3600,'tasks':4,
             'procsPerTask':2,'messages':['two\\nlines\\twith\\rreturn \\u001b]0;title\\u0007'],
             'explanation':{'constraint':'Procs','message':'','time':'2000-01-03T11:59:00Z'}}
            """;

    @Test
    void shouldLetNobodysWordsSteerATerminal() {
        api.view("jobs/18", HOSTILE);

        assertThat(run("checkjob", "18")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString()).contains("18").contains("b?31mob").contains("two\n");
        assertThat(out.toString().codePoints())
                .noneMatch(c -> Character.isISOControl(c) && c != '\n' && c != '\t')
                .noneMatch(c -> (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069));
    }

    /** A program reads what was written. */
    @Test
    void shouldGiveProgramsEveryCharacter() {
        api.view("jobs/18", HOSTILE);

        assertThat(run("checkjob", "--format", "json", "18")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString()).contains("a\u202Eb\u2066c");
    }
}
