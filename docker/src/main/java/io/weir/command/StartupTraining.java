package io.weir.command;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * Runs the commands that operators type most, against an API that knows one cluster with one job and one node, a short
 * simulation, the services on a broker of their own, and an audit, so that the JVM can record which classes they load. The
 * launcher script makes its archive of classes from that record; what the commands print is of no interest.
 */
public final class StartupTraining {
    private static final String TIMES = "'now':'2026-01-03T12:00:00Z','submitTime':'2026-01-03T11:00:00Z'";
    private static final String JOB =
            "{'jobId':'1','name':'a','user':'ann','state':'IDLE','section':'ELIGIBLE','procs':1,"
                    + "'walltimeSeconds':60,'priority':1,'requirements':[{'tasks':1,'procsPerTask':1}],"
                    + "'explanation':{'constraint':'Reserved','message':'waits'}," + TIMES + "}";
    private static final String NODE =
            "{'nodeId':'n1','state':'IDLE','shownState':'IDLE','partition':'batch','procs':1,"
                    + "'load':0.5,'resources':{'PROC':{'configured':1,'utilized':0.5,'dedicated':0,'available':1,'policy':'COMBINED'}},"
                    + TIMES + "}";
    private static final String RESERVATION = "{'reservationId':'r.1','type':'USER','category':'User','start':"
            + "'2026-01-03T13:00:00Z','end':'2026-01-03T14:00:00Z','durationSeconds':3600,'nodes':1,'procs':1,"
            + "'allocation':[{'nodeId':'n1','procs':1}]," + TIMES + "}";
    private static final String QUEUE = "{'cluster':'c','procs':1,'nodes':1,'eligible':[" + JOB
            + "],'active':[],'blocked':[],'completed':[]," + TIMES + "}";

    private static final List<String> COMMANDS = List.of(
            "showq",
            "showq -i",
            "checkjob 1",
            "checkjob -v 1",
            "checknode n1",
            "showres",
            "showres -n",
            "showstart 1",
            "showbf",
            "mdiag -n",
            "mdiag -p",
            "mdiag -r",
            "mjobctl -h 1",
            "mnodectl -m state=drained n1",
            "mrsvctl -l",
            "mrsvctl -c -h n1",
            "canceljob 1",
            "showq --format json",
            "showq --nonsense",
            "version");

    private StartupTraining() {}

    /** Runs them; arguments are ignored. */
    public static void main(String[] args) throws IOException {
        HttpServer api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        api.createContext("/", StartupTraining::answer);
        api.start();
        String server = "http://127.0.0.1:" + api.getAddress().getPort();
        for (String command : COMMANDS) {
            boolean local = command.equals("version");
            run((local ? command : command + " --server " + server).split(" "));
        }
        run("--help");
        api.stop(0);
        runTrace();
    }

    /** Jobs of one and of two processors in turn, more than the nodes can run at a time. */
    private static void runTrace() throws IOException {
        Path directory = Files.createTempDirectory("weir");
        try {
            Path trace = directory.resolve("trace.swf");
            Files.writeString(
                    trace,
                    IntStream.rangeClosed(1, 60)
                            .mapToObj(job -> "%d %d -1 50 %d -1 -1 %d 60 -1 1 1 1 -1 1 -1 -1 -1%n"
                                    .formatted(job, 10 * job, 1 + job % 2, 1 + job % 2))
                            .collect(Collectors.joining()));
            String machine = " --trace " + trace + " --nodes 4 --procs-per-node 1";
            run(("simulate" + machine).split(" "));
            String data = " --data " + directory.resolve("data");
            run(("run-trace" + machine + data).split(" "));
            run(("replay --verify" + data).split(" "));
        } finally {
            remove(directory);
        }
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> below = Files.walk(directory)) {
            for (Path path : below.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static void run(String... words) {
        CommandLine weir = Main.commandLine();
        weir.setOut(new PrintWriter(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
        weir.setErr(new PrintWriter(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
        weir.execute(words);
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            String[] path = exchange.getRequestURI().getPath().split("/", -1);
            String view = path.length > 3 ? path[3] : "clusters";
            boolean one = path.length > 4;
            String text = switch (view) {
                case "clusters" -> "[{'cluster':'c'}]";
                case "queue" -> QUEUE;
                case "requests" ->
                    "{'outcome':'ACCEPTED','objectId':'1','message':'','details':"
                            + "[{'name':'constraint','value':'Reserved'},{'name':'line','value':'1'}]}";
                case "jobs" -> one ? JOB : "[" + JOB + "]";
                case "nodes" -> one ? NODE : "[" + NODE + "]";
                case "reservations" -> one ? RESERVATION : "[" + RESERVATION + "]";
                default -> "{}";
            };
            byte[] bytes = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
