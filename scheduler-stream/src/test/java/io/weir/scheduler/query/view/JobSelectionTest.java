package io.weir.scheduler.query.view;

import static io.weir.scheduler.query.image.ImageFixture.NOW;
import static io.weir.scheduler.query.image.ImageFixture.job;
import static io.weir.scheduler.query.image.ImageFixture.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.scheduler.query.image.ImageFixture;
import io.weir.schemas.JobState;
import io.weir.service.http.HttpRefusal;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobSelectionTest {
    private final ImageFixture fixture = new ImageFixture();

    @BeforeEach
    void jobs() {
        fixture.put(job("1", JobState.RUNNING, 60)
                .setUser("anna")
                .setQos("high")
                .setStartTime(NOW)
                .setAllocation(on("n0", 1)));
        fixture.put(job("2", JobState.IDLE, 60).setUser("Bob").setGroup("staff"));
        fixture.put(job("3", JobState.IDLE, 60).setUser("anna").setHeld(true).setJobClass("batch"));
        fixture.put(job("4", JobState.COMPLETED, 60).setUser("anna").setAccount("chem"));
        fixture.put(job("5", JobState.IDLE, 60));
        fixture.explain("2", "Procs");
        fixture.explain("5", "StartDate");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "user=anna                      | 1,3,4",
                "user=anna,BOB                  | 1,2,3,4",
                "user=anna&section=active       | 1",
                "section=eligible,blocked       | 2,3,5",
                "state=Idle                     | 2,3,5",
                "group=staff                    | 2",
                "account=chem                   | 4",
                "class=batch                    | 3",
                "qos=high                       | 1",
                "job=3,5,9                      | 3,5",
                "limit=2                        | 1,2",
                "user=nobody                    | ''"
            })
    void shouldChooseJobs(String query, String ids) {
        assertThat(String.join(",", view("jobs", query).findValuesAsText("jobId")))
                .isEqualTo(ids);
    }

    @Test
    void shouldChooseOfTheQueueAndCount() {
        JsonNode queue = view("queue", "user=anna,bob&limit=0");

        assertThat(queue.path("active")).isEmpty();
        assertThat(queue.path("counts").toString())
                .isEqualTo("{\"active\":1,\"eligible\":1,\"blocked\":1,\"completed\":1}");
        assertThat(view("queue", "user=bob").path("eligible").findValuesAsText("jobId"))
                .containsExactly("2");
        assertThat(view("queue", "section=blocked").path("active")).isEmpty();
    }

    @Test
    void shouldTellOfJobsWhatIsAskedFor() {
        assertThat(view("jobs", "job=1&fields=jobId,section,procs,account").toString())
                .isEqualTo("[{\"jobId\":\"1\",\"section\":\"ACTIVE\",\"procs\":1}]");
        assertThat(view("queue", "fields=jobId,user,xfactor").path("active").toString())
                .isEqualTo("[{\"jobId\":\"1\",\"user\":\"anna\",\"xfactor\":1.0}]");
    }

    @Test
    void shouldKnowEveryFieldOfAJob() {
        JsonNode queue = view("queue", "");
        Set<String> met = new TreeSet<>();
        for (String section : new String[] {"active", "eligible", "blocked", "completed"}) {
            for (JsonNode job : queue.path(section)) {
                for (Iterator<String> names = job.fieldNames(); names.hasNext(); ) {
                    met.add(names.next());
                }
            }
        }

        assertThat(met).isEqualTo(ClusterViews.jobFields("queue"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "owner=anna   | Parameter 'owner' is not known; there are job, user",
                "state=asleep | There is no state 'asleep'; there are unknown, idle",
                "section=gone | There is no section 'gone'; there are active",
                "fields=jobid | There is no field 'jobid'; there are account",
                "limit=-1     | limit is '-1'; a number is needed",
            })
    void shouldRefuseWhatIsNotKnown(String query, String refusal) {
        assertThatThrownBy(() -> view("queue", query))
                .isInstanceOf(HttpRefusal.class)
                .hasMessageStartingWith(refusal);
    }

    private JsonNode view(String view, String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : query.split("&")) {
            if (!pair.isEmpty()) {
                parameters.put(pair.split("=")[0], pair.split("=")[1]);
            }
        }
        return new ClusterViews(fixture.image, "kth", NOW, JobSelection.of(view, parameters))
                .view(view, "")
                .orElseThrow();
    }
}
