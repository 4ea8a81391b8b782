// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.Memshard;
import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.ServerHealth;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.ring.Ring;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The template over three servers, in each mode: every key is where a {@code Memshard} with the same ring has it. */
@Timeout(60)
@ParameterizedClass
@EnumSource(Mode.class)
class ManyServersTemplateIT {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int MANY = 1_000;
    private static final Ring RING = Ring.spymemcachedKetama();

    private final LeakCheck leaks = LeakCheck.start();
    private final List<EmbeddedMemcached> servers =
            IntStream.range(0, 3).mapToObj(i -> EmbeddedMemcached.start()).toList();

    @Parameter
    private Mode mode;

    private MemcachedConnectionFactory factory;
    private MemcachedTemplate<String> template;
    private Memshard memshard;

    @BeforeEach
    void start() {
        factory = newFactory();
        template = new MemcachedTemplate<>(factory, Transcoder.utf8());
        memshard = Memshard.builder()
                .servers(list())
                .ring(RING)
                .requestTimeout(LONG)
                .connectTimeout(LONG)
                .build();
    }

    private MemcachedConnectionFactory newFactory() {
        return MemcachedConnectionFactory.builder()
                .engine(Engine.MEMSHARD)
                .mode(mode)
                .servers(list())
                .ring(RING)
                .requestTimeout(LONG)
                .connectTimeout(LONG)
                .build();
    }

    private String list() {
        return servers.stream().map(server -> "127.0.0.1:" + server.port()).collect(Collectors.joining(", "));
    }

    @AfterEach
    void close() {
        factory.close();
        memshard.close();
        servers.forEach(EmbeddedMemcached::close);
        leaks.assertNothingLeft();
    }

    private static List<String> keys() {
        return IntStream.range(0, MANY).mapToObj(i -> "key" + i).toList();
    }

    private static Map<String, String> values() {
        return keys().stream().collect(Collectors.toMap(Function.identity(), key -> "value of " + key));
    }

    private Map<String, String> foundByMemshard() {
        return memshard.client(Transcoder.utf8()).multiGet(keys()).hitsOrThrow();
    }

    /** Returns the number of items of each server. */
    private List<Long> items() {
        return memshard.admin().stats().answersOrThrow().values().stream()
                .map(stats -> Long.valueOf(stats.get("curr_items")))
                .toList();
    }

    @Test
    void singleKeysGoToTheServersOfTheRing() {
        for (String key : keys().subList(0, 100)) {
            template.set(key, "value of " + key, HOUR);
            assertThat(memshard.client(Transcoder.utf8()).get(key)).isEqualTo("value of " + key);
            assertThat(template.get(key)).isEqualTo("value of " + key);
        }
        assertThat(items()).allMatch(each -> each > 0);
        try (MemcachedConnection connection = factory.getConnection()) {
            assertThat(connection.get("key7", Transcoder.utf8())).isEqualTo("value of key7");
            assertThat(connection.client(Transcoder.utf8()).delete("key7")).isTrue();
        }
        assertThat(template.delete("key7")).isFalse();
        assertThat(memshard.client().get("key7")).isNull();
        assertThat(template.getOrLoad("key7", HOUR, key -> "loaded")).isEqualTo("loaded");
        assertThat(memshard.client(Transcoder.utf8()).get("key7")).isEqualTo("loaded");
    }

    @Test
    void manyKeysGoToTheServersOfTheRing() {
        template.multiSet(values(), HOUR).doneOrThrow();
        assertThat(items()).hasSize(3).allMatch(each -> each > MANY / 6);
        assertThat(foundByMemshard()).isEqualTo(values());
        assertThat(template.multiGet(keys()).hitsOrThrow()).isEqualTo(values());
        try (MemcachedConnection connection = factory.getConnection()) {
            assertThat(connection.client(Transcoder.utf8()).multiGet(keys()).hitsOrThrow())
                    .isEqualTo(values());
        }
        assertThat(template.multiDelete(keys()).doneOrThrow()).hasSize(MANY);
        assertThat(items()).containsOnly(0L);
    }

    @Test
    void aServerThatIsDownFailsOnlyItsOwnKeys() {
        template.multiSet(values(), HOUR).doneOrThrow();
        assertThat(factory.health(LONG).isUp()).isTrue();
        servers.get(0).close();
        String gone = "127.0.0.1:" + servers.get(0).port();

        MultiGetResult<String> found = template.multiGet(keys());
        assertThat(found.misses()).isEmpty();
        assertThat(found.hits()).hasSizeBetween(MANY / 3, MANY - 1);
        List<String> failed = new ArrayList<>(found.failures().keySet());
        assertThat(failed).hasSize(MANY - found.hits().size());
        assertThat(found.failures().values())
                .allSatisfy(failure -> assertThat(failure)
                        .isInstanceOf(MemcachedConnectionException.class)
                        .hasMessageContaining(gone));
        assertThatThrownBy(() -> template.get(failed.get(0))).hasMessageContaining(gone);
        found.hits().forEach((key, value) -> assertThat(template.get(key)).isEqualTo(value));
        // Two at a time, so that a pool makes a client while the server is away.
        try (MemcachedConnection one = factory.getConnection();
                MemcachedConnection other = factory.getConnection()) {
            String key = found.hits().keySet().iterator().next();
            assertThat(one.get(key, Transcoder.utf8())).isEqualTo(found.hits().get(key));
            assertThat(other.get(key, Transcoder.utf8())).isEqualTo(found.hits().get(key));
        }
        try (MemcachedConnectionFactory later = newFactory()) {
            assertThat(new MemcachedTemplate<>(later, Transcoder.utf8())
                            .multiGet(keys())
                            .hits())
                    .isEqualTo(found.hits());
        }
        ServerHealth health = factory.health(LONG);
        assertThat(health.isUp()).isFalse();
        assertThat(health.server()).hasToString(gone);
    }

    private boolean isMissed(MemcachedClient<String> client, String key) {
        try {
            return client.get(key) == null;
        } catch (MemcachedConnectionException e) {
            // Which is what ejects the server.
            return false;
        }
    }

    @Test
    void aPolicyForServersThatAreDownHoldsForItsClient() {
        servers.get(0).close();
        String gone = keys().stream()
                .filter(key -> memshard.serverOf(key).address().port()
                        == servers.get(0).port())
                .findFirst()
                .orElseThrow();
        MemcachedClient<String> missing = template.withServerDown(ServerDownPolicy.MISS);

        eventually("missed", () -> isMissed(missing, gone));
        assertThatThrownBy(() -> template.get(gone)).isInstanceOf(MemcachedConnectionException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> template.withServerDown(ServerDownPolicy.GUTTER));
    }
}
