// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.options.Transport;
import io.memshard.sharding.replica.Acknowledgement;
import io.memshard.template.Engine;
import io.memshard.template.Mode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties of a client. A property that is null was not set, and the default of the setting of the same name
 * holds.
 *
 * <p>Threading: immutable. {@link #toString} leaves the password out.
 *
 * @param servers Servers, as host:port, with commas between. Name, weight and zone as in name=host:port*2@zone. By
 *     default localhost:11211.
 * @param ring How keys are spread over several servers. By default libmemcached-weighted.
 * @param engine Client underneath the template. By default memshard.
 * @param mode How callers of the template share connections. By default sharded.
 * @param connectionsPerServer Number of connections to each server. By default 2; 20 in mode pooled, 1 in mode single.
 * @param chooser Which connection of a server takes a command. By default sticky-round-robin.
 * @param poolWaitLimit In mode pooled, how long a caller waits for a connection. By default the request timeout.
 * @param binaryProtocol Whether the engine spymemcached speaks the binary protocol. By default false.
 * @param transport Which threads do the I/O. By default auto.
 * @param protocol Which text protocol is spoken. By default auto, which finds out.
 * @param connectEagerly Whether connections are opened at start, in the background. By default false.
 * @param awaitReady How long the start waits until all connections are open; it fails if they are not. By default it
 *     waits for none.
 * @param requestTimeout How long a command may take, from call to reply. By default 500 ms.
 * @param connectTimeout How long an attempt to connect may take. By default 1.5 s.
 * @param livenessTimeout After how long without an answer a connection is replaced. By default 5 s.
 * @param heartbeatInterval After how long without traffic the server is asked for a sign of life. By default 10 s.
 * @param reconnectDelay Waits before attempts to connect again.
 * @param failurePolicy What clients do about failures. By default fail-fast.
 * @param serverDown What becomes of the keys of a server that is down. By default fail-fast.
 * @param ejectAfter After how many failures in a row one of several servers counts as down. By default 5.
 * @param probeDelay Waits before probes of a server that is down.
 * @param takeBackAfter After how many answered probes a server is taken back. By default 2.
 * @param gutter Spare servers, for server-down=gutter.
 * @param failoverTtl How long an item may live on another server than its own. By default 60 s.
 * @param maxInFlight Commands of one socket that may wait for their reply; more are refused. By default 1024.
 * @param maxBytesInFlight Bytes of requests that may wait for their reply; more are refused. By default 32MB.
 * @param maxValueBytes Largest value to send or to take in. By default 1MB.
 * @param ioThreads Number of event-loop threads. By default 2, or 1 on one core.
 * @param completionExecutor Bean that runs transcoders and stages of futures, which may then block. By default the
 *     client's own threads, or virtual threads if spring.threads.virtual.enabled is true.
 * @param username User of servers that ask for authentication.
 * @param password Password of that user.
 * @param keepAlive When TCP probes a silent connection. By default the operating system decides.
 * @param tcpUserTimeout How long sent bytes may stay unacknowledged. By default the operating system decides.
 * @param keyPrefix Text before each key, at most 100 bytes. By default none.
 * @param hashKeys Whether keys are hashed that memcached refuses. By default false.
 * @param hideKeys Whether keys are left out of messages, logs and events. By default false.
 * @param ssl Encryption.
 * @param discovery Where the servers come from, if they come and go.
 * @param zones Copies of the data, one in each zone.
 * @param serializer Values of the template.
 * @param compression Compression of values of the template.
 * @param health Health of the servers.
 * @param metrics Meters of commands and connections.
 * @param observation Observations of calls, for tracing.
 */
@ConfigurationProperties("memcached")
public record MemcachedProperties(
        @Nullable List<String> servers,
        @Nullable String ring,
        @Nullable Engine engine,
        @Nullable Mode mode,
        @Nullable Integer connectionsPerServer,
        @Nullable ChooserType chooser,
        @Nullable Duration poolWaitLimit,
        @Nullable Boolean binaryProtocol,
        @Nullable Transport transport,
        @Nullable Protocol protocol,
        @Nullable Boolean connectEagerly,
        @Nullable Duration awaitReady,
        @Nullable Duration requestTimeout,
        @Nullable Duration connectTimeout,
        @Nullable Duration livenessTimeout,
        @Nullable Duration heartbeatInterval,
        @DefaultValue ReconnectDelay reconnectDelay,
        @Nullable FailurePolicy failurePolicy,
        @Nullable ServerDownPolicy serverDown,
        @Nullable Integer ejectAfter,
        @DefaultValue ProbeDelay probeDelay,
        @Nullable Integer takeBackAfter,
        @Nullable List<String> gutter,
        @Nullable Duration failoverTtl,
        @Nullable Integer maxInFlight,
        @Nullable DataSize maxBytesInFlight,
        @Nullable DataSize maxValueBytes,
        @Nullable Integer ioThreads,
        @Nullable String completionExecutor,
        @Nullable String username,
        @Nullable String password,
        @DefaultValue KeepAlive keepAlive,
        @Nullable Duration tcpUserTimeout,
        @Nullable String keyPrefix,
        @Nullable Boolean hashKeys,
        @Nullable Boolean hideKeys,
        @DefaultValue Ssl ssl,
        @DefaultValue Discovery discovery,
        @DefaultValue Zones zones,
        @DefaultValue Serializer serializer,
        @DefaultValue Compression compression,
        @DefaultValue Health health,
        @DefaultValue Metrics metrics,
        @DefaultValue Observation observation) {

    /** The servers where none are set. */
    static final List<String> DEFAULT_SERVERS = List.of("localhost:11211");

    /** Whether the servers are in several zones. */
    public boolean hasZones() {
        return zones.own() != null;
    }

    /** The servers and the user. */
    @Override
    public String toString() {
        return "MemcachedProperties[servers=" + servers + ", discovery=" + discovery + ", username=" + username + ']';
    }

    /**
     * The longest wait before the first and before any later attempt.
     *
     * @param first Longest wait before the first attempt. By default 50 ms.
     * @param longest Longest wait before any later attempt. By default 5 s.
     */
    public record ReconnectDelay(
            @Nullable Duration first, @Nullable Duration longest) {}

    /**
     * The longest wait before the first and before any later probe.
     *
     * @param first Longest wait before the first probe. By default 200 ms.
     * @param longest Longest wait before any later probe. By default 5 s.
     */
    public record ProbeDelay(
            @Nullable Duration first, @Nullable Duration longest) {}

    /**
     * When TCP probes a silent connection. All three are set, or none.
     *
     * @param idle How long nothing is received before the first probe.
     * @param interval How long between probes.
     * @param probes How many unanswered probes end the connection.
     */
    public record KeepAlive(
            @Nullable Duration idle,
            @Nullable Duration interval,
            @Nullable Integer probes) {}

    /**
     * Encryption. A bundle and files exclude each other.
     *
     * @param enabled Whether to speak TLS. By default true if anything below is set.
     * @param bundle SSL bundle with what to trust and to show. It is read once, at start.
     * @param trustedCertificates PEM file with the certificates to trust. It is read again when it has changed.
     * @param clientCertificate PEM file with the certificate to show, and its chain.
     * @param clientKey PEM file with its private key, PKCS#8, without a password.
     * @param serverName Name that the server's certificate must be for. By default its host.
     * @param protocols Versions of TLS, such as TLSv1.3. By default those of the JVM.
     * @param verifyHostname Whether the server's certificate must be for its name.
     */
    public record Ssl(
            @Nullable Boolean enabled,
            @Nullable String bundle,
            @Nullable Path trustedCertificates,
            @Nullable Path clientCertificate,
            @Nullable Path clientKey,
            @Nullable String serverName,
            @Nullable List<String> protocols,
            @DefaultValue("true") boolean verifyHostname) {

        /** Whether TLS is asked for. */
        boolean isWanted() {
            boolean isMentioned = bundle != null
                    || trustedCertificates != null
                    || clientCertificate != null
                    || clientKey != null
                    || serverName != null
                    || protocols != null;
            return enabled != null ? enabled : isMentioned;
        }
    }

    /**
     * Where the servers come from, if they come and go.
     *
     * @param type Kind of source. By default none: the servers stay as they are set.
     * @param name DNS name, in full, for dns-addresses and dns-services.
     * @param port Port of each server, for dns-addresses.
     * @param nameServers DNS servers as address:port. By default those of the system.
     * @param weights Whether the weights of records SRV count.
     * @param hostNames Whether the targets of records SRV are connected to by name, as TLS needs.
     * @param endpoint Configuration endpoint of ElastiCache or Memorystore, as host:port.
     * @param file File with a server a line.
     * @param period How often the source is asked. By default 60 s for an endpoint, 5 s for a file, and for DNS as its
     *     answers say.
     * @param settleTime How long a change must last until it counts. By default 5 s.
     * @param lookTimeout How long the source may take for an answer. By default 10 s.
     * @param await How long the start waits for the first list of servers; it fails if there is none.
     */
    public record Discovery(
            @Nullable DiscoveryType type,
            @Nullable String name,
            @DefaultValue("11211") int port,
            @Nullable List<String> nameServers,
            @DefaultValue("false") boolean weights,
            @DefaultValue("false") boolean hostNames,
            @Nullable String endpoint,
            @Nullable Path file,
            @Nullable Duration period,
            @Nullable Duration settleTime,
            @Nullable Duration lookTimeout,
            @DefaultValue("10s") Duration await) {}

    /**
     * Copies of the data, one in each zone.
     *
     * @param own Zone of this application, which reads ask first. Setting it makes a client with zones.
     * @param owner Zone that decides for the clients of all zones. By default none.
     * @param acknowledgement In how many zones a write must be done.
     * @param readsOthersOnMiss Whether a read that misses in its own zone asks the others.
     * @param addsOnMiss Whether such a read adds what it finds to its own zone.
     */
    public record Zones(
            @Nullable String own,
            @Nullable String owner,
            @DefaultValue("all") Acknowledgement acknowledgement,
            @DefaultValue("false") boolean readsOthersOnMiss,
            @DefaultValue("false") boolean addsOnMiss) {}

    /**
     * Values of the template of objects.
     *
     * @param type How values become bytes. By default json if a class is set for it, else spymemcached, which keeps
     *     strings, numbers, dates and byte arrays apart.
     * @param jsonType Class of the values, for type=json. By default Object, which reads maps and lists.
     * @param allowedClasses Classes and packages (com.example.*) that Java serialization may read and write, for
     *     the types that are named after clients. By default none.
     */
    public record Serializer(
            @Nullable SerializerType type,
            @Nullable Class<?> jsonType,
            @Nullable List<String> allowedClasses) {

        /** The type that is set, or that the other properties imply. */
        SerializerType effectiveType() {
            return type != null ? type : jsonType != null ? SerializerType.JSON : SerializerType.SPYMEMCACHED;
        }
    }

    /**
     * Compression of values of the templates.
     *
     * @param type How values are compressed. By default none, besides what type=spymemcached and its like do.
     * @param threshold Largest value, encoded, that is not compressed.
     * @param maxSize Largest value before compression. By default 20MB.
     */
    public record Compression(
            @Nullable CompressionType type,
            @DefaultValue("16KB") DataSize threshold,
            @Nullable DataSize maxSize) {}

    /**
     * Health of the servers.
     *
     * @param downWhen When the health of this client is DOWN. Each server is shown in any case.
     * @param timeout How long to wait for the answers of the servers.
     */
    public record Health(
            @DefaultValue("all") DownWhen downWhen,
            @DefaultValue("1s") Duration timeout) {}

    /**
     * Meters of commands and connections.
     *
     * @param enabled Whether there are meters of commands and connections.
     */
    public record Metrics(@DefaultValue("true") boolean enabled) {}

    /**
     * Observations of calls, for tracing.
     *
     * @param enabled Whether calls are observed. By default if there is a tracer.
     */
    public record Observation(@Nullable Boolean enabled) {}
}
