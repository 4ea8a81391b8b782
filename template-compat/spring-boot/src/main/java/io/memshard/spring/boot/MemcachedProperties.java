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
 * Properties of a client. If a property is null, the client's default applies.
 *
 * <p>Threading: immutable.
 *
 * @param servers Servers as host:port, separated by commas. A name, a weight and a zone are optional, as in
 *     name=host:port*2@zone.
 * @param ring Algorithm that chooses the server for each key. By default libmemcached-weighted.
 * @param engine Client library that the template uses. By default memshard.
 * @param mode Way in which callers of the template get a connection. By default sharded.
 * @param connectionsPerServer Number of connections to each server. By default 20 in mode pooled, 1 in mode single, and
 *     2 in mode sharded with engine spymemcached. In mode sharded with engine memshard, by default half the number of
 *     processors, at least 2 and at most 8.
 * @param poolWaitLimit Maximum wait for a free connection in mode pooled. By default the request timeout.
 * @param protocol Text protocol of the connections. By default auto, which uses the meta protocol if the server
 *     supports it, and otherwise the classic protocol.
 * @param awaitReady Maximum time for which the start of the application waits until all connections are open. If a
 *     connection is not open by then, the application does not start. By default the start does not wait.
 * @param requestTimeout Maximum time from the call of a command to its reply. By default 500 ms.
 * @param connectTimeout Maximum time of an attempt to connect. By default 1.5 s.
 * @param failurePolicy Reaction of the client to a failed command. By default fail-fast.
 * @param serverDown Handling of commands on keys whose server is down. By default fail-fast.
 * @param ejectAfter Number of failures in a row after which a server counts as down. If the client has only one server
 *     and no gutter, only time-outs count as failures. By default 5.
 * @param gutter Spare servers, for server-down=gutter.
 * @param maxValueBytes Maximum size of an encoded and compressed value, sent or received. By default 1MB.
 * @param username Name of the user, for servers that require authentication.
 * @param password Password of the user.
 * @param keyPrefix Prefix of each key, at most 100 bytes. By default keys have no prefix.
 * @param hashKeys Whether keys that memcached would reject, such as too long keys, are hashed. By default false.
 * @param hideKeys Whether keys are omitted from exception messages, logs and events. By default false.
 * @param ssl Encryption by TLS.
 * @param discovery Source of the list of servers, if this list may change.
 * @param zones Zones, each with its own copy of the data.
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
     * @param bundle Name of the SSL bundle with the certificates to trust and to present. The client reads the bundle
     *     once, at start. Without a bundle, the client trusts the certificates that the JVM trusts.
     */
    public record Ssl(@Nullable Boolean enabled, @Nullable String bundle) {}

    /**
     * Source of the list of servers, if this list may change.
     *
     * @param type Kind of source of the list of servers. If this property is none, memcached.servers is the list.
     * @param name Full DNS name, if the type is dns-addresses or dns-services. With dns-addresses, the port of the
     *     servers may follow the name, as in name:11212.
     * @param endpoint Configuration endpoint of ElastiCache or Memorystore, as host:port.
     * @param file File with one server per line.
     * @param period Interval between queries of the source. By default 60 s for an endpoint, 5 s for a file, 30 s for
     *     DNS, and the period of the source for a bean.
     * @param settleTime Time for which a new list must stay the same before the client uses the list. By default 5 s.
     * @param await Maximum time for which the start of the application waits for the first list of servers. If no list
     *     arrives by then, the application does not start.
     */
    public record Discovery(
            @DefaultValue("none") DiscoveryType type,
            @Nullable String name,
            @Nullable String endpoint,
            @Nullable Path file,
            @Nullable Duration period,
            @Nullable Duration settleTime,
            @DefaultValue("10s") Duration await) {}

    /**
     * Zones, each with its own copy of the data.
     *
     * @param own Zone of this application. Reads query this zone first. If this property is set, the client is a
     *     ZonedMemshard.
     * @param owner Zone that decides the results of add, cas and loads. By default each client's own zone decides.
     * @param acknowledgement Zones in which a write must succeed: one, majority or all.
     */
    public record Zones(
            @Nullable String own,
            @Nullable String owner,
            @DefaultValue("all") Acknowledgement acknowledgement) {}

    /**
     * Format of stored values.
     *
     * @param type Format of stored values. By default json if json-type is set. Without json-type, the default of
     *     caches is JSON of the type that the cached method declares. The default of the template is spymemcached,
     *     which distinguishes strings, numbers, dates and byte arrays.
     * @param jsonType Class or generic type of the values, for type=json. By default, caches use the type that the
     *     cached method declares. The template by default uses Object, so it reads JSON as maps and lists.
     * @param allowedClasses Classes and packages (com.example.*) that Java serialization may read and write, in
     *     addition to the JDK's data classes. Ignored if the type is string, bytes or json. By default none.
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
     * @param type Compression of values. The serializers spymemcached, xmemcached and whalin compress large values even
     *     if this property is none.
     * @param threshold Size above which an encoded value is compressed.
     */
    public record Compression(
            @DefaultValue("none") CompressionType type,
            @DefaultValue("16KB") DataSize threshold) {}

    /**
     * Health of the servers.
     *
     * @param downWhen Condition under which the health of this client is DOWN. Details always show servers that are
     *     down.
     * @param timeout Maximum time for which a health check waits for the servers to answer.
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
     * @param enabled Whether calls are observed. By default true if the application has a tracer.
     */
    public record Observation(@Nullable Boolean enabled) {}
}
