// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import com.spotify.folsom.AsciiMemcacheClient;
import com.spotify.folsom.MemcacheClientBuilder;
import com.spotify.folsom.MemcacheStatus;
import io.memshard.Memshard;
import io.memshard.MemshardMigration;
import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.CasValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.transcoder.CompatibleTranscoder;
import io.memshard.client.transcoder.JavaSerialization;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.discovery.Discovery;
import io.memshard.sharding.discovery.ServerSource;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.ring.Ring;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import net.rubyeye.xmemcached.XMemcachedClientBuilder;
import net.rubyeye.xmemcached.impl.KetamaMemcachedSessionLocator;
import net.rubyeye.xmemcached.utils.AddrUtil;
import net.spy.memcached.CASResponse;
import net.spy.memcached.CASValue;
import net.spy.memcached.KetamaConnectionFactory;
import net.spy.memcached.internal.OperationFuture;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/** The code of docs/migrating, before and after. {@link ReadmeTest} keeps the two the same. */
@SuppressWarnings({"unused", "deprecation"}) // Old code has settings that its library has deprecated.
final class MigrationExamples {

    private static final class PooledSpymemcached {

        private GenericObjectPool<net.spy.memcached.MemcachedClient> pool() {
            GenericObjectPoolConfig<net.spy.memcached.MemcachedClient> config = new GenericObjectPoolConfig<>();
            config.setMaxTotal(20);
            config.setMaxWait(Duration.ofMillis(500));
            return new GenericObjectPool<>(
                    new BasePooledObjectFactory<>() {
                        @Override
                        public net.spy.memcached.MemcachedClient create() throws IOException {
                            return new net.spy.memcached.MemcachedClient(new InetSocketAddress("cache-1", 11211));
                        }

                        @Override
                        public PooledObject<net.spy.memcached.MemcachedClient> wrap(
                                net.spy.memcached.MemcachedClient client) {
                            return new DefaultPooledObject<>(client);
                        }
                    },
                    config);
        }

        private Object before(GenericObjectPool<net.spy.memcached.MemcachedClient> pool, String key) throws Exception {
            net.spy.memcached.MemcachedClient client = pool.borrowObject();
            try {
                return client.get(key);
            } finally {
                pool.returnObject(client);
            }
        }

        private MemcachedConnectionFactory firstStep() {
            return MemcachedConnectionFactory.builder()
                    .engine(Engine.SPYMEMCACHED)
                    .mode(Mode.POOLED)
                    .servers("cache-1:11211")
                    .connectionsPerServer(20)
                    .poolWaitLimit(Duration.ofSeconds(30))
                    .requestTimeout(Duration.ofMillis(2_500))
                    .build();
        }

        private void template(MemcachedConnectionFactory factory, String key) {
            CompatibleTranscoder values = CompatibleTranscoder.spymemcached()
                    .javaSerialization(
                            JavaSerialization.allowing("com.example.**").andJdkData());
            MemcachedTemplate<Object> template = new MemcachedTemplate<>(factory, values);
            Object value = template.get(key);
        }

        private MemcachedConnectionFactory secondStep() {
            return MemcachedConnectionFactory.builder()
                    .engine(Engine.MEMSHARD)
                    .mode(Mode.SHARDED)
                    .servers("cache-1:11211")
                    .connectionsPerServer(2)
                    .requestTimeout(Duration.ofMillis(2_500))
                    .build();
        }
    }

    private static final class Spymemcached {

        private net.spy.memcached.MemcachedClient clientBefore() throws IOException {
            return new net.spy.memcached.MemcachedClient(
                    new KetamaConnectionFactory(),
                    net.spy.memcached.AddrUtil.getAddresses("cache-1:11211 cache-2:11211"));
        }

        private void before(net.spy.memcached.MemcachedClient client, String key, Object value) throws Exception {
            client.set(key, 300, value);
            OperationFuture<Boolean> added = client.add(key, 300, value);
            Map<String, Object> found = client.getBulk(List.of("a", "b"));
            long number = client.incr("count", 1, 10, 300); // 10 where there was no item
            CASValue<Object> read = client.gets(key);
            CASResponse stored = client.cas(key, read.getCas(), 300, value);
        }

