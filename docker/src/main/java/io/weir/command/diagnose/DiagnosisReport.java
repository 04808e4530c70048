package io.weir.command.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.client.Views;
import java.io.PrintWriter;

/** One kind of thing {@code weir mdiag} looks at. */
interface DiagnosisReport {
    /** Returns what each of them is called, for people. */
    String what();

    /** Returns what there is of those asked about, for programs; a list of objects, or one object. */
    JsonNode read(Views views);

    /** Prints what was read, for people. */
    void print(JsonNode read, PrintWriter out);
}
