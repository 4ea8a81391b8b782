// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.Memshard;
import io.memshard.MemshardMigration;
import io.memshard.ZonedMemshard;
import io.memshard.client.KeyedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.chunked.ChunkedClient;
import io.memshard.client.json.Jackson3Transcoder;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.metrics.MicrometerListener;
import io.memshard.client.metrics.ObservationListener;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiWriteResult;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.transcoder.CompatibleTranscoder;
import io.memshard.client.transcoder.Compression;
import io.memshard.client.transcoder.JavaSerialization;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.discovery.Discovery;
import io.memshard.sharding.discovery.DnsSource;
import io.memshard.sharding.discovery.ServerSource;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.migration.MigrationStats;
import io.memshard.sharding.replica.Acknowledgement;
import io.memshard.sharding.replica.ReplicaOptions;
import io.memshard.sharding.ring.Ring;
import io.memshard.sharding.ring.Server;
import io.memshard.sharding.ring.ServerLocator;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.core.type.TypeReference;

/** The code of README.md and docs, so that the compiler reads it. {@link ReadmeTest} keeps the two the same. */
@SuppressWarnings("unused")
final class ReadmeExamples {

    private void client() {
        try (Memshard memshard = Memshard.builder()
                .servers("127.0.0.1:11211")
                .keyPrefix("shop:")
                .requestTimeout(Duration.ofMillis(200))
                .build()) {
            MemcachedClient<String> cache = memshard.client(Transcoder.utf8());
            cache.set("greeting", "hello", Duration.ofMinutes(5));
            String greeting = cache.get("greeting");
            memshard.asyncClient(Transcoder.utf8())
                    .get("greeting")
                    .thenAccept(System.out::println)
                    .join();
        }
    }

    private void connect() {
        try (Memshard memshard = Memshard.connect("localhost:11211")) {
            MemcachedClient<String> cache = memshard.client(Transcoder.utf8());
            cache.set("greeting", "hello", Duration.ofMinutes(5));
            System.out.println(cache.get("greeting"));
        }
    }

    private void connectUpdateAsync() {
        try (Memshard memshard = Memshard.connect("cache-1:11211, cache-2:11211")) {
            MemcachedClient<String> client = memshard.client(Transcoder.utf8());
            String cart = client.update("cart:42", Duration.ofHours(1), old -> old == null ? "tea" : old + ", tea");
            client.async().get("cart:42").thenAccept(System.out::println).join();
        }
    }

    private void whatToUse(Memshard memshard, MemcachedClient<String> cache) {
        String page = cache.getOrLoad("page:1", Duration.ofMinutes(5), key -> render(key));

        MemcachedClient<Object> shared = memshard.client(CompatibleTranscoder.spymemcached());
        MemcachedClient<String> compressed = memshard.client(Compression.gzip().around(Transcoder.utf8()));
    }

    private void manyKeys(MemcachedClient<String> cache) {
        MultiWriteResult stored = cache.multiSet(Map.of("one", "1", "two", "2"), Duration.ofHours(1));
        stored.failures().forEach((key, cause) -> System.err.println(key + ": " + cause.getMessage()));
        MultiGetResult<String> pages = cache.multiGet(List.of("page:1", "page:2", "page:3"));
        pages.hits().forEach((key, page) -> System.out.println(key + " has " + page.length() + " characters"));
        pages.misses().forEach(key -> System.out.println(key + " is not there"));
        pages.failures().forEach((key, cause) -> System.err.println(key + ": " + cause.getMessage()));
    }

    private void rings() {
        List<Server> servers = List.of(Server.parse("cache-1:11211"), Server.parse("cache-2:11211*2"));
        ServerLocator locator = Ring.libmemcachedWeighted().locator(servers);
        Server server = servers.get(locator.locate("user:42"));
    }

    private void manyServers() {
        Memshard memshard = Memshard.builder()
                .servers("cache-1:11211, cache-2:11211*2, cache-3=10.0.0.3:11211")
                .ring(Ring.libmemcachedWeighted())
                .build();
    }

    private void zones() {
        ZonedMemshard zoned = Memshard.builder()
                .servers("cache-1:11211@eu-1, cache-2:11211@eu-1, cache-3:11211@eu-2, cache-4:11211@eu-3")
                .buildZones(ReplicaOptions.of("eu-1").withAcknowledgement(Acknowledgement.MAJORITY));
        MemcachedClient<String> client = zoned.client(Transcoder.utf8());
    }

    private void zones(Memshard first, Memshard second) {
        Map<String, Memshard> zones = Map.of("eu-1", first, "eu-2", second);
        ZonedMemshard zoned = ZonedMemshard.of(zones, ReplicaOptions.of("eu-1"));
    }

    private void move() {
        Memshard source = Memshard.builder()
                .servers("old-1:11211, old-2:11211, old-3:11211")
                .ring(Ring.spymemcachedKetama())
                .build();
        Memshard target = Memshard.builder().servers("new-1:11211, new-2:11211").build();
        MemshardMigration move = MemshardMigration.of(source, target, MigrationOptions.DEFAULT);
        MemcachedClient<String> client = move.client(Transcoder.utf8());
    }

    private void progress(MemshardMigration move) {
        MigrationStats stats = move.stats();
        System.out.println(
                stats.sourceHits() + " from the source fleet: " + 100 * stats.sourceShare() + " % of the hits");
    }

    private void servers(Memshard memshard) {
        System.out.println(memshard.servers());
        memshard.replace(Server.parseAll("cache-1:11211, cache-2:11211*2, cache-4:11211"));
    }

    private void discovery() {
        ServerSource source = DnsSource.services("_memcached._tcp.memcached.default.svc.cluster.local");
        Memshard memshard = Memshard.builder().discovery(new Discovery(source)).build();
    }

