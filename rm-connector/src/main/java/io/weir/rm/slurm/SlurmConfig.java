package io.weir.rm.slurm;

import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Range.between;

import io.weir.rm.slurm.client.RestVersion;
import io.weir.rm.spi.RmException;
import io.weir.service.setting.FilePath;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/**
 * Settings of Slurm, below {@code rm.slurm.}, checked on reading.
 *
 * @param socket slurmrestd's unix socket; null when it is reached by TCP
 * @param address slurmrestd's address; null when it is reached by a unix socket
 * @param user who the token is for
 * @param tokenFile file with a JSON web token, read for every request; null when none is needed
 * @param restVersion version of the REST interface to use; null takes the newest that both sides know
 * @param commands whether squeue and scontrol can be used
 * @param commandDirectory directory of the commands; null finds them on the path
 * @param slurmConf file that tells the commands their cluster; null takes Slurm's default
 * @param requestTimeout how long a request or a command may take
 * @param startTimeout how long a job may take to run after it was released
 * @param endTimeout how long to wait for a cancelled or requeued job to leave its nodes before answering
 * @param fetchAllAbove how many changed jobs make one request for all jobs cheaper than one request each
 * @param reportLoad whether node reports tell the load
 * @param reportUsage whether node reports tell processors in use
 */
