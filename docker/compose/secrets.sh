#!/bin/sh
# Makes the passwords of the compose file's accounts, once, and the files in which each service finds its own.
#
#   secrets.sh DIRECTORY
#
# Each service sees one of the directories below DIRECTORY and no other. DIRECTORY/setup/passwords is what counts: the
# other files are written anew from it at each start.
set -eu
umask 077
root=${1:?usage: secrets.sh DIRECTORY}
accounts='weir-broker weir-admin weir-registry weir-scheduler weir-reduction weir-api weir-connector.demo.rm
    weir-notifier weir-monitoring-source.demo.monitoring weir-monitoring weir-reader weir-audit'
for part in setup kafka registry scheduler reduction connector notifier monitoring; do
    mkdir -p "$root/$part"
done

random() { head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n'; }

passwords=$root/setup/passwords
[ -e "$passwords" ] || : >"$passwords"
for account in $accounts; do
    grep -q "^$account " "$passwords" || echo "$account $(random) $(random)" >>"$passwords"
done
kafka() { sed -n "s/^$1 \([0-9a-f]*\) .*/\1/p" "$passwords"; }
registry() { sed -n "s/^$1 [0-9a-f]* \(.*\)/\1/p" "$passwords"; }

plain=org.apache.kafka.common.security.plain.PlainLoginModule
login() { echo "$plain required username=\"$1\" password=\"$(kafka "$1")\";"; }
file() { cat >"$1.new" && mv "$1.new" "$1"; }

# The broker knows every account.
{
    echo 'KafkaServer {'
    echo "    $plain required"
    echo "    username=\"weir-broker\" password=\"$(kafka weir-broker)\""
    for account in $accounts; do
        echo "    user_$account=\"$(kafka "$account")\""
    done
    echo '    ;'
    echo '};'
} | file "$root/kafka/jaas.conf"

# A client of the broker and the registry: in Java, as Confluent's tools take it, and for librdkafka.
java_client() {
    echo "security.protocol=SASL_PLAINTEXT"
    echo "sasl.mechanism=PLAIN"
    echo "sasl.jaas.config=$(login "$1")"
    echo "basic.auth.credentials.source=USER_INFO"
    echo "basic.auth.user.info=$1:$(registry "$1")"
}
java_client weir-admin | file "$root/kafka/admin.properties"
java_client weir-admin | file "$root/setup/admin.properties"
for account in weir-reader weir-monitoring weir-audit; do
    {
        echo "bootstrap.servers=localhost:9094"
        echo "schema.registry.url=http://localhost:8081"
        echo "group.id=$account"
        java_client "$account"
    } | file "$root/setup/$account.properties"
    {
        echo "bootstrap.servers=localhost:9094"
        echo "security.protocol=SASL_PLAINTEXT"
        echo "sasl.mechanism=PLAIN"
        echo "sasl.username=$account"
        echo "sasl.password=$(kafka "$account")"
    } | file "$root/setup/$account.librdkafka.conf"
done

# The registry: its own login at the broker, and who may use it.
{
    echo 'KafkaClient {'
    echo "    $(login weir-registry)"
    echo '};'
    echo 'SchemaRegistry {'
    echo '    org.eclipse.jetty.jaas.spi.PropertyFileLoginModule required file="/secrets/passwords" debug="false";'
    echo '};'
} | file "$root/registry/jaas.conf"
for account in $accounts; do
    echo "$account: $(registry "$account"),user"
done | file "$root/registry/passwords"

# The services, as values that their settings refer to.
{
    echo "kafka=$(login weir-scheduler)"
    echo "api=$(login weir-api)"
    echo "registry=weir-scheduler:$(registry weir-scheduler)"
} | file "$root/scheduler/weir.properties"
{
    echo "kafka=$(login weir-reduction)"
    echo "registry=weir-reduction:$(registry weir-reduction)"
} | file "$root/reduction/weir.properties"
{
    echo "kafka=$(login weir-connector.demo.rm)"
    echo "registry=weir-connector.demo.rm:$(registry weir-connector.demo.rm)"
} | file "$root/connector/weir.properties"
{
    echo "kafka=$(login weir-notifier)"
    echo "registry=weir-notifier:$(registry weir-notifier)"
} | file "$root/notifier/weir.properties"
{
    echo "kafka=$(login weir-monitoring-source.demo.monitoring)"
    echo "registry=weir-monitoring-source.demo.monitoring:$(registry weir-monitoring-source.demo.monitoring)"
} | file "$root/monitoring/weir.properties"
# Shown by those who send over HTTP.
token=$root/monitoring/token
[ -s "$token" ] || random | file "$token"

chmod 700 "$root"/*
# The users of the images: Kafka's and Confluent's, and Weir's.
if [ "$(id -u)" = 0 ]; then
    chown -R 1000:1000 "$root/kafka" "$root/registry"
    for part in setup scheduler reduction connector notifier monitoring; do
        chown -R 10001:10001 "$root/$part"
    done
fi