    private void discovery(ServerSource source) {
        Discovery discovery = new Discovery(source);
        Memshard memshard = Memshard.builder()
                .servers(discovery.awaitServers(Duration.ofSeconds(10)))
                .build();
        discovery.onChange(memshard::replace);
    }

    private void sources() {
        ServerSource pods = DnsSource.services("_memcached._tcp.memcached.default.svc.cluster.local")
                .withNameServers(new InetSocketAddress("10.96.0.10", 53));
        ServerSource addresses = DnsSource.addresses("memcached.default.svc.cluster.local", 11211);
        ServerSource file = ServerSource.file(Path.of("/etc/cache/servers.txt"));
        ServerSource endpoint = ServerSource.configurationEndpoint(
                ServerAddress.parse("cache.abcdef.cfg.use1.cache.amazonaws.com:11211"),
                TlsOptions.trustingSystem(),
                null);
        Discovery discovery = new Discovery(
                pods, Duration.ofSeconds(10), Discovery.DEFAULT_SETTLE_TIME, Discovery.DEFAULT_LOOK_TIMEOUT);
    }

    private void serversDown() {
        Memshard memshard = Memshard.builder()
                .servers("cache-1:11211, cache-2:11211, cache-3:11211")
                .gutter("spare-1:11211")
                .serverDown(ServerDownPolicy.GUTTER)
                .build();
        MemcachedClient<byte[]> client = memshard.client();
        client.withServerDown(ServerDownPolicy.FAIL_FAST).delete("user:42");
        System.out.println(memshard.serverStatuses());
    }

    private void routingKey(MemcachedClient<String> client) {
        MemcachedClient<String> cart = client.withRoutingKey("cart:42");
        cart.set("cart:42:items", "tea, milk", Duration.ofHours(1));
        cart.multiGet(List.of("cart:42:items", "cart:42:coupon")); // one packet to one server
    }

    private void tls() {
        TlsOptions tls = TlsOptions.trusting(Path.of("/etc/cache/ca.pem"))
                .withClientCertificate(Path.of("/etc/cache/client.crt"), Path.of("/etc/cache/client.key"));
        Memshard memshard =
                Memshard.builder().servers("cache.example.com").tls(tls).build();
    }

    private void metrics(MeterRegistry registry) {
        Memshard memshard = Memshard.builder()
                .servers("localhost")
                .listener(new MicrometerListener(registry, "sessions"))
                .build();
    }

    private void tracing(ObservationRegistry observationRegistry) {
        Memshard memshard = Memshard.builder()
                .servers("localhost")
                .listener(new ObservationListener(observationRegistry, "sessions"))
                .build();
    }

    private void migrated() {
        Memshard memshard = Memshard.builder().servers("cache.example.com").build();
        MemcachedClient<Object> cache = memshard.client(CompatibleTranscoder.spymemcached()
                .javaSerialization(JavaSerialization.allowing("com.example.Order", "java.util.ArrayList")));
    }

    private void hiddenKeys() {
        Memshard memshard =
                Memshard.builder().servers("localhost").hideKeys(true).build();
    }

    private void moreValues(Memshard memshard) {
        Transcoder<String> compressed = Compression.gzip().thresholdBytes(4_096).around(Transcoder.utf8());
        CompatibleTranscoder.spymemcached()
                .javaSerialization(JavaSerialization.allowing("com.example.Order", "java.util.ArrayList"));
        ChunkedClient<byte[]> large = ChunkedClient.over(memshard.client(), Transcoder.bytes(), 1_000_000, 20_000_000);
    }

    private record Product(String id, String name) {}

    private void genericJson() {
        Transcoder<List<Product>> products = Jackson3Transcoder.of(new TypeReference<List<Product>>() {});
    }

    private void loading(MemcachedClient<String> cache) {
        cache.invalidate("page:1", Duration.ofSeconds(30));

        MultiGetResult<String> pages =
                cache.multiGetOrLoad(List.of("page:1", "page:2"), Duration.ofMinutes(5), keys -> renderAll(keys));
    }

    private void loadingWhatMayNotExist(Memshard memshard) {
        MemcachedClient<Optional<String>> users =
                memshard.client(Transcoder.utf8().optional());
        Optional<String> user = users.getOrLoad(
                "user:1",
                found -> found.isPresent() ? Duration.ofHours(1) : Duration.ofMinutes(1),
                key -> findUser(key),
                LoadOptions.DEFAULTS);
    }

    private static Optional<String> findUser(String key) {
        return Optional.of(key);
    }

    private void typedKeys(MemcachedClient<Product> client) {
        KeyedClient<Long, Product> products =
                KeyedClient.over(client, Duration.ofMinutes(10)).withKeys(id -> "product:" + id);
        Product product = products.getOrLoad(7L, id -> findProduct(id));
        Map<Long, Product> some = products.multiGet(List.of(7L, 8L));
        products.set(9L, new Product("9", "lamp"));
    }

    private static Product findProduct(long id) {
        return new Product(String.valueOf(id), "chair");
    }

    private static Map<String, String> renderAll(Set<String> keys) {
        return keys.stream().collect(Collectors.toMap(key -> key, ReadmeExamples::render));
    }

    private static String render(String key) {
        return "<html>" + key;
    }

    private void bothShapes(MemcachedTemplate<String> template, Transcoder<String> serializer) {
        template.get("key");
        template.getConnectionFactory().getConnection().get("key", serializer); // not in mode pooled

        try (MemcachedConnection connection = template.getConnectionFactory().getConnection()) { // any mode
            connection.get("key", serializer);
        }
    }
}