record SlurmConfig(
        @Nullable Path socket,
        @Nullable URI address,
        String user,
        @Nullable Path tokenFile,
        @Nullable RestVersion restVersion,
        boolean commands,
        @Nullable Path commandDirectory,
        @Nullable Path slurmConf,
        Duration requestTimeout,
        Duration startTimeout,
        Duration endTimeout,
        int fetchAllAbove,
        boolean reportLoad,
        boolean reportUsage) {
    private static final String REST_URL = "rest.url";
    private static final String REST_USER = "rest.user";
    private static final String REST_TOKEN_FILE = "rest.token.file";
    private static final String REST_VERSION = "rest.version";
    private static final String COMMANDS = "commands";
    private static final String COMMANDS_DIRECTORY = "commands.dir";
    private static final String SLURM_CONF = "conf";
    private static final String REQUEST_TIMEOUT = "request.timeout.ms";
    private static final String START_TIMEOUT = "start.timeout.ms";
    private static final String END_TIMEOUT = "end.timeout.ms";
    private static final String FETCH_ALL_ABOVE = "fetch.all.above";
    private static final String REPORT_LOAD = "report.load";
    private static final String REPORT_USAGE = "report.usage";

    private static final long HOUR_MS = 3_600_000;

    private static final String UNIX = "unix:";
    private static final String AUTO = "auto";

    /** The keys, without their prefix, with defaults, ranges and what they mean. */
    static final ConfigDef DEFINITION = new ConfigDef()
            .define(
                    REST_URL,
                    Type.STRING,
                    "unix:/run/slurmrestd/slurmrestd.sock",
                    new FilePath(),
                    Importance.HIGH,
                    "Where slurmrestd listens: unix:/path/of/socket, or http(s)://host:port, which needs a token.")
            .define(REST_USER, Type.STRING, "root", Importance.MEDIUM, "User the token is for.")
            .define(
                    REST_TOKEN_FILE,
                    Type.STRING,
                    "",
                    new FilePath(),
                    Importance.MEDIUM,
                    "File with a JSON web token (scontrol token), read again for every request; empty for none.")
            .define(
                    REST_VERSION,
                    Type.STRING,
                    AUTO,
                    Importance.LOW,
                    "Version of the REST interface, such as v0.0.38; auto takes the newest one that both sides know.")
            .define(
                    COMMANDS,
                    Type.BOOLEAN,
                    true,
                    Importance.HIGH,
                    "Whether squeue and scontrol work on this host. Without them Weir can only start and cancel jobs.")
            .define(
                    COMMANDS_DIRECTORY,
                    Type.STRING,
                    "",
                    new FilePath(),
                    Importance.LOW,
                    "Directory of squeue and scontrol; empty finds them on the path.")
            .define(
                    SLURM_CONF,
                    Type.STRING,
                    "",
                    new FilePath(),
                    Importance.MEDIUM,
                    "Path of slurm.conf for squeue and scontrol; empty takes their default.")
            .define(
                    REQUEST_TIMEOUT,
                    Type.LONG,
                    10_000L,
                    between(100, HOUR_MS),
                    Importance.MEDIUM,
                    "How long a request or command may take, in milliseconds, before Slurm counts as unavailable;"
                            + " requests for lists may take six times as long, and changes always 7,000.")
            .define(
                    START_TIMEOUT,
                    Type.LONG,
                    3_000L,
                    between(1_000, HOUR_MS),
                    Importance.MEDIUM,
                    "How long a released job may take to start running, in milliseconds; a heterogeneous one three times"
                            + " as long. After that it is held again and the start is refused.")
            .define(
                    END_TIMEOUT,
                    Type.LONG,
                    5_000L,
                    between(0, HOUR_MS),
                    Importance.LOW,
                    "How long to wait, in milliseconds, for a cancelled or requeued job to leave its nodes.")
            .define(
                    FETCH_ALL_ABOVE,
                    Type.INT,
                    300,
                    atLeast(0),
                    Importance.LOW,
                    "With more changed jobs than this in a poll, all jobs are fetched in one request.")
            .define(REPORT_LOAD, Type.BOOLEAN, true, Importance.LOW, "Whether node reports include the load.")
            .define(
                    REPORT_USAGE,
                    Type.BOOLEAN,
                    false,
                    Importance.LOW,
                    "Whether node reports include the processors in use (RUNNING, BUSY); otherwise only whether a node"
                            + " is up.");

    /**
     * Reads the settings.
     *
     * @throws RmException if something is wrong with them; the message names everything
     */
    static SlurmConfig read(Map<String, String> settings) {
        List<String> problems = new ArrayList<>();
        for (String key : settings.keySet()) {
            if (!DEFINITION.names().contains(key)) {
                problems.add("rm.slurm." + key + " is not a setting; there are " + DEFINITION.names());
            }
        }
        AbstractConfig config;
        try {
            config = new AbstractConfig(DEFINITION, settings, false);
        } catch (ConfigException e) {
            problems.add("rm.slurm: " + e.getMessage());
            throw new RmException(String.join("\n", problems), e);
        }
        String url = config.getString(REST_URL);
        @Nullable URI address = url.startsWith(UNIX) ? null : address(url, problems);
        @Nullable Path tokenFile = path(config.getString(REST_TOKEN_FILE));
        if (address != null && tokenFile == null) {
            problems.add("rm.slurm." + REST_TOKEN_FILE + " is empty, but slurmrestd at " + url
                    + " asks for a token: write one with scontrol token username=root lifespan=…");
        }
        String version = config.getString(REST_VERSION);
        @Nullable
        RestVersion restVersion =
                version.equals(AUTO) ? null : RestVersion.parse(version).orElse(null);
        if (restVersion == null && !version.equals(AUTO)) {
            problems.add("rm.slurm." + REST_VERSION + "=" + version + " is not one of " + AUTO + ", "
                    + RestVersion.OLDEST + " … " + RestVersion.NEWEST);
        }
        if (!problems.isEmpty()) {
            throw new RmException(String.join("\n", problems));
        }
        return new SlurmConfig(
                url.startsWith(UNIX) ? Path.of(url.substring(UNIX.length())) : null,
                address,
                config.getString(REST_USER),
                tokenFile,
                restVersion,
                config.getBoolean(COMMANDS),
                path(config.getString(COMMANDS_DIRECTORY)),
                path(config.getString(SLURM_CONF)),
                Duration.ofMillis(config.getLong(REQUEST_TIMEOUT)),
                Duration.ofMillis(config.getLong(START_TIMEOUT)),
                Duration.ofMillis(config.getLong(END_TIMEOUT)),
                config.getInt(FETCH_ALL_ABOVE),
                config.getBoolean(REPORT_LOAD),
                config.getBoolean(REPORT_USAGE));
    }

    private static @Nullable URI address(String url, List<String> problems) {
        try {
            URI uri = URI.create(url);
            if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            problems.add("rm.slurm." + REST_URL + "=" + url + ": " + e.getMessage());
            return null;
        }
        problems.add("rm.slurm." + REST_URL + "=" + url + " is neither unix:/path nor http(s)://host:port");
        return null;
    }

    private static @Nullable Path path(String value) {
        return value.isEmpty() ? null : Path.of(value);
    }
}
