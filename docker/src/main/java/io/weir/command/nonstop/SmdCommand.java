package io.weir.command.nonstop;

import io.weir.command.terminal.BadInputException;
import io.weir.nonstop.client.ChangedAllocation;
import io.weir.nonstop.client.ClientTls;
import io.weir.nonstop.client.FailureService;
import io.weir.nonstop.client.FailureServiceException;
import io.weir.nonstop.client.JobFailures;
import io.weir.nonstop.client.NonstopClient;
import io.weir.nonstop.client.ServiceAddress;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code smd}: what a job's script asks of the failure service. */
@Command(
        name = "smd",
        header = "Let a running job survive the failure of its nodes.",
        description = {
            "%nDirectives: REPLACE, DROP, EXIT_JOB, TIME_LIMIT_DELAY=N, TIME_LIMIT_EXTEND=N, TIME_LIMIT_DROP=N,",
            "separated by colons, N in minutes. They are attached to their option: --handle-failed=REPLACE.",
            "SMD_NONSTOP_FAILED and SMD_NONSTOP_FAILING override those given.",
            "",
            "NODES are names separated by commas, such as n7,rack[01-03,9].",
            "",
            "Exit codes: 0 fine or nothing failed, 1 the job was ended or nodes are not replaced, 2 bad usage,",
            "3 nodes failed and no directive says what to do, 4 not permitted, 5 service not reachable,",
            "6 refused by the service.",
            ""
        })
public final class SmdCommand implements Callable<Integer> {
    private static final Set<String> LISTS =
            Set.of("ControlAddr", "BackupAddr", "HotSpareCount", "UserDrainAllow", "UserDrainDeny");

    /** What is asked; one at a time, except that both kinds of nodes may be handled. */
    static final class What {
        @Option(
                names = {"-c", "--show-config"},
                description = "Show the settings of the service.")
        boolean config;

        @Option(
                names = {"-f", "--faulty-nodes"},
                description = "Show failed and failing nodes of the job.")
        boolean faulty;

        @Option(
                names = {"-j", "--job-info"},
                description = "Show what the service knows of the job.")
        boolean info;

        @Option(
                names = {"-d", "--drain-node"},
                paramLabel = "NODES",
                description = "Say that nodes are failing.")
        @Nullable
        String drain;

        @Option(
                names = {"-D", "--drop-node"},
                paramLabel = "NODES",
                description = "Give failed or failing nodes up.")
        @Nullable
        String drop;

        @Option(
                names = {"-r", "--replace-node"},
                paramLabel = "NODE",
                description = "Replace a failed or failing node.")
        @Nullable
        String replace;

        @Option(
                names = {"-e", "--extend-time"},
                paramLabel = "MIN",
                description = "Extend the time limit; 0: by all.")
        @Nullable
        String extend;

        @Option(
                names = {"-H", "--handle-failed"},
                paramLabel = "SPEC",
                arity = "0..1",
                fallbackValue = "",
                preprocessor = AttachedValue.class,
                description = "Handle failed nodes by directives.")
        @Nullable
        String failed;

        @Option(
                names = {"-G", "--handle-failing"},
                paramLabel = "SPEC",
                arity = "0..1",
                fallbackValue = "",
                preprocessor = AttachedValue.class,
                description = "Handle failing nodes by directives.")
        @Nullable
        String failing;

        /** Returns how much is asked for; both kinds of nodes may be handled at once. */
        long count() {
            return Stream.of(
                            config,
                            faulty,
                            info,
                            drain != null,
                            drop != null,
                            replace != null,
                            extend != null,
                            failed != null || failing != null)
                    .filter(asked -> asked)
                    .count();
        }
    }

    @ArgGroup(validate = false)
    private What what = new What();

    @Option(
            names = {"-E", "--env-vars"},
            description = "Print how the job's environment changes.")
    private boolean env;

    @Option(
            names = {"-R", "--reason"},
            paramLabel = "TEXT",
            description = "Why nodes are failing.")
    private @Nullable String reason;

    @Option(
            names = {"-v", "--verbose"},
            description = "Say more (also: SMD_NONSTOP_DEBUG).")
    private boolean verbose;

    @Option(
            names = "--conf",
            paramLabel = "FILE",
            description =
                    "nonstop.conf (default: $$WEIR_NONSTOP_CONF, that beside $$SLURM_CONF, /etc/weir/nonstop.conf).")
    private @Nullable Path conf;

