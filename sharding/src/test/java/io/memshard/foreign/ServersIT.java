// SPDX-License-Identifier: Apache-2.0
package io.memshard.foreign;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.memshard.Memshard;
import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.CasResult;
import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.AdminClient;
import io.memshard.client.admin.StatsGroup;
import io.memshard.client.chunked.ChunkOptions;
import io.memshard.client.chunked.ChunkedClient;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ConnectionStatus;
import io.memshard.client.meta.ArithmeticRequest;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.ItemKey;
import io.memshard.client.meta.MetaClient;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.meta.SetRequest;
import io.memshard.client.meta.WriteResult;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.Eventually;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Operations of each kind on every server that {@code docker/servers} has provided, by default settings. Writes the
 * table of docs/versions.md.
 *
 * <p>Hazelcast 5.7.0 fails it now and then: that server stops answering with many commands in flight, also to plain
 * sockets.
 */
class ServersIT {

    private static final Path TABLE = Path.of("..", "docs", "results", "servers.csv.gz");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Longest time until the connections are back after one was lost. */
    private static final Duration LONGEST_ABSENCE = Duration.ofSeconds(30);

    private static final Duration LONGEST_START = Duration.ofMinutes(2);
    private static final int LARGE = 1_600_000;

    /** What a message says that helps after a connection has ended. */
    private static final Pattern HELP =
            Pattern.compile("protocol\\(Protocol\\.CLASSIC\\)|no setting helps|the servers behind it");

    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private final Map<String, ThrowingCallable> operations = new LinkedHashMap<>();
    private final List<String> rows = new ArrayList<>(List.of("server,operation,outcome,message"));
    private final List<String> wrong = new ArrayList<>();
    private final AtomicInteger losses = new AtomicInteger();

    // Of the server whose turn it is.
    private Memshard memshard;
    private MemcachedClient<String> client;
    private AsyncMemcachedClient<String> async;
    private MetaClient<String> meta;
    private AdminClient admin;

    /** Key of the operation whose turn it is. */
    private String key;

    private void oneKey() {
        operations.put("set", () -> {
            client.set(key, "value", MINUTE);
            assertThat(client.get(key)).isEqualTo("value");
        });
        operations.put("get of a miss", () -> assertThat(client.get(key)).isNull());
        operations.put("set of 2 MB", () -> {
            String value = "x".repeat(2_000_000);
            try {
                client.set(key, value, MINUTE);
                assertThat(client.get(key)).isEqualTo(value);
            } catch (MemcachedValueTooLargeException e) {
                assertThat(client.get(key)).isNull();
            }
        });
        operations.put("set that expires", () -> {
            client.set(key, "value", Duration.ofSeconds(1));
            Eventually.eventually("the item is gone", () -> client.get(key) == null);
        });
        operations.put("client flags of 31 bits", () -> setFlags(Integer.MAX_VALUE));
        operations.put("client flags of 32 bits", () -> setFlags(-1));
        operations.put("add, replace, append, prepend", () -> {
            assertThat(client.replace(key, "b", MINUTE)).isFalse();
            assertThat(client.append(key, "b")).isFalse();
            assertThat(client.add(key, "a", MINUTE)).isTrue();
            assertThat(client.add(key, "b", MINUTE)).isFalse();
            assertThat(client.replace(key, "b", MINUTE)).isTrue();
            assertThat(client.append(key, "c") && client.prepend(key, "a")).isTrue();
            assertThat(client.get(key)).isEqualTo("abc");
        });
        operations.put("gets", () -> {
            client.set(key, "1", MINUTE);
            assertThat(client.gets(key).value()).isEqualTo("1");
        });
        operations.put("cas", () -> {
            client.set(key, "1", MINUTE);
            long casUnique = client.gets(key).casUnique();
            assertThat(client.cas(key, "2", casUnique, MINUTE)).isEqualTo(CasResult.STORED);
            assertThat(client.cas(key, "3", casUnique, MINUTE)).isEqualTo(CasResult.EXISTS);
        });
        operations.put(
                "cas of a miss",
                () -> assertThat(client.cas(key, "1", 1, MINUTE)).isEqualTo(CasResult.NOT_FOUND));
        operations.put("update", () -> {
            client.set(key, "1", MINUTE);
            assertThat(client.update(key, MINUTE, old -> old + "2")).isEqualTo("12");
        });
        operations.put("delete", () -> {
            client.set(key, "1", MINUTE);
            assertThat(client.delete(key)).isTrue();
            assertThat(client.delete(key)).isFalse();
        });
        operations.put("touch", () -> {
            client.set(key, "1", MINUTE);
            assertThat(client.touch(key, Duration.ofSeconds(1))).isTrue();
            Eventually.eventually("the item is gone", () -> client.get(key) == null);
        });
        operations.put(
                "touch of a miss", () -> assertThat(client.touch(key, MINUTE)).isFalse());
        operations.put("getAndTouch", () -> {
            assertThat(client.getAndTouch(key, MINUTE)).isNull();
            client.set(key, "1", MINUTE);
            assertThat(client.getAndTouch(key, MINUTE)).isEqualTo("1");
        });
        operations.put("incr, decr", () -> {
            assertThat(client.incr(key, 1)).isEmpty();
            client.set(key, "5", MINUTE);
            assertThat(client.incr(key, 2)).hasValue(7);
            assertThat(client.decr(key, 9)).hasValue(0);
        });
        operations.put("incr of a text", () -> {
            client.set(key, "text", MINUTE);
            assertThatExceptionOfType(MemcachedServerException.class).isThrownBy(() -> client.incr(key, 1));
        });
        operations.put("incr with an initial value", () -> {
            assertThat(client.incr(key, 1, 7, MINUTE)).isEqualTo(7);
            assertThat(client.incr(key, 1, 7, MINUTE)).isEqualTo(8);
        });
        operations.put("version", () -> assertThat(client.version()).isNotEmpty());
    }

