package io.weir.notifier.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.notifier.spi.DeliveryJson;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the end of the file is known to hold: the ids of the deliveries in it, up to the newest 10,000.
 *
 * <p>Invariant after {@link #catchUp}: every complete line within the last {@code tailBytes} has been looked at, and the
 * file ends with a line end. A write that a crash cut short was never acknowledged: it is taken away, since its delivery
 * comes again. Owned by the thread of its notifier.
 */
final class FileTail {

    private static final int REMEMBERED_IDS = 10_000;
    private static final String OUR_LINES_BEGIN = "{\"" + DeliveryJson.ID + "\":";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final int tailBytes;
    private final Set<String> ids = new LinkedHashSet<>();

    /** Which file was looked at, as the file system tells files apart; null before the first. */
    private @Nullable Object fileKey;

    /** End of what was looked at in that file, always just behind a line end. */
    private long position;

    FileTail(int tailBytes) {
        this.tailBytes = tailBytes;
    }

    /** Says whether the delivery {@code id} was seen in the file. */
    boolean holds(String id) {
        return ids.contains(id);
    }

    /** Notes that the delivery {@code id} was appended and that the file now ends at {@code size}. */
    void appended(String id, long size) {
        remember(id);
        position = size;
    }

    /** Looks at what came to the file since the last time, by whomever, and mends a torn end. */
    void catchUp(Path path, FileChannel file) throws IOException {
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        long size = file.size();
        if (!Objects.equals(key, fileKey) || size < position) {
            position = 0;
            fileKey = key;
        }
        long start = Math.max(position, size - tailBytes);
        if (start < size) {
            look(file, start, read(file, start, (int) (size - start)), start > position);
        }
        position = file.size();
    }

    /** Reads the lines in {@code bytes}; the first is only the rest of one when {@code begunBefore}. */
    private void look(FileChannel file, long start, byte[] bytes, boolean begunBefore) throws IOException {
        int lineStart = 0;
        boolean whole = !begunBefore;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                if (whole) {
                    readId(new String(bytes, lineStart, i - lineStart, StandardCharsets.UTF_8));
                }
                whole = true;
                lineStart = i + 1;
            }
        }
        if (lineStart < bytes.length) {
            String torn = new String(bytes, lineStart, bytes.length - lineStart, StandardCharsets.UTF_8);
            mend(file, start + lineStart, torn, whole);
        }
    }

    private void mend(FileChannel file, long tornAt, String torn, boolean whole) throws IOException {
        boolean ours = torn.startsWith(OUR_LINES_BEGIN) || OUR_LINES_BEGIN.startsWith(torn);
        if (whole && ours && !readId(torn)) {
            file.truncate(tornAt);
        } else {
            file.write(ByteBuffer.wrap(new byte[] {'\n'}), file.size());
        }
    }

    /** Remembers the id in {@code line}; false when the line is no delivery. */
    private boolean readId(String line) {
        if (!line.startsWith(OUR_LINES_BEGIN)) {
            return false;
        }
        try {
            JsonNode id = MAPPER.readTree(line).get(DeliveryJson.ID);
            if (id == null || !id.isTextual()) {
                return false;
            }
            remember(id.textValue());
            return true;
        } catch (JsonProcessingException e) {
            return false;
        }
    }

    private void remember(String id) {
        ids.add(id);
        if (ids.size() > REMEMBERED_IDS) {
            Iterator<String> oldest = ids.iterator();
            oldest.next();
            oldest.remove();
        }
    }

    private static byte[] read(FileChannel file, long start, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining() && file.read(buffer, start + buffer.position()) >= 0) {
            // Read on until the part is complete or the file turns out shorter.
        }
        byte[] bytes = new byte[buffer.position()];
        buffer.flip().get(bytes);
        return bytes;
    }
}
