// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.chunked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.CasValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.PatientOptions;
import io.memshard.client.TimeToLive;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiWriteResult;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.CompatibleTranscoder;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the chunked client does. */
@Timeout(120)
@MemcachedTest
class ChunkedClientIT {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final int CHUNK_BYTES = 1_000;
    private static final int MAX_BYTES = 100_000;

    private static final AtomicInteger TESTS = new AtomicInteger();

    private final MemcachedServer server;
    private final String prefix = getClass().getSimpleName() + TESTS.getAndIncrement() + ':';

    private LeakCheck leaks;
    private ConnectionGroup group;
    private List<MemcachedClient<EncodedValue>> items;
    private ChunkedClient<byte[]> client;

    ChunkedClientIT(MemcachedServer server) {
        this.server = server;
    }

    @BeforeEach
    void connect() {
        leaks = LeakCheck.start();
        group = new ConnectionGroup(PatientOptions.create(), 1);
        items = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Connection connection =
                    group.newConnection(new ServerAddress(server.host(), server.port()), i, Transport.CALLER_DRIVEN);
            items.add(Clients.blocking(connection, Transcoder.asStored(), 1024 * 1024, PatientOptions.LONG));
        }
        client = chunked(0);
    }

    @AfterEach
    void close() {
        group.close();
        leaks.assertNothingLeft();
    }

    private ChunkedClient<byte[]> chunked(int connection) {
        return ChunkedClient.over(items.get(connection), Transcoder.bytes(), CHUNK_BYTES, MAX_BYTES);
    }

    private String key(String name) {
        return prefix + name;
    }

    private static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** The keys of the chunks that are now under {@code key}, so that a test can spoil them. */
    private List<String> chunksOf(String key) {
        EncodedValue item = items.get(0).get(key);
        return item == null || !Manifest.isOne(item)
                ? List.of()
                : Manifest.parse(item, MAX_BYTES).chunkKeys();
    }

    private void assertRemoved(List<String> chunks) {
        assertThat(items.get(0).multiGet(chunks).hits()).isEmpty();
    }

    @Test
    void valuesOfAnySizeComeBack() {
        for (int length : List.of(0, 1, 999, 1_000, 1_001, 1_999, 2_000, 2_001, 99_999, 100_000)) {
            byte[] value = bytes(length, length);
            client.set(key("a"), value, HOUR);
            assertThat(client.get(key("a"))).isEqualTo(value);
            assertThat(chunksOf(key("a")))
                    .hasSize(length <= CHUNK_BYTES ? 0 : (length + CHUNK_BYTES - 1) / CHUNK_BYTES);
        }
        assertThat(client.get(key("b"))).isNull();
    }

    @Test
    void smallValuesAreOneItemAsAnyClientStoresIt() {
        byte[] value = bytes(CHUNK_BYTES, 1);
        client.set(key("a"), value, HOUR);
        EncodedValue item = items.get(0).get(key("a"));
        assertThat(item.data()).isEqualTo(value);
        assertThat(item.flags()).isZero();
    }

    @Test
    void flagsAndTypesSurvive() {
        ChunkedClient<Object> objects =
                ChunkedClient.over(items.get(0), CompatibleTranscoder.whalin(), CHUNK_BYTES, MAX_BYTES);
        for (Object value : List.of(7, "x".repeat(5_000), "y".repeat(50_000))) {
            objects.set(key("o"), value, HOUR);
            assertThat(objects.get(key("o"))).isEqualTo(value);
        }
    }

    @Test
    void aMissingOrSpoiltChunkIsAMiss() {
        client.set(key("a"), bytes(5_000, 1), HOUR);
        client.set(key("b"), bytes(5_000, 2), HOUR);
        client.set(key("c"), bytes(5_000, 3), HOUR);
        items.get(0).delete(chunksOf(key("a")).get(3));
        items.get(0).set(chunksOf(key("b")).get(2), new EncodedValue(bytes(CHUNK_BYTES, 9), 0), HOUR);
        assertThat(client.get(key("a"))).isNull();
        assertThat(client.gets(key("a"))).isNull();
        assertThat(client.get(key("b"))).isNull();
        MultiGetResult<byte[]> all = client.multiGet(List.of(key("a"), key("b"), key("c"), key("d")));
        assertThat(all.hits()).containsOnlyKeys(key("c"));
        assertThat(all.hits().get(key("c"))).isEqualTo(bytes(5_000, 3));
        assertThat(all.misses()).containsExactlyInAnyOrder(key("a"), key("b"), key("d"));
        assertThat(all.failures()).isEmpty();
        client.set(key("a"), bytes(5_000, 4), HOUR);
        assertThat(client.get(key("a"))).isEqualTo(bytes(5_000, 4));
    }

    @Test
    void flaggedValueThatIsNotAManifestFailsItsKey() {
        items.get(0).set(key("a"), new EncodedValue(new byte[] {1}, Manifest.FLAGS), HOUR);
        client.set(key("b"), bytes(10, 1), HOUR);
        assertThatExceptionOfType(MemcachedDecodingException.class)
                .isThrownBy(() -> client.get(key("a")))
                .satisfies(e -> assertThat(e.key()).isEqualTo(key("a")));
        MultiGetResult<byte[]> all = client.multiGet(List.of(key("a"), key("b")));
        assertThat(all.hits()).containsOnlyKeys(key("b"));
        assertThat(all.failures()).containsOnlyKeys(key("a"));
        client.set(key("a"), bytes(5_000, 1), HOUR);
        assertThat(client.get(key("a"))).isEqualTo(bytes(5_000, 1));
    }

    @Test
    void setAndDeleteRemoveTheChunksOfTheOldValue() {
        client.set(key("a"), bytes(5_000, 1), HOUR);
        List<String> first = chunksOf(key("a"));
        client.set(key("a"), bytes(6_000, 2), HOUR);
        assertRemoved(first);
        List<String> second = chunksOf(key("a"));
        client.set(key("a"), bytes(10, 3), HOUR);
        assertRemoved(second);
        client.set(key("a"), bytes(7_000, 4), HOUR);
        List<String> third = chunksOf(key("a"));
        assertThat(client.delete(key("a"))).isTrue();
        assertRemoved(third);
        assertThat(client.delete(key("a"))).isFalse();
        assertThat(client.get(key("a"))).isNull();
    }

    @Test
    void theItemUnderTheKeyDecidesAddAndReplace() {
        assertThat(client.replace(key("a"), bytes(5_000, 1), HOUR)).isFalse();
        assertThat(client.add(key("a"), bytes(5_000, 2), HOUR)).isTrue();
        List<String> first = chunksOf(key("a"));
        assertThat(client.add(key("a"), bytes(5_000, 3), HOUR)).isFalse();
        assertThat(client.get(key("a"))).isEqualTo(bytes(5_000, 2));
        assertThat(client.replace(key("a"), bytes(5_000, 4), HOUR)).isTrue();
        assertThat(client.get(key("a"))).isEqualTo(bytes(5_000, 4));
        assertRemoved(first);
    }

    @Test
    void casStoresOnlyIfTheItemWasNotChanged() {
        assertThat(client.cas(key("a"), bytes(5_000, 1), 1, HOUR)).isEqualTo(WriteStatus.NOT_FOUND);
        client.set(key("a"), bytes(5_000, 1), HOUR);
        List<String> first = chunksOf(key("a"));
        CasValue<byte[]> read = client.gets(key("a"));
        assertThat(read.value()).isEqualTo(bytes(5_000, 1));
        assertThat(client.cas(key("a"), bytes(6_000, 2), read.casUnique(), HOUR))
                .isEqualTo(WriteStatus.DONE);
        assertRemoved(first);
        assertThat(client.cas(key("a"), bytes(6_000, 3), read.casUnique(), HOUR))
                .isEqualTo(WriteStatus.EXISTS);
        assertThat(client.get(key("a"))).isEqualTo(bytes(6_000, 2));
    }

    @Test
    void touchReachesEachChunk() {
        assertThat(client.touch(key("a"), HOUR)).isFalse();
        client.set(key("a"), bytes(5_000, 1), HOUR);
        assertThat(client.touch(key("a"), TimeToLive.NEVER)).isTrue();
        assertThat(client.get(key("a"))).isEqualTo(bytes(5_000, 1));
        items.get(0).delete(chunksOf(key("a")).get(4));
        assertThat(client.touch(key("a"), HOUR)).isFalse();
        client.set(key("b"), bytes(10, 1), HOUR);
        assertThat(client.touch(key("b"), HOUR)).isTrue();
    }

    private Duration ttl(String key) {
        MetaItem<EncodedValue> item = items.get(0).meta().get(GetRequest.of(key).returning(ItemField.TTL));
        return item.ttl().orElseThrow();
    }

    private void assertLivesLongerThanAnHour(String key) {
        assertThat(chunksOf(key))
                .isNotEmpty()
                .allSatisfy(chunk -> assertThat(ttl(chunk)).isGreaterThan(HOUR));
        assertThat(ttl(key)).isGreaterThan(HOUR);
    }

    @Test
    void getAndTouchReachesEachChunk() {
        Duration longer = HOUR.multipliedBy(2);
        assertThat(client.getAndTouch(key("a"), HOUR)).isNull();
        client.set(key("a"), bytes(5_000, 1), HOUR);
        assertThat(client.getAndTouch(key("a"), longer)).isEqualTo(bytes(5_000, 1));
        assertLivesLongerThanAnHour(key("a"));
        items.get(0).delete(chunksOf(key("a")).get(4));
        assertThat(client.getAndTouch(key("a"), HOUR)).isNull();
    }

    @Test
    void multiDeleteRemovesTheChunksToo() {
        client.set(key("a"), bytes(5_000, 1), HOUR);
        client.set(key("b"), bytes(10, 2), HOUR);
        List<String> chunks = chunksOf(key("a"));
        MultiWriteResult all = client.multiDelete(List.of(key("a"), key("b"), key("c")));
        assertThat(all.done()).containsExactlyInAnyOrder(key("a"), key("b"));
        assertThat(all.misses()).containsExactly(key("c"));
        assertRemoved(chunks);
        assertThat(client.multiGet(List.of(key("a"), key("b"))).hits()).isEmpty();
    }

    @Test
    void expiredValueReplacesTheOldOneAndCannotBeRead() {
        Duration over = TimeToLive.until(Instant.now());
        for (int length : new int[] {10, 5_000}) {
            client.set(key("a"), bytes(length, 1), HOUR);
            client.set(key("a"), bytes(length, 2), over);
            assertThat(client.get(key("a"))).isNull();
            client.set(key("a"), bytes(length, 1), HOUR);
            client.touch(key("a"), over);
            assertThat(client.get(key("a"))).isNull();
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.set(key("a"), bytes(5_000, 1), Duration.ZERO))
                .withMessageContaining("TimeToLive.NEVER");
    }

    @Test
    void valuesAboveTheLimitAreNotSentAndTheOldOneIsGone() {
        client.set(key("a"), bytes(5_000, 1), HOUR);
        assertThatExceptionOfType(MemcachedValueTooLargeException.class)
                .isThrownBy(() -> client.set(key("a"), new byte[MAX_BYTES + 1], HOUR))
                .withMessageContaining("maxBytes=100000; the value was not sent");
        assertThat(client.get(key("a"))).isNull();
    }

    @Test
    void theLargestChunkFitsIntoAnItemOfTheServersDefaultLimit() {
        int most = 1_048_226;
        ChunkedClient<EncodedValue> large = ChunkedClient.over(items.get(0), Transcoder.asStored(), most, 2 * most);
        String longest = key("k").concat("k".repeat(250)).substring(0, 250);
        byte[] value = bytes(most, 1);
        large.set(longest, new EncodedValue(value, -1), HOUR);
        assertThat(chunksOf(longest)).isEmpty();
        assertThat(large.get(longest).data()).isEqualTo(value);
        byte[] two = bytes(most + 1, 2);
        large.set(longest, new EncodedValue(two, -1), HOUR);
        assertThat(large.get(longest).data()).isEqualTo(two);
        assertThat(large.delete(longest)).isTrue();
    }

    private static void assertRejected(String message, ThrowingCallable call) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);
    }

    @Test
    void badSettingsAreRejected() {
        assertRejected(
                "chunkBytes is 39, but must be at least 40, the size of a manifest", () -> new ChunkOptions(39, 100));
        assertRejected(
                "maxBytes is 99, but must be between chunkBytes=100 and 102400", () -> new ChunkOptions(100, 99));
        ChunkedClient<EncodedValue> clash = ChunkedClient.over(items.get(0), Transcoder.asStored(), 100, 100);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> clash.set(key("a"), new EncodedValue(new byte[1], Manifest.FLAGS), HOUR))
                .withMessageContaining("0x40000000");
    }

    /** A value that shows by itself whether it is whole: its seed, and the bytes that the seed gives. */
    private static byte[] selfProving(long seed) {
        byte[] value = bytes(1_500 + (int) (seed % 7) * 1_000, seed);
        ByteBuffer.wrap(value).putLong(seed);
        return value;
    }

    @Test
    void concurrentWritersLeaveAWholeValueOrAMiss() throws Exception {
        CountDownLatch wholes = new CountDownLatch(200);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                int number = thread;
                ChunkedClient<byte[]> own = chunked(number % items.size());
                running.add(threads.submit(() -> {
                    for (int round = 0; wholes.getCount() > 0; round++) {
                        if (number < 3) {
                            own.set(key("contended"), selfProving(1 + number * 1_000_000L + round), HOUR);
                        } else if (number == 3 && round % 10 == 0) {
                            own.delete(key("contended"));
                        } else {
                            byte[] read = own.get(key("contended"));
                            if (read != null) {
                                assertThat(read)
                                        .isEqualTo(selfProving(
                                                ByteBuffer.wrap(read).getLong()));
                                wholes.countDown();
                            }
                        }
                    }
                }));
            }
            for (Future<?> future : running) {
                future.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        client.set(key("contended"), selfProving(5), HOUR);
        assertThat(client.get(key("contended"))).isEqualTo(selfProving(5));
    }
}
