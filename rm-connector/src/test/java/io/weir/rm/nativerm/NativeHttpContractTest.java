package io.weir.rm.nativerm;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.ResourceManagerContractTest;
import io.weir.rm.spi.RmContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;

/** The contract over a web server, in front of the same toy. */
class NativeHttpContractTest extends ResourceManagerContractTest {
    private HttpServer server;

    @Override
    protected ResourceManager open() {
        ToyRm toy = ToyRm.in(directory);
        try {
            if (server == null) {
                server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
                server.createContext("/", exchange -> serve(toy, exchange));
                server.start();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        Map<String, String> settings = new TreeMap<>();
        ToyRm.VERBS.forEach((url, verb) -> settings.put(
                url.key(), "http://127.0.0.1:" + server.getAddress().getPort() + "/" + verb));
        if (test.contains("SlowOne")) {
            settings.put("timeout.seconds", "3");
        }
        return new NativeProvider().open(new RmContext(cluster(), "rm", directory, settings));
    }

    @Override
    protected void lose() {
        ToyRm.in(directory).write("away", "");
    }

    @Override
    protected void restore() {
        ToyRm.in(directory).remove("away");
    }

    @Override
    protected void slowDown() {
        ToyRm.in(directory).write("slow", "");
    }

    @Override
    protected void speedUp() {
        ToyRm.in(directory).remove("slow");
    }

    @Override
    protected List<String> toldTo(String job) {
        return ToyRm.in(directory).effects().stream().filter(job::equals).toList();
    }

    @Override
    protected String type() {
        return NativeProvider.TYPE;
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
    }

    /** Calls the script with the fields of the form. */
    private static void serve(ToyRm toy, HttpExchange exchange) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                toy.script().toString(), exchange.getRequestURI().getPath().substring(1)));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("TOY_DIR", toy.directory().toString());
        for (String field : new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8).split("&")) {
            int mark = field.indexOf('=');
            String name = field.substring(0, Math.max(0, mark));
            String value = URLDecoder.decode(field.substring(mark + 1), StandardCharsets.UTF_8);
            if (name.equals("argument")) {
                command.add(value);
            } else if (!name.isEmpty()) {
                builder.environment().put(name.toUpperCase(Locale.ROOT), value);
            }
        }
        Process process = builder.redirectErrorStream(true).start();
        byte[] output = process.getInputStream().readAllBytes();
        int status = switch (awaited(process)) {
            case 0 -> 200;
            case 75 -> 503;
            default -> 409;
        };
        exchange.sendResponseHeaders(status, output.length == 0 ? -1 : output.length);
        if (output.length > 0) {
            exchange.getResponseBody().write(output);
        }
        exchange.close();
    }

    private static int awaited(Process process) {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
