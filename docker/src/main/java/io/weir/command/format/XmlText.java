package io.weir.command.format;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * A view as XML: below {@code Data} an element for each object; what is one value is an attribute, what is more is elements
 * inside. A name that cannot be one in XML becomes the attribute {@code name} of an {@code entry}.
 */
public final class XmlText {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][\\w.-]*");

    /** What is not of the production Char of XML 1.0; U+FFFE, U+FFFF and surrogates without a partner among it. */
    private static final Pattern ILLEGAL =
            Pattern.compile("[^\\t\\n\\r\\x{20}-\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]");

    private final XMLStreamWriter xml;

    private XmlText(XMLStreamWriter xml) {
        this.xml = xml;
    }

    /** Returns {@code view}; each object of a list is an element called {@code item}. */
    public static String of(JsonNode view, String item) throws IOException {
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter writer = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
            XmlText xml = new XmlText(writer);
            writer.writeStartDocument("UTF-8", "1.0");
            writer.writeStartElement("Data");
            if (view.isArray()) {
                for (JsonNode each : view) {
                    xml.element(item, each);
                }
            } else {
                xml.element(item, view);
            }
            writer.writeEndElement();
            writer.writeEndDocument();
            writer.close();
        } catch (XMLStreamException e) {
            throw new IOException(e);
        }
        return text.toString();
    }

    private void element(String name, JsonNode value) throws XMLStreamException {
        boolean plain = NAME.matcher(name).matches();
        xml.writeStartElement(plain ? name : "entry");
        if (!plain) {
            xml.writeAttribute("name", legal(name));
        }
        if (value.isObject()) {
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                if (field.getValue().isValueNode() && isAttribute(field.getKey())) {
                    if (!field.getValue().isNull()) {
                        xml.writeAttribute(
                                field.getKey(), legal(field.getValue().asText()));
                    }
                }
            }
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                child(field.getKey(), field.getValue());
            }
        } else {
            xml.writeCharacters(legal(value.asText()));
        }
        xml.writeEndElement();
    }

    private void child(String name, JsonNode value) throws XMLStreamException {
        if (value.isArray()) {
            for (JsonNode each : value) {
                element(name, each);
            }
        } else if (value.isObject() || !isAttribute(name)) {
            element(name, value);
        }
    }

    private static boolean isAttribute(String name) {
        return NAME.matcher(name).matches();
    }

    private static String legal(String text) {
        return ILLEGAL.matcher(text).replaceAll("?");
    }
}