    private void setFlags(int flags) {
        MemcachedClient<EncodedValue> stored = memshard.client(Transcoder.asStored());
        stored.set(key, new EncodedValue(new byte[1], flags), MINUTE);
        assertThat(stored.get(key).flags()).isEqualTo(flags);
    }

    private void manyKeys() {
        operations.put("multiSet, multiGet, multiDelete", () -> {
            assertThat(client.multiSet(values(), MINUTE).storedOrThrow()).hasSize(300);
            assertThat(client.multiGet(values().keySet()).hitsOrThrow()).isEqualTo(values());
            assertThat(client.multiDelete(values().keySet()).deletedOrThrow()).hasSize(300);
            assertThat(client.multiGet(values().keySet()).misses()).hasSize(300);
        });
        operations.put("multiGets", () -> {
            client.multiSet(values(), MINUTE).storedOrThrow();
            assertThat(client.multiGets(values().keySet()).hitsOrThrow()).hasSize(300);
        });
        operations.put("multiGetAndTouch", () -> {
            client.multiSet(values(), MINUTE).storedOrThrow();
            assertThat(client.multiGetAndTouch(values().keySet(), MINUTE).hitsOrThrow())
                    .isEqualTo(values());
        });
        operations.put(
                "multiGetOrLoad",
                () -> assertThat(client.multiGetOrLoad(values().keySet(), MINUTE, missing -> values())
                                .hitsOrThrow())
                        .isEqualTo(values()));
        operations.put("getOrLoad by many threads", () -> {
            AtomicInteger loads = new AtomicInteger();
            onManyThreads(thread -> client.getOrLoad(key, MINUTE, k -> "loaded " + loads.incrementAndGet()));
            assertThat(client.get(key)).isEqualTo("loaded 1");
        });
        operations.put("invalidate", () -> {
            client.set(key, "old", MINUTE);
            assertThat(client.invalidate(key, MINUTE)).isTrue();
            assertThat(client.getOrLoad(key, MINUTE, k -> "new")).isEqualTo("new");
        });
        operations.put("ChunkedClient", () -> {
            ChunkedClient<String> chunked =
                    ChunkedClient.over(client, Transcoder.utf8(), new ChunkOptions(500_000, 50_000_000));
            chunked.set(key, "x".repeat(LARGE), MINUTE);
            assertThat(chunked.get(key)).hasSize(LARGE);
            assertThat(chunked.delete(key)).isTrue();
        });
        operations.put("async set, get, delete, incr, touch", () -> {
            async.set(key, "1", MINUTE).join();
            assertThat(async.incr(key, 1).join()).hasValue(2);
            assertThat(async.touch(key, MINUTE).join()).isTrue();
            assertThat(async.get(key).join()).isEqualTo("2");
            assertThat(async.delete(key).join()).isTrue();
        });
        operations.put("async gets and cas", () -> {
            async.set(key, "1", MINUTE).join();
            long casUnique = async.gets(key).join().casUnique();
            assertThat(async.cas(key, "2", casUnique, MINUTE).join()).isEqualTo(CasResult.STORED);
        });
        operations.put("async multiGet", () -> {
            async.multiSet(values(), MINUTE).join().storedOrThrow();
            assertThat(async.multiGet(values().keySet()).join().hitsOrThrow()).isEqualTo(values());
        });
        operations.put(
                "async getOrLoad",
                () -> assertThat(async.getOrLoad(key, MINUTE, k -> CompletableFuture.completedFuture("v"))
                                .join())
                        .isEqualTo("v"));
        operations.put("2,000 in flight", () -> {
            String first = key;
            AsyncMemcachedClient<String> patient = async.withTimeout(LONGEST_ABSENCE);
            IntStream.range(0, 2_000)
                    .mapToObj(i -> patient.set(first + i, "value " + i, MINUTE))
                    .toList()
                    .forEach(CompletableFuture::join);
            assertThat(IntStream.range(0, 2_000).mapToObj(i -> patient.get(first + i)).toList().stream()
                            .map(CompletableFuture::join))
                    .containsExactlyElementsOf(IntStream.range(0, 2_000)
                            .mapToObj(i -> "value " + i)
                            .toList());
        });
        operations.put("16 threads, 500 calls each", () -> {
            MemcachedClient<String> patient = client.withTimeout(LONGEST_ABSENCE);
            onManyThreads(thread -> {
                for (int i = 0; i < 500; i++) {
                    String own = key + thread + '-' + i;
                    patient.set(own, own, MINUTE);
                    assertThat(patient.get(own)).isEqualTo(own);
                }
                return null;
            });
        });
    }

