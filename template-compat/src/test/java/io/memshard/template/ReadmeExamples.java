package io.memshard.template;

import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.ServerResults;
import io.memshard.client.admin.ServerStats;
import io.memshard.client.chunked.ChunkedClient;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.metrics.MicrometerListener;
import io.memshard.client.multi.MultiSetResult;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.transcoder.CompatibleTranscoder;
import io.memshard.client.transcoder.Compression;
import io.memshard.client.transcoder.JavaSerialization;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.Memshard;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.springframework.context.annotation.Bean;

/** The code of README.md and docs, so that the compiler reads it. {@link ReadmeTest} keeps the two the same. */
@SuppressWarnings("unused")
final class ReadmeExamples {

    private void client() {
        try (Memshard memshard = Memshard.builder()
                .servers("127.0.0.1:11211")
                .connectionsPerServer(2)
                .requestTimeout(Duration.ofMillis(500))
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

    private void values(Memshard memshard) {
        MemcachedClient<Object> shared = memshard.client(CompatibleTranscoder.spymemcached());
        MemcachedClient<String> compressed = memshard.client(Compression.gzip().around(Transcoder.utf8()));
    }

    private void manyKeysAndServers(Memshard memshard, MemcachedClient<String> cache) {
        MultiSetResult stored = cache.multiSet(Map.of("one", "1", "two", "2"), Duration.ofHours(1));
        stored.failures().forEach((key, cause) -> System.err.println(key + ": " + cause.getMessage()));
        ServerResults<ServerStats> stats = memshard.admin().stats();
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
                .listener(new MicrometerListener(registry))
                .build();
    }

    private void moreValues(Memshard memshard) {
        Transcoder<String> compressed = Compression.gzip().thresholdBytes(4_096).around(Transcoder.utf8());
        CompatibleTranscoder.spymemcached()
                .javaSerialization(JavaSerialization.allowing("com.example.Order", "java.util.ArrayList"));
        ChunkedClient<byte[]> large = ChunkedClient.over(memshard.client(), Transcoder.bytes(), 1_000_000, 50_000_000);
    }

    private void loading(MemcachedClient<String> cache) {
        String page = cache.getOrLoad("page:1", Duration.ofMinutes(5), key -> render(key));

        MetaItem<String> item = cache.meta()
                .get(GetRequest.of("page:1").returning(ItemField.VALUE, ItemField.TTL, ItemField.LAST_ACCESS));
        cache.meta().delete(DeleteRequest.of("page:1").invalidate().ttl(Duration.ofSeconds(30)));
    }

    private static String render(String key) {
        return "<html>" + key;
    }

    static class Beans {

        @Bean
        MemcachedConnectionFactory memcachedConnectionFactory() {
            return MemcachedConnectionFactory.builder()
                    .servers("127.0.0.1:11211")
                    .build();
        }

        @Bean
        MemcachedTemplate<String> memcachedTemplate(MemcachedConnectionFactory factory) {
            return new MemcachedTemplate<>(factory, MemcachedSerializer.utf8());
        }
    }

    private void bothShapes(MemcachedTemplate<String> template, MemcachedSerializer<String> serializer) {
        template.get("key");
        template.getConnectionFactory().getConnection().get("key", serializer); // not in mode pooled

        try (MemcachedConnection connection = template.getConnectionFactory().getConnection()) { // any mode
            connection.get("key", serializer);
        }
    }
}
