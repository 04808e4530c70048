package io.weir.command.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** Whatever stands in a view, an XML parser reads it. */
class XmlTextTest {
    @ParameterizedTest
    @CsvSource({
        "0, ?",
        "8, ?",
        "9, \t",
        "B, ?",
        "1F, ?",
        "7F, \u007f",
        "D7FF, \ud7ff",
        "D800, ?",
        "DFFF, ?",
        "E000, \ue000",
        "FFFD, \ufffd",
        "FFFE, ?",
        "FFFF, ?",
        "1F600, \ud83d\ude00",
        "10FFFF, \udbff\udfff"
    })
    void whatXmlDoesNotAllowIsReplaced(String codePoint, String expected) throws Exception {
        String text = "a" + Character.toString(Integer.parseInt(codePoint, 16)) + "b";
        ObjectNode view = new ObjectMapper().createObjectNode().put("reason", text);
        view.putArray("holds").add(text);
        view.putObject("no " + text).put("since", text);

        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(XmlText.of(view, "job"))));

        String kept = "a" + (expected == null ? "\t" : expected) + "b";
        assertThat(document.getElementsByTagName("holds").item(0).getTextContent())
                .isEqualTo(kept);
        assertThat(document.getElementsByTagName("job").item(0).getAttributes().getNamedItem("reason"))
                .extracting(node -> node.getNodeValue())
                .isIn(kept, kept.replace('\t', ' '));
    }
}