    private Map<String, String> values() {
        return IntStream.range(0, 300).boxed().collect(Collectors.toMap(i -> key + i, i -> "value " + i));
    }

    private interface Part {
        @Nullable
        Object run(int thread);
    }

    private static void onManyThreads(Part part) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try {
            List<Callable<@Nullable Object>> parts = new ArrayList<>();
            IntStream.range(0, 16).forEach(thread -> parts.add(() -> part.run(thread)));
            for (Future<@Nullable Object> one : threads.invokeAll(parts)) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void flags() {
        operations.put("meta noop", () -> meta.noop());
        operations.put("meta get, all fields", () -> {
            client.set(key, "value", MINUTE);
            MetaItem<String> item = meta.get(GetRequest.of(key).returning(ItemField.values()));
            assertThat(item.value()).isEqualTo("value");
            assertThat(item.sizeBytes()).isEqualTo(5);
        });
        operations.put("meta get with vivify", () -> {
            assertThat(meta.get(GetRequest.of(key).vivify(MINUTE)).isWon()).isTrue();
            assertThat(meta.get(GetRequest.of(key).vivify(MINUTE)).isWonByAnother())
                    .isTrue();
        });
        // An old server ignores the flag and returns the value, as documented.
        operations.put("meta get with unlessCas", () -> {
            long casUnique = store(SetRequest.of(key, "1").returningCas()).casUnique();
            GetRequest request = GetRequest.of(key).returning(ItemField.VALUE, ItemField.CAS);
            assertThat(meta.get(request.unlessCas(casUnique + 1)).value()).isEqualTo("1");
            MetaItem<String> known = meta.get(request.unlessCas(casUnique));
            assertThat(known.casUnique()).isEqualTo(casUnique);
            if (known.value() != null) {
                throw new MemcachedUnsupportedException("unlessCas is ignored, and the value returned, as documented");
            }
        });
        // An old server ignores the flag, and the result says so.
        operations.put("meta set with returningSize", () -> {
            store(SetRequest.of(key, "value"));
            WriteResult stored = store(SetRequest.of(key, "value").appending().returningSize());
            try {
                assertThat(stored.sizeBytes()).isEqualTo(10);
            } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("of memcached 1.6.");
                throw new MemcachedUnsupportedException(
                        "returningSize is ignored, and the result says so, as documented");
            }
        });
        operations.put(
                "meta set with newCas",
                () -> assertThat(store(SetRequest.of(key, "1").newCas(4_711).returningCas())
                                .casUnique())
                        .isEqualTo(4_711));
        operations.put("meta set with staleIfOlder", () -> {
            store(SetRequest.of(key, "1"));
            store(SetRequest.of(key, "2").ifCas(1).staleIfOlder());
            assertThat(meta.get(GetRequest.of(key)).isStale()).isTrue();
        });
        operations.put("meta append with vivify", () -> {
            store(SetRequest.of(key, "a").appending().vivify(MINUTE));
            store(SetRequest.of(key, "b").appending().vivify(MINUTE));
            assertThat(client.get(key)).isEqualTo("ab");
        });
        operations.put(
                "meta arithmetic with vivify",
                () -> assertThat(meta.arithmetic(ArithmeticRequest.of(key).vivify(5, MINUTE))
                                .number())
                        .isEqualTo(5));
        operations.put("meta delete with invalidate", () -> {
            client.set(key, "1", MINUTE);
            assertThat(meta.delete(DeleteRequest.of(key).invalidate().ttl(MINUTE)))
                    .isEqualTo(WriteStatus.DONE);
            assertThat(meta.get(GetRequest.of(key)).isStale()).isTrue();
        });
        operations.put("meta delete that keeps the item", () -> {
            client.set(key, "1", MINUTE);
            assertThat(meta.delete(DeleteRequest.of(key).keepItem())).isEqualTo(WriteStatus.DONE);
            assertThat(client.get(key)).isEmpty();
        });
        operations.put("meta binary key", () -> {
            ItemKey binary = ItemKey.binary(new byte[] {0, '\r', '\n', ' ', -1});
            store(SetRequest.of(binary, "1"));
            assertThat(meta.get(GetRequest.of(binary)).value()).isEqualTo("1");
        });
    }

