package io.weir.rm.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.rm.spi.RetriableRmException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes of jobs, said to a program that answers lines as scontrol does and writes down how it was called. */
class ControlSessionTest {
    @TempDir
    Path directory;

    private SlurmCommands commands;

    @BeforeEach
    void install() throws IOException {
        scontrol("""
                printf 'scontrol: '
                while read -r line; do
                  echo "line $line" >>calls
                  echo "${line:0:20}"
                  case $line in
                    *nosuch*) echo 'Invalid node name specified for job 7' ;;
                    *slow*) sleep 30 ;;
                    *dies*) exit 1 ;;
                    *unregistered*) sleep 2; echo 'Job update not available right now, the DB index is being set, try again in a bit for job 7' ;;
                  esac
                  printf 'scontrol: '
                done
                """);
        commands = new SlurmCommands(directory, null, Duration.ofSeconds(1));
    }

    @AfterEach
    void close() {
        commands.close();
    }

    private void scontrol(String withoutArguments) throws IOException {
        Path program = directory.resolve("scontrol");
        Files.writeString(program, """
                #!/bin/bash
                cd "$(dirname "$0")"
                if (($# > 0)); then
                  echo "call $*" >>calls
                  exit 0
                fi
                echo session >>calls
                """ + withoutArguments);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(directory.resolve("calls"));
    }

    @Test
    void shouldSayManyLinesToOneProcess() throws Exception {
        commands.updateInSession("7", List.of("AdminComment=[weir,start=c/1/0@0]", "ReqNodeList=n1"));
        commands.release("7");
        commands.release("8");

        assertThat(calls())
                .containsExactly(
                        "session",
                        "line update JobId=7 AdminComment=[weir,start=c/1/0@0] ReqNodeList=n1",
                        "line release 7",
                        "line release 8");
    }

    @Test
    void shouldTakeWhatIsSaidOfALineForARefusalAndGoOn() throws Exception {
        assertThatThrownBy(() -> commands.updateInSession("7", List.of("ReqNodeList=nosuch")))
                .isInstanceOfSatisfying(
                        SlurmRefusal.class,
                        refusal -> assertThat(refusal.error().isUnknownNode()).isTrue());
        commands.release("7");

        assertThat(calls()).filteredOn("session"::equals).hasSize(1);
    }

    @Test
    void shouldNotReleaseByWhatScontrolRemembersOfTheSameJob() throws Exception {
        commands.release("7");
        commands.release("7");

        assertThat(calls()).containsExactly("session", "line release 7", "session", "line release 7");
    }

    @Test
    void shouldGiveWhatCannotBeTypedToAProcessOfItsOwn() throws Exception {
        commands.updateInSession("7", List.of("AdminComment=two words"));
        commands.updateInSession("7", List.of("AdminComment=it's"));
        commands.updateInSession("7", List.of("AdminComment=caf\u00e9"));

        assertThat(calls()).hasSize(3).allMatch(call -> call.startsWith("call update JobId=7 AdminComment="));
    }

    @Test
    void shouldNotKnowWhatBecameOfALineWithoutAnAnswer() throws Exception {
        assertThatThrownBy(() -> commands.updateInSession("7", List.of("AdminComment=slow")))
                .isInstanceOf(RetriableRmException.class);
        assertThatThrownBy(() -> commands.updateInSession("7", List.of("AdminComment=dies")))
                .isInstanceOf(RetriableRmException.class);
        commands.release("7");

        assertThat(calls()).filteredOn("session"::equals).hasSize(3);
    }

    @Test
    void shouldWaitAsLongAsSlurmDoesForARegistration() {
        assertThatThrownBy(() -> commands.updateInSession("7", List.of("AdminComment=unregistered")))
                .isInstanceOfSatisfying(
                        SlurmRefusal.class,
                        refusal -> assertThat(refusal.error().isUnregistered()).isTrue());
    }

    @Test
    void shouldCallScontrolForEachWhereItTakesNoLines() throws Exception {
        scontrol("exit 0\n");

        commands.updateInSession("7", List.of("ReqNodeList=n1"));
        commands.release("7");

        assertThat(calls()).containsExactly("session", "call update JobId=7 ReqNodeList=n1", "call release 7");
    }
}