        private void after(MemcachedClient<Object> client, String key, Object value) {
            client.set(key, value, Duration.ofMinutes(5));
            boolean added = client.add(key, value, Duration.ofMinutes(5));
            Map<String, Object> found = client.multiGet(List.of("a", "b")).hitsOrThrow();
            long number = client.incr("count", 1, 10, Duration.ofMinutes(5));
            CasValue<Object> read = client.gets(key);
            WriteStatus stored = client.cas(key, value, read.casUnique(), Duration.ofMinutes(5));
        }

        private void clientAfter() {
            Memshard memshard = Memshard.builder()
                    .servers("cache-1:11211, cache-2:11211")
                    .ring(Ring.spymemcachedKetama())
                    .build();
            MemcachedClient<Object> client = memshard.client(CompatibleTranscoder.spymemcached()
                    .javaSerialization(JavaSerialization.allowing("com.example.Order", "java.util.ArrayList")));
        }

        private void moving() {
            Memshard source = Memshard.builder()
                    .servers("cache-1:11211, cache-2:11211")
                    .ring(Ring.spymemcachedKetama())
                    .build();
            Memshard target =
                    Memshard.builder().servers("cache-1:11211, cache-2:11211").build();
            MemshardMigration move = MemshardMigration.of(source, target, MigrationOptions.DEFAULT);
            MemcachedClient<Object> client = move.client(CompatibleTranscoder.spymemcached());
        }
    }

    private static final class Xmemcached {

        private net.rubyeye.xmemcached.MemcachedClient clientBefore() throws IOException {
            XMemcachedClientBuilder builder =
                    new XMemcachedClientBuilder(AddrUtil.getAddresses("cache-1:11211 cache-2:11211"));
            builder.setSessionLocator(new KetamaMemcachedSessionLocator());
            builder.setConnectionPoolSize(4);
            builder.setOpTimeout(500);
            return builder.build();
        }

        private void before(net.rubyeye.xmemcached.MemcachedClient client, String key, String value) throws Exception {
            client.set(key, 300, value);
            client.setWithNoReply(key, 300, value);
            String found = client.get(key, 200);
            long number = client.incr("count", 1, 10);
            client.cas(key, 300, new net.rubyeye.xmemcached.CASOperation<String>() {
                @Override
                public int getMaxTries() {
                    return 5;
                }

                @Override
                public String getNewValue(long currentCas, String current) {
                    return current + value;
                }
            });
        }

        private void clientAfter() {
            Memshard memshard = Memshard.builder()
                    .servers("cache-1:11211, cache-2:11211")
                    .ring(Ring.xmemcachedKetama())
                    .connectionsPerServer(4)
                    .requestTimeout(Duration.ofMillis(500))
                    .build();
            MemcachedClient<String> client =
                    memshard.client(CompatibleTranscoder.xmemcached().only(String.class));
            AsyncMemcachedClient<String> async =
                    memshard.asyncClient(CompatibleTranscoder.xmemcached().only(String.class));
        }

        private void after(
                MemcachedClient<String> client,
                AsyncMemcachedClient<String> async,
                MemcachedTemplate<String> template,
                String key,
                String value) {
            client.set(key, value, Duration.ofMinutes(5));
            async.set(key, value, Duration.ofMinutes(5));
            String found = client.withTimeout(Duration.ofMillis(200)).get(key);
            long number = client.incr("count", 1, 10, Duration.ofMinutes(5));
            template.update(key, Duration.ofMinutes(5), current -> current + value);
        }
    }

    private static final class ElastiCache {

        private void clientAfter() {
            ServerSource nodes = ServerSource.configurationEndpoint(
                    ServerAddress.parse("cache.abcdef.cfg.use1.cache.amazonaws.com:11211"));
            Discovery discovery = new Discovery(nodes);
            Memshard memshard = Memshard.builder()
                    .servers(discovery.awaitServers(Duration.ofSeconds(10)))
                    .ring(Ring.spymemcached())
                    .build();
            discovery.onChange(memshard::replace);
        }