    private WriteResult store(SetRequest<String> request) {
        WriteResult stored = meta.set(request);
        assertThat(stored.isDone()).isTrue();
        return stored;
    }

    private void administration() {
        operations.put(
                "admin version", () -> assertThat(admin.version().single()).isNotEmpty());
        operations.put("admin stats", () -> assertThat(admin.stats().single()).isNotEmpty());
        operations.put("admin resetStats", () -> admin.resetStats().single());
        operations.put("admin countPrefixes", () -> {
            admin.countPrefixes(true).single();
            admin.countPrefixes(false).single();
        });
        operations.put("admin verbosity", () -> admin.verbosity(0).single());
        operations.put(
                "health",
                () -> assertThat(memshard.health(Duration.ofSeconds(5)).isUp()).isTrue());
        for (StatsGroup group : StatsGroup.values()) {
            operations.put(
                    "admin stats " + group.argument().toLowerCase(Locale.ROOT),
                    () -> admin.stats(group).single());
        }
        operations.put("admin flushAll", () -> {
            client.set(key, "1", MINUTE);
            admin.flushAll(Duration.ZERO).single();
            assertThat(client.get(key)).isNull();
            // yrmcds flushes what is stored in the next moment, too.
            Eventually.eventually("a value stays", () -> {
                client.set(key, "2", MINUTE);
                return client.get(key) != null;
            });
        });
    }

