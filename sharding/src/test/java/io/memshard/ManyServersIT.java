// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.LeakCheck;
import java.time.Duration;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of operation over one and over many servers, by both transports and protocols. */
@Timeout(300)
@ParameterizedClass
@MethodSource("variants")
class ManyServersIT {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int MANY = 1_000;

    static Stream<Arguments> variants() {
        return Stream.of(
                Arguments.of(1, Transport.AUTO, Protocol.META),
                Arguments.of(3, Transport.EVENT_LOOP, Protocol.CLASSIC),
                Arguments.of(8, Transport.CALLER_DRIVEN, Protocol.META),
                Arguments.of(3, Transport.AUTO, Protocol.CLASSIC));
    }

    private final LeakCheck leaks = LeakCheck.start();

    @Parameter(0)
    private int count;

    @Parameter(1)
    private Transport transport;

    @Parameter(2)
    private Protocol protocol;

    private Fleet fleet;
    private Memshard memshard;
    private MemcachedClient<String> client;
    private AsyncMemcachedClient<String> async;

    @BeforeEach
    void start() {
        fleet = Fleet.of(count);
        memshard = Fleet.patient()
                // With names, the same keys are on the same servers in each run, whatever the ports.
                .servers(fleet.servers())
                .transport(transport)
                .protocol(protocol)
                .build();
        client = memshard.client(Transcoder.utf8());
        async = memshard.asyncClient(Transcoder.utf8());
    }

    @AfterEach
    void close() {
        memshard.close();
        fleet.close();
        leaks.assertNothingLeft();
    }

    private static List<String> keys() {
        return IntStream.range(0, MANY).mapToObj(i -> "key" + i).toList();
    }

    private static Map<String, String> values() {
        return keys().stream().collect(Collectors.toMap(Function.identity(), key -> "value of " + key));
    }

    /** How many items each server has. */
    private List<Long> items() {
        return memshard.admin().stats().answersOrThrow().values().stream()
                .map(stats -> Long.valueOf(stats.get("curr_items")))
                .toList();
    }

    @Test
    void keysAreSpreadAndFoundAgainByEveryKindOfGet() throws Exception {
        client.multiSet(values(), HOUR).doneOrThrow();

        assertThat(items()).hasSize(count).allMatch(each -> each > MANY / count / 2);
        for (String key : keys().subList(0, 100)) {
            assertThat(client.get(key)).isEqualTo("value of " + key);
            assertThat(async.get(key).get()).isEqualTo("value of " + key);
        }
        assertThat(client.multiGet(keys()).hitsOrThrow()).isEqualTo(values());
        assertThat(async.multiGet(keys()).get().hitsOrThrow()).isEqualTo(values());
        assertThat(client.multiDelete(keys()).failures()).isEmpty();
        assertThat(items()).containsOnly(0L);
    }

    @Test
    void aServerThatIsGoneFailsItsOwnKeysOnly() {
        client.multiSet(values(), HOUR).doneOrThrow();
        fleet.kill(fleet.names().get(0));
        ServerAddress gone = memshard.servers().get(0).address();

        MultiGetResult<String> found = client.multiGet(keys());
        assertThat(found.misses()).isEmpty();
        assertThat(found.hits().size() + found.failures().size()).isEqualTo(MANY);
        assertThat(found.failures().values())
                .isNotEmpty()
                .allSatisfy(failure -> assertThat(failure)
                        .isInstanceOf(MemcachedConnectionException.class)
                        .hasMessageContaining(gone.toString()));
        assertThat(found.hits()).hasSizeGreaterThanOrEqualTo(count == 1 ? 0 : MANY / count);
        Map<String, String> asMisses = new LinkedHashMap<>(client.withFailurePolicy(FailurePolicy.TREAT_AS_MISS)
                .multiGet(keys())
                .hitsOrThrow());
        assertThat(asMisses).isEqualTo(found.hits());
        assertThat(memshard.health(LONG).isUp()).isFalse();
        assertThat(memshard.health(LONG).server()).isEqualTo(gone);
        assertThat(memshard.healthByServer(LONG).stream().filter(health -> health.isUp()))
                .hasSize(count - 1);
    }

    /** Changes of one item by compare and set. */
    @Test
    void noUpdateOfSeveralWritersIsLost() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        Callable<String> writer = () -> {
            IntStream.range(0, 200).forEach(i -> client.update("n", HOUR, ManyServersIT::more));
            return client.get("n");
        };
        for (Future<String> each : threads.invokeAll(Collections.nCopies(4, writer))) {
            each.get();
        }
        threads.shutdown();
        assertThat(client.get("n")).isEqualTo("800");
        assertThat(async.update("n", HOUR, ManyServersIT::more))
                .succeedsWithin(LONG)
                .isEqualTo("801");
        assertThat(async.update("n", HOUR, old -> null)).succeedsWithin(LONG).isNull();
        assertThatExceptionOfType(ConcurrentModificationException.class)
                .isThrownBy(() -> client.update("n", HOUR, old -> {
                    client.set("n", "another's", HOUR);
                    return "mine";
                }))
                .withMessageContaining("100 tries: \"n\"");
        assertThat(client.get("n")).isEqualTo("another's");
    }

    private static String more(String old) {
        return old == null ? "1" : String.valueOf(Integer.parseInt(old) + 1);
    }
}
