package io.weir.command.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TextTableTest {
    @Test
    void aLineEndInACellBeginsNoLineOfItsOwn() {
        TextTable table = new TextTable("Node", "Text");
        table.row("n1", "hot\nn2    cold");
        table.row("n3", "fine");
        StringWriter out = new StringWriter();

        table.print(new PrintWriter(out, true));

        assertThat(out.toString().lines()).containsExactly("Node  Text", "n1    hot?n2    cold", "n3    fine");
    }
}
