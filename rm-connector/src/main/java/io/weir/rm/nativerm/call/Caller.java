package io.weir.rm.nativerm.call;

import java.nio.file.Path;
import java.util.Map;

/** Makes calls; nothing of a call is left when it returns. For any threads. */
public final class Caller {
    private final ProcessCall processes;
    private final WebCall web = new WebCall();

    /**
     * Creates a caller.
     *
     * @param directory where programs start
     * @param environment variables that programs see besides the caller's own
     */
    public Caller(Path directory, Map<String, String> environment) {
        this.processes = new ProcessCall(directory, environment);
    }

    /**
     * Makes a call and waits for its end.
     *
     * @throws NoReplyException if there was no complete answer within the limits
     */
    public Reply call(Endpoint endpoint, CallRequest request, CallLimits limits) throws NoReplyException {
        if (endpoint instanceof Endpoint.Exec exec) {
            return processes.call(exec, request, limits);
        }
        if (endpoint instanceof Endpoint.File file) {
            return FileCall.call(file, limits);
        }
        return web.call((Endpoint.Http) endpoint, request, limits);
    }
}
