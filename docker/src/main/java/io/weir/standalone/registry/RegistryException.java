package io.weir.standalone.registry;

/** A request the registry refuses: HTTP status, error code and wording are those of Confluent's protocol. */
final class RegistryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final int code;

    private RegistryException(int status, int code, String message) {
        super(message);
        this.status = status;
        this.code = code;
    }

    int status() {
        return status;
    }

    int code() {
        return code;
    }

    static RegistryException unauthorized() {
        return new RegistryException(401, 40101, "Unauthorized: user and password of an account are needed");
    }

    static RegistryException forbidden(String what) {
        return new RegistryException(403, 40301, "Forbidden: this account may not " + what);
    }

    static RegistryException noSuchPath(String path) {
        return new RegistryException(404, 404, "No such resource: " + path);
    }

    static RegistryException methodNotAllowed(String method, String path) {
        return new RegistryException(405, 405, method + " is not possible on " + path);
    }

    static RegistryException subjectNotFound(String subject) {
        return new RegistryException(404, 40401, "Subject '" + subject + "' not found.");
    }

    static RegistryException versionNotFound(String version) {
        return new RegistryException(404, 40402, "Version " + version + " not found.");
    }

    static RegistryException schemaNotFound(String what) {
        return new RegistryException(404, 40403, "Schema " + what + " not found");
    }

    static RegistryException noSubjectLevel(String subject) {
        return new RegistryException(
                404, 40408, "Subject '" + subject + "' does not have subject-level compatibility configured");
    }

    static RegistryException invalidSchema(String details) {
        return new RegistryException(422, 42201, "Invalid schema: " + details);
    }

    static RegistryException invalidVersion(String version) {
        return new RegistryException(
                422,
                42202,
                "The specified version '" + version + "' is not a valid version id. Allowed values are between 1 and "
                        + Integer.MAX_VALUE + " and the string \"latest\"");
    }

    static RegistryException invalidLevel(String level) {
        return new RegistryException(
                422,
                42203,
                "Invalid compatibility level '" + level + "'. Valid values are none, backward, forward, full,"
                        + " backward_transitive, forward_transitive, and full_transitive");
    }

    static RegistryException incompatible(String subject, Object details) {
        return new RegistryException(
                409,
                409,
                "Schema being registered is incompatible with an earlier schema for subject \"" + subject
                        + "\", details: " + details);
    }

    static RegistryException storeFailed(String details) {
        return new RegistryException(500, 50001, "Error in the backend data store: " + details);
    }
}
