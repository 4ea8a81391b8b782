// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.SetRequest;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A key prefix and hashed keys, in each kind of operation. */
@Timeout(300)
class KeysIT {

    private static final Duration TTL = Duration.ofMinutes(1);
    private static final String LONG = "k".repeat(300);

    private final LeakCheck leakCheck = LeakCheck.start();

    private EmbeddedMemcached server;
    private Memshard memshard;

    /** Sees the keys as they are stored. */
    private MemcachedClient<String> plain;

    private MemcachedClient<String> app;
    private AsyncMemcachedClient<String> async;

    @BeforeEach
    void start() {
        server = EmbeddedMemcached.start();
        memshard = builder().build();
        plain = memshard.client(Transcoder.utf8());
        app = plain.withKeyPrefix("app:");
        async = memshard.asyncClient(Transcoder.utf8()).withKeyPrefix("app:");
    }

    private MemshardBuilder builder() {
        return Fleet.patient().servers(server.host() + ':' + server.port());
    }

    @AfterEach
    void stop() {
        memshard.close();
        server.close();
        leakCheck.assertNothingLeft();
    }

    /** Each operation with a prefix is in {@link ItemOperationsIT}. */
    @Test
    void prefixIsBeforeTheKeyThatIsStored() {
        app.set("a", "1", TTL);
        assertThat(plain.get("app:a")).isEqualTo("1");
        assertThat(plain.get("a")).isNull();
        app.withKeyPrefix("v2:").set("a", "2", TTL);
        assertThat(plain.get("app:v2:a")).isEqualTo("2");
        assertThat(async.multiGet(List.of("a", "v2:a", "c")).join().hitsOrThrow())
                .isEqualTo(Map.of("a", "1", "v2:a", "2"));
    }

    @Test
    void illegalKeysOfManyAreFailuresAsTheyWereWritten() {
        String tooLong = "k".repeat(247);
        app.set("a", "1", TTL);
        MultiGetResult<String> got = app.multiGet(List.of("", tooLong, "a"));
        assertThat(got.hits()).isEqualTo(Map.of("a", "1"));
        assertThat(got.failures()).containsOnlyKeys("", tooLong);
        assertThat(got.failures().get(tooLong)).hasMessage("key has 251 bytes, but must have 1 to 250");
        assertThat(app.multiSet(Map.of(tooLong, "2", "b", "3"), TTL).failures()).containsOnlyKeys(tooLong);
        assertThat(async.multiDelete(List.of(tooLong, "b")).join().failures()).containsOnlyKeys(tooLong);
        assertThat(app.withHashedKeys()
                        .multiGet(List.of("", "\ud800 ", tooLong))
                        .failures())
                .containsOnlyKeys("", "\ud800 ");
        assertThat(plain.multiGet(List.of("app:a", "app:b")).hits()).containsOnlyKeys("app:a");
    }

    @Test
    void metaRequestsHaveThePrefix() {
        byte[] binary = new byte[] {'b'};
        app.meta().set(SetRequest.of("a", "1"));
        app.meta().set(SetRequest.of(binary, "2"));
        assertThat(plain.get("app:a")).isEqualTo("1");
        assertThat(plain.get("app:b")).isEqualTo("2");
        assertThat(app.meta().get(GetRequest.of(binary)).value()).isEqualTo("2");
        assertThat(app.meta().debug("a")).isNotNull();
        app.meta().delete(DeleteRequest.of("a"));
        assertThat(plain.get("app:a")).isNull();
    }

    @Test
    void longKeysAreIllegalOrHashedAsTheBuilderSays() {
        assertThatIllegalArgumentException().isThrownBy(() -> app.get(LONG));
        try (Memshard hashing = builder().keyPrefix("app:").hashKeys(true).build()) {
            MemcachedClient<String> client = hashing.client(Transcoder.utf8());
            client.set(LONG, "1", TTL);
            client.set("short", "2", TTL);
            assertThat(client.get(LONG)).isEqualTo("1");
            assertThat(client.get(LONG + 'k')).isNull();
            assertThat(client.multiGet(List.of(LONG, "short", "a b")).hits()).containsOnlyKeys(LONG, "short");
            assertThat(client.multiSet(Map.of("a b", "3"), TTL).done()).containsExactly("a b");
            assertThat(hashing.asyncClient(Transcoder.utf8()).get("a b").join()).isEqualTo("3");
            assertThat(client.getOrLoad("c d", TTL, key -> "of " + key)).isEqualTo("of c d");
            assertThat(client.get("c d")).isEqualTo("of c d");
            assertThat(app.get("short")).isEqualTo("2");
        }
    }
}