    @Option(names = "--token-file", paramLabel = "FILE", description = "Your token (default: $$WEIR_TOKEN_FILE).")
    private @Nullable Path tokenFile;

    @Option(names = "--tls", description = "Speak TLS to the service (also: WEIR_NONSTOP_TLS).")
    private boolean tls;

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description =
                    "Certificates in PEM that alone may vouch for the service; with TLS (default: $$WEIR_NONSTOP_CA).")
    private @Nullable Path caFile;

    @Option(
            names = "--cert-file",
            paramLabel = "FILE",
            description =
                    "Your certificate in PEM, for a service that wants one; with TLS (default: $$WEIR_CERT_FILE).")
    private @Nullable Path certFile;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "The key of --cert-file in PEM, PKCS#8 without a password (default: $$WEIR_KEY_FILE).")
    private @Nullable Path keyFile;

    @SuppressWarnings("UnusedVariable") // read by picocli
    @Option(
            names = {"--help", "--usage"},
            usageHelp = true,
            description = "Show this help message and exit.")
    private boolean help;

    @Parameters(
            arity = "0..1",
            paramLabel = "JOB",
            description = "The job (default: $$SLURM_JOB_ID, $$SLURM_JOBID, $$JOB_ID).")
    private @Nullable String job;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Map<String, String> environment;
    private final Waiting waiting;
    private final Function<SmdCommand, FailureService> services;

    /** Makes the command of this process. */
    public SmdCommand() {
        this(System.getenv());
    }

    /** Makes the command of a process with another environment. */
    SmdCommand(Map<String, String> environment) {
        this(environment, Waiting.REAL, SmdCommand::connect);
    }

    SmdCommand(Map<String, String> environment, Waiting waiting, Function<SmdCommand, FailureService> services) {
        this.environment = environment;
        this.waiting = waiting;
        this.services = services;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (what.count() > 1) {
            throw misused("Ask for one thing at a time; only --handle-failed and --handle-failing go together");
        }
        Directives failed = directives("SMD_NONSTOP_FAILED", what.failed);
        Directives failing = directives("SMD_NONSTOP_FAILING", what.failing);
        try {
            return run(services.apply(this), failed, failing, out, err);
        } catch (FailureServiceException e) {
            String message = String.valueOf(e.getMessage());
            err.println("smd: " + (message.startsWith(e.code()) ? "" : e.code() + ": ") + message);
            return SmdExit.of(e);
        } finally {
            out.flush();
            err.flush();
        }
    }

    private int run(FailureService service, Directives failed, Directives failing, PrintWriter out, PrintWriter err)
            throws FailureServiceException, IOException, InterruptedException {
        boolean told = verbose || environment.containsKey("SMD_NONSTOP_DEBUG");
        int result = SmdExit.FINE;
        if (what.config) {
            service.configuration().forEach((name, value) -> out.println(name + "=" + setting(name, value)));
        } else if (what.faulty) {
            service.failures(jobId())
                    .lost()
                    .forEach(node -> out.println(node.name() + " " + node.cpus() + " " + node.state()));
        } else if (what.info) {
            show(service.failures(jobId()), out);
        } else if (what.drain != null) {
            if (reason == null || reason.isBlank()) {
                throw misused("--drain-node needs a --reason");
            }
            String nodes = String.join(",", NodeNames.of(what.drain));
            service.drain(nodes, reason);
            say(told, out, "nodes " + nodes + " are failing");
        } else if (what.drop != null) {
            for (String node : NodeNames.of(what.drop)) {
                service.drop(jobId(), node);
                out.println("job " + jobId() + " node " + node + " dropped");
            }
        } else if (what.replace != null) {
            ChangedAllocation change = service.replace(jobId(), what.replace);
            out.println("job " + jobId() + " node " + what.replace + " replaced by " + change.replacement());
            if (!change.kept().isEmpty()) {
                err.println("node " + what.replace + " is the job's still: " + change.kept());
            }
        } else if (what.extend != null) {
            out.println("job " + jobId() + " time limit extended by " + service.extend(jobId(), minutes(what.extend))
                    + " minutes");
        } else if (what.failed != null || what.failing != null) {
            if (what.failed != null) {
                result = handling(service, "FAILED", out, err).handle(failed);
            }
            if (what.failing != null && result == SmdExit.FINE) {
                result = handling(service, "FAILING", out, err).handle(failing);
            }
        } else if (!env) {
            throw misused("Nothing to do is named");
        }
        if (env) {
            JobFailures now = service.failures(jobId());
            new JobEnvironment(now.nodes(), now.cpusPerNode(), isSlurm())
                    .lines()
                    .forEach(out::println);
        }
        return result;
    }

    private FaultHandling handling(FailureService service, String kind, PrintWriter out, PrintWriter err) {
        Path directory = Path.of(environment.getOrDefault("SMD_ENV_DIR", "/tmp"));
        return new FaultHandling(service, jobId(), kind, waiting, directory, isSlurm(), out, err);
    }

    private Directives directives(String variable, @Nullable String option) {
        return Directives.parse(environment.getOrDefault(variable, option == null ? "" : option));
    }

    private static void show(JobFailures job, PrintWriter out) {
        out.println("failed and failing nodes: " + job.lost().size());
        job.lost().forEach(node -> out.println("    " + node.name() + " " + node.cpus() + " " + node.state()));
        out.println("PENDING_JOB_DELAY=" + job.pendingDelay());
        out.println("PENDING_JOB_ID=" + orNone(job.pendingId()));
        out.println("PENDING_NODE_NAME=" + orNone(job.pendingNode()));
        out.println("REPLACE_NODE_CNT=" + job.replacedCount());
        out.println("TIME_EXTEND_AVAIL=" + job.balance());
    }

    private static String orNone(String text) {
        return text.isEmpty() ? "none" : text;
    }

    private static String setting(String name, String value) {
        if (value.isEmpty()) {
            return "none";
        }
        return LISTS.contains(name) ? "\"" + value + "\"" : value;
    }

    private static void say(boolean told, PrintWriter out, String text) {
        if (told) {
            out.println(text);
        }
    }

    private static int minutes(String text) {
        if (text.isEmpty() || text.length() > 5 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new BadInputException("--extend-time is '" + text + "'; a number of minutes is needed");
        }
        return Integer.parseInt(text);
    }

    private boolean isSlurm() {
        return environment.containsKey("SLURM_JOB_ID") || environment.containsKey("SLURM_JOBID");
    }

    private String jobId() {
        if (job != null) {
            return job;
        }
        for (String name : new String[] {"SLURM_JOB_ID", "SLURM_JOBID", "JOB_ID"}) {
            String found = environment.get(name);
            if (found != null && !found.isEmpty()) {
                return found;
            }
        }
        throw misused("No job is named, and SLURM_JOB_ID, SLURM_JOBID and JOB_ID are not set");
    }

    private ParameterException misused(String why) {
        return new ParameterException(spec.commandLine(), why);
    }

    private FailureService connect() {
        Path file = conf != null ? conf : configured();
        ServiceAddress address;
        try {
            address = ServiceAddress.read(file);
        } catch (IOException e) {
            throw new BadInputException("The service's address is not known: " + file + ": " + e.getMessage());
        }
        try {
            ClientTls files = new ClientTls(
                    file(caFile, "WEIR_NONSTOP_CA"), file(certFile, "WEIR_CERT_FILE"), file(keyFile, "WEIR_KEY_FILE"));
            if (!files.isNone()) {
                return new NonstopClient(address, token(), files);
            }
            boolean secured = tls || environment.containsKey("WEIR_NONSTOP_TLS");
            return new NonstopClient(secured ? address.secured() : address, token());
        } catch (IllegalArgumentException e) {
            throw new BadInputException("The token cannot be used: " + e.getMessage());
        } catch (IOException e) {
            throw new BadInputException("A file to speak to the service with cannot be used: " + e.getMessage());
        }
    }

    private Optional<Path> file(@Nullable Path option, String variable) {
        String name = option != null ? option.toString() : environment.getOrDefault(variable, "");
        return name.isEmpty() ? Optional.empty() : Optional.of(Path.of(name));
    }

    private Path configured() {
        String own = environment.get("WEIR_NONSTOP_CONF");
        String slurm = environment.get("SLURM_CONF");
        if (own != null) {
            return Path.of(own);
        }
        return slurm != null ? Path.of(slurm).resolveSibling("nonstop.conf") : Path.of("/etc/weir/nonstop.conf");
    }

    private Optional<String> token() throws IOException {
        String named = environment.get("WEIR_TOKEN_FILE");
        Path file = tokenFile != null ? tokenFile : named == null || named.isEmpty() ? null : Path.of(named);
        return file == null
                ? Optional.empty()
                : Optional.of(Files.readString(file).strip());
    }
}