        private void tls() {
            TlsOptions tls = TlsOptions.trustingSystem();
            Memshard memshard = Memshard.builder().servers("cache-1").tls(tls).build();
        }
    }

    private static final class Folsom {

        private AsciiMemcacheClient<String> clientBefore() {
            return MemcacheClientBuilder.newStringClient()
                    .withAddress("cache-1", 11211)
                    .withAddress("cache-2", 11211)
                    .withConnections(4)
                    .withRequestTimeoutMillis(3_000)
                    .withMaxOutstandingRequests(1_000)
                    .connectAscii();
        }

        private void before(AsciiMemcacheClient<String> client, String key, String value) {
            CompletionStage<MemcacheStatus> stored = client.set(key, value, 300);
            CompletionStage<String> found = client.get(key);
            CompletionStage<List<String>> all = client.get(List.of("a", "b"));
            CompletionStage<Long> number = client.incr("count", 1);
        }

        private void clientAfter() {
            Memshard memshard = Memshard.builder()
                    .servers("cache-1:11211, cache-2:11211")
                    .ring(Ring.folsom())
                    .connectionsPerServer(4)
                    .requestTimeout(Duration.ofSeconds(3))
                    .maxInFlight(1_000)
                    .build();
            AsyncMemcachedClient<String> client = memshard.asyncClient(Transcoder.utf8());
        }

        private void after(AsyncMemcachedClient<String> client, String key, String value) {
            CompletableFuture<Void> stored = client.set(key, value, Duration.ofMinutes(5));
            CompletableFuture<String> found = client.get(key);
            CompletableFuture<Map<String, String>> all =
                    client.multiGet(List.of("a", "b")).thenApply(result -> result.hitsOrThrow());
            CompletableFuture<OptionalLong> number = client.incr("count", 1);
        }
    }

    private static final class Annotations {

        private final MemcachedTemplate<String> template;

        Annotations(MemcachedTemplate<String> template) {
            this.template = template;
        }

        private String one(String id) {
            return template.getOrLoad("page:" + id, Duration.ofMinutes(5), key -> render(id));
        }

        private Map<String, String> many(List<String> keys) {
            return template.multiGetOrLoad(keys, Duration.ofMinutes(5), missing -> renderAll(missing))
                    .hitsOrThrow();
        }

        private void counted() {
            template.increment("visits", 1, Duration.ofDays(1));
        }

        private static String render(String id) {
            return "<html>" + id;
        }

        private static Map<String, String> renderAll(Iterable<String> keys) {
            return Map.of();
        }
    }

    private static final class Template {

        private void names(MemcachedTemplate<String> template, Duration ttl) {
            boolean first = template.setIfAbsent("lock:42", "me", ttl);
            OptionalLong left = template.decrement("stock:42", 1); // empty on a miss, and never below 0
            long visits = template.increment("visits", 1, ttl); // creates a missing item with 1
            String cart = template.update("cart:42", ttl, old -> old == null ? "book" : old + ",book");
        }

        private void async(MemcachedTemplate<String> template, Duration ttl) {
            template.async().get("cart:42").thenAccept(System.out::println);

            List<Object> results = template.executePipelined(pipeline -> {
                pipeline.set("cart:42", "book", ttl);
                pipeline.withTranscoder(Transcoder.counter()).get("visits");
                pipeline.incr("visits", 1);
            });
        }

        private void serializers(MemcachedConnectionFactory factory) {
            MemcachedTemplate<String> strings = new MemcachedTemplate<>(factory, Transcoder.utf8());
            MemcachedTemplate<Object> sharedWithSpymemcached = new MemcachedTemplate<>(
                    factory,
                    CompatibleTranscoder.spymemcached()
                            .javaSerialization(JavaSerialization.allowing("com.example.Order")));
        }
    }
}
