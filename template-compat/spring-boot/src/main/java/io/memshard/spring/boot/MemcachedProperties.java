// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerDownPolicy;
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
 * Properties of a client. A null property was not set, so the client's default applies.
 *
 * <p>Threading: immutable. {@link #toString} leaves the password out.
 *
 * @param servers Servers as host:port, separated by commas. A name, a weight and a zone are optional, as in
 *     name=host:port*2@zone.
 * @param ring Algorithm that chooses the server of a key. By default libmemcached-weighted.
 * @param engine Client library that the template uses. By default memshard.
 * @param mode Mode in which callers of the template share connections. By default sharded.
 * @param connectionsPerServer Number of connections to each server. By default half the processors, at least 2 and at
 *     most 8; 20 in mode pooled, 1 in mode single, 2 with engine spymemcached.
 * @param poolWaitLimit Maximum wait for a connection in mode pooled. By default the request timeout.
 * @param protocol Text protocol of the connections. The default, auto, uses meta if the server supports meta, otherwise
 *     classic.
 * @param awaitReady Maximum wait at start for all connections. If a connection is not open by then, the application
 *     does not start. By default the start does not wait.
 * @param requestTimeout Maximum time of a command, from call to reply. By default 500 ms.
 * @param connectTimeout Maximum time of an attempt to connect. By default 1.5 s.
 * @param failurePolicy Reaction of the client to a failed command. By default fail-fast.
 * @param serverDown Handling of the keys of a server that is down. By default fail-fast.
 * @param ejectAfter Number of failures in a row after which a server counts as down. If there is only one server and no
 *     gutter, only time-outs count. By default 5.
 * @param gutter Spare servers, for server-down=gutter.
 * @param maxValueBytes Maximum size of a value, encoded and compressed, to send or to receive. By default 1MB.
 * @param username User for servers that require authentication.
 * @param password Password of the user.
 * @param keyPrefix Text before each key, at most 100 bytes. By default keys have no prefix.
 * @param hashKeys Whether keys that memcached rejects are hashed. By default false.
 * @param hideKeys Whether keys are left out of messages, logs and events. By default false.
 * @param ssl Encryption by TLS.
 * @param discovery Source of the servers, if the servers change.
 * @param zones Copies of the data, one in each zone.
 * @param serializer Format of the template's values.
 * @param compression Compression of the template's values.
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
        @Nullable Duration poolWaitLimit,
        @Nullable Protocol protocol,
        @Nullable Duration awaitReady,
        @Nullable Duration requestTimeout,
        @Nullable Duration connectTimeout,
        @Nullable FailurePolicy failurePolicy,
        @Nullable ServerDownPolicy serverDown,
        @Nullable Integer ejectAfter,
        @Nullable List<String> gutter,
        @Nullable DataSize maxValueBytes,
        @Nullable String username,
        @Nullable String password,
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

    /** Returns a text with the servers, the discovery and the user, without the password. */
    @Override
    public String toString() {
        return "MemcachedProperties[servers=" + servers + ", discovery=" + discovery + ", username=" + username + ']';
    }

    /**
     * Encryption by TLS.
     *
     * @param enabled Whether connections use TLS. By default true if a bundle is set.
     * @param bundle SSL bundle with the certificates to trust and to present. The client reads the bundle once, at
     *     start. Without a bundle, the client trusts the certificates that the JVM trusts.
     */
    public record Ssl(@Nullable Boolean enabled, @Nullable String bundle) {}

    /**
     * Source of the servers, if the servers change.
     *
     * @param type Kind of source of the list of servers. By default none: memcached.servers lists the servers.
     * @param name Full DNS name, for dns-addresses and dns-services. With dns-addresses, the port of the servers may
     *     follow, as in name:11212.
     * @param endpoint Configuration endpoint of ElastiCache or Memorystore, as host:port.
     * @param file File with one server per line.
     * @param period Interval between queries of the source. By default 60 s for an endpoint, 5 s for a file, and 30 s
     *     for DNS.
     * @param settleTime Time for which a new list must stay the same before it is used. By default 5 s.
     * @param await Maximum wait at start for the first list of servers. Without a list, the application does not start.
     */
    public record Discovery(
            @Nullable DiscoveryType type,
            @Nullable String name,
            @Nullable String endpoint,
            @Nullable Path file,
            @Nullable Duration period,
            @Nullable Duration settleTime,
            @DefaultValue("10s") Duration await) {}

    /**
     * Copies of the data, one in each zone.
     *
     * @param own Zone of this application. Reads query this zone first. If a zone is set, the client is a
     *     ZonedMemshard.
     * @param owner Zone that decides add, cas and loads for clients of all zones. By default each client's own zone.
     * @param acknowledgement Zones in which a write must succeed.
     */
    public record Zones(
            @Nullable String own,
            @Nullable String owner,
            @DefaultValue("all") Acknowledgement acknowledgement) {}

    /**
     * Format of stored values.
     *
     * @param type Format of stored values. By default json if json-type is set. Otherwise caches store JSON of the type
     *     that the cached method declares, and the template uses spymemcached, which distinguishes strings, numbers,
     *     dates and byte arrays.
     * @param jsonType Class or generic type of the values, for type=json. Default for caches: the type that the cached
     *     method declares. Default for the template: Object, so JSON is read as maps and lists.
     * @param allowedClasses Classes and packages (com.example.*) that Java serialization may read and write, in
     *     addition to data of the JDK. Not used for type=string, bytes or json. By default none.
     */
    public record Serializer(
            @Nullable SerializerType type,
            @Nullable String jsonType,
            @Nullable List<String> allowedClasses) {

        SerializerType effectiveType() {
            return type != null ? type : jsonType != null ? SerializerType.JSON : SerializerType.SPYMEMCACHED;
        }
    }

    /**
     * Compression of values.
     *
     * @param type Compression of values. By default none. The serializers spymemcached, xmemcached and whalin also
     *     compress large values by themselves.
     * @param threshold Size above which an encoded value is compressed.
     */
    public record Compression(
            @Nullable CompressionType type,
            @DefaultValue("16KB") DataSize threshold) {}

    /**
     * Health of the servers.
     *
     * @param downWhen Condition under which the health of this client is DOWN. Servers that are down are always shown.
     * @param timeout Maximum wait for the answers of the servers.
     */
    public record Health(
            @DefaultValue("never") DownWhen downWhen,
            @DefaultValue("1s") Duration timeout) {}

    /**
     * Meters of commands and connections.
     *
     * @param enabled Whether meters of commands and connections are registered.
     */
    public record Metrics(@DefaultValue("true") boolean enabled) {}

    /**
     * Observations of calls, for tracing.
     *
     * @param enabled Whether calls are observed. By default true if a tracer exists.
     */
    public record Observation(@Nullable Boolean enabled) {}
}