    @Test
    void noServerEndsAnOperationOtherwiseThanDocumented() throws IOException {
        String directory = System.getProperty("memshard.servers");
        assumeTrue(directory != null, "set -Dmemshard.servers=DIRECTORY to the servers of docker/servers DIRECTORY");
        oneKey();
        manyKeys();
        flags();
        administration();
        List<Path> folders;
        try (Stream<Path> all = Files.list(Path.of(directory))) {
            folders = all.filter(folder -> Files.exists(folder.resolve("title")))
                    .sorted(Comparator.comparing(ServersIT::byVersion))
                    .toList();
        }
        assertThat(folders).as("servers in " + directory).isNotEmpty();
        for (Path folder : folders) {
            try {
                runAll(folder);
            } catch (AssertionError e) {
                wrong.add(folder.getFileName() + ": " + e.getMessage());
            }
        }
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(TABLE))) {
            out.write(String.join("\n", rows).concat("\n").getBytes(UTF_8));
        }
        assertThat(wrong).isEmpty();
    }

    private static String byVersion(Path folder) {
        return NUMBER.matcher(folder.getFileName().toString())
                .replaceAll(number -> "%06d".formatted(Integer.parseInt(number.group())));
    }

    private void runAll(Path folder) throws IOException {
        List<String> command = new ArrayList<>(List.of(folder.resolve("start").toString()));
        List<String> ports = freePorts();
        command.addAll(ports);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        try (Memshard opened = Memshard.builder()
                .servers("127.0.0.1:" + ports.get(0))
                .requestTimeout(LONGEST_ABSENCE)
                .listener(new ConnectionListener() {
                    @Override
                    public void stateChanged(
                            ConnectionStatus connection,
                            ConnectionState before,
                            ConnectionState now,
                            @Nullable Throwable cause) {
                        if (before == ConnectionState.READY && now != ConnectionState.CLOSED) {
                            losses.incrementAndGet();
                        }
                    }
                })
                .build()) {
            Eventually.eventually("an answer; see the file log", LONGEST_START, () -> answers(ports.get(0)));
            memshard = opened;
            client = memshard.client(Transcoder.utf8());
            async = memshard.asyncClient(Transcoder.utf8());
            meta = client.meta();
            admin = memshard.admin();
            // A server of Java has to be compiled first.
            Eventually.eventually("the first calls are answered", LONGEST_ABSENCE, () -> failure() == null);
            String server = Files.readString(folder.resolve("title")).strip();
            operations.forEach((name, operation) -> run(server, name, operation));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            process.onExit().join();
        }
    }

    private static List<String> freePorts() throws IOException {
        try (ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()); // The script takes numbers.
                ServerSocket two = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket three = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return Stream.of(one, two, three)
                    .map(socket -> String.valueOf(socket.getLocalPort()))
                    .toList();
        }
    }

    private static boolean answers(String port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port))) {
            socket.setSoTimeout(1_000);
            socket.getOutputStream().write("get memshard:probe\r\n".getBytes(US_ASCII));
            return socket.getInputStream().read() == 'E';
        } catch (IOException e) {
            return false;
        }
    }

    private void run(String server, String name, ThrowingCallable operation) {
        int before = losses.get();
        key = "op" + rows.size() + "-k";
        String kind = "ok";
        String message = "";
        try {
            operation.call();
        } catch (Throwable e) {
            Throwable cause = e.getCause() instanceof MemcachedException known ? known : e;
            boolean isOver =
                    cause instanceof MemcachedConnectionException || cause instanceof MemcachedProtocolException;
            message = oneLine(String.valueOf(cause instanceof MemcachedException ? cause.getMessage() : cause));
            kind = cause instanceof MemcachedUnsupportedException
                    ? "unsupported"
                    : cause instanceof MemcachedServerException
                            ? "refused"
                            : isOver && HELP.matcher(message).find() ? "closed" : "wrong";
        }
        if (kind.equals("closed")) {
            kind = Eventually.holdsWithin(LONGEST_ABSENCE, () -> failure() == null) ? kind : "wrong";
        } else if (losses.get() > before) {
            kind = "wrong";
            message = "a connection was lost, and no word of it: " + message;
        } else if (failure() != null) {
            kind = "wrong";
            message = "the next call fails after: " + message;
        }
        rows.add(String.join(",", server, quoted(name), kind, quoted(message)));
        if (kind.equals("wrong")) {
            wrong.add(server + ", " + name + ": " + message);
            Eventually.holdsWithin(LONGEST_ABSENCE, () -> failure() == null);
        }
    }

    /** Returns null if blocking and asynchronous calls work on each connection, or a failure. */
    private @Nullable Throwable failure() {
        try {
            client.set("alive", "yes", MINUTE);
            async.set("alive", "yes", MINUTE).join();
            assertThat(client.get("alive")).isEqualTo("yes");
            assertThat(Collections.nCopies(4, async).stream()
                            .map(each -> each.get("alive").join()))
                    .containsOnly("yes");
            return null;
        } catch (Exception | AssertionError e) {
            return e;
        }
    }

    /** Returns a message in one line, without what differs in each run. */
    private static String oneLine(String message) {
        String line = message.replaceAll("127\\.0\\.0\\.1:\\d+(\\[\\d+])?", "SERVER")
                .replaceAll("op\\d+-\\w+", "KEY")
                .replaceAll("\\s+", " ")
                .strip();
        return line.length() <= 300 ? line : line.substring(0, 300) + "...";
    }

    private static String quoted(String text) {
        return text.matches("[^,\"]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
