package io.weir.rm.nativerm.call;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a regular file; a pipe or a device could keep the reader for ever and is refused. */
final class FileCall {
    private FileCall() {}

    static Reply call(Endpoint.File file, CallLimits limits) throws NoReplyException {
        Path path = file.path();
        if (!Files.isRegularFile(path)) {
            throw NoReplyException.neverBegan(file + " is not a file; it has to be there before the connector looks");
        }
        try (InputStream input = Files.newInputStream(path)) {
            byte[] bytes = input.readNBytes(limits.maxBytes() + 1);
            if (bytes.length > limits.maxBytes()) {
                throw NoReplyException.neverBegan(file + " is larger than " + limits.maxBytes() + " bytes");
            }
            return new Reply(true, new String(bytes, StandardCharsets.UTF_8), "");
        } catch (IOException e) {
            throw NoReplyException.neverBegan(file + " cannot be read: " + e, e);
        }
    }
}
