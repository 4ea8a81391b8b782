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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
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

    /** Operation on the item {@code key}, or on items whose keys begin so. */
    private interface Operation {
        void run(String key);
    }

    private final Map<String, Operation> operations = new LinkedHashMap<>();
    private final List<String> rows = new ArrayList<>(List.of("server,operation,outcome,message"));
    private final List<String> wrong = new ArrayList<>();
    private final AtomicInteger losses = new AtomicInteger();

    // Of the server whose turn it is.
    private Memshard memshard;
    private MemcachedClient<String> client;
    private AsyncMemcachedClient<String> async;
    private MetaClient<String> meta;
    private AdminClient admin;

    private void add(String name, Operation operation) {
        operations.put(name, operation);
    }

    private void oneKey() {
        add("set", key -> {
            client.set(key, "value", MINUTE);
            assertThat(client.get(key)).isEqualTo("value");
        });
        add("get of a miss", key -> assertThat(client.get(key)).isNull());
        add("set of 2 MB", key -> {
            String value = "x".repeat(2_000_000);
            try {
                client.set(key, value, MINUTE);
                assertThat(client.get(key)).isEqualTo(value);
            } catch (MemcachedValueTooLargeException e) {
                assertThat(client.get(key)).isNull();
            }
        });
        add("set that expires", key -> {
            client.set(key, "value", Duration.ofSeconds(1));
            Eventually.eventually("the item is gone", () -> client.get(key) == null);
        });
        add("client flags of 31 bits", key -> setFlags(key, Integer.MAX_VALUE));
        add("client flags of 32 bits", key -> setFlags(key, -1));
        add("add, replace, append, prepend", key -> {
            assertThat(client.replace(key, "b", MINUTE)).isFalse();
            assertThat(client.append(key, "b")).isFalse();
            assertThat(client.add(key, "a", MINUTE)).isTrue();
            assertThat(client.add(key, "b", MINUTE)).isFalse();
            assertThat(client.replace(key, "b", MINUTE)).isTrue();
            assertThat(client.append(key, "c") && client.prepend(key, "a")).isTrue();
            assertThat(client.get(key)).isEqualTo("abc");
        });
        add("gets", key -> {
            client.set(key, "1", MINUTE);
            assertThat(client.gets(key).value()).isEqualTo("1");
        });
        add("cas", key -> {
            client.set(key, "1", MINUTE);
            long casUnique = client.gets(key).casUnique();
            assertThat(client.cas(key, "2", casUnique, MINUTE)).isEqualTo(CasResult.STORED);
            assertThat(client.cas(key, "3", casUnique, MINUTE)).isEqualTo(CasResult.EXISTS);
        });
        add("cas of a miss", key -> assertThat(client.cas(key, "1", 1, MINUTE)).isEqualTo(CasResult.NOT_FOUND));
        add("update", key -> {
            client.set(key, "1", MINUTE);
            assertThat(client.update(key, MINUTE, old -> old + "2")).isEqualTo("12");
        });
        add("delete", key -> {
            client.set(key, "1", MINUTE);
            assertThat(client.delete(key)).isTrue();
            assertThat(client.delete(key)).isFalse();
        });
        add("touch", key -> {
            client.set(key, "1", MINUTE);
            assertThat(client.touch(key, Duration.ofSeconds(1))).isTrue();
            Eventually.eventually("the item is gone", () -> client.get(key) == null);
        });
        add("touch of a miss", key -> assertThat(client.touch(key, MINUTE)).isFalse());
        add("getAndTouch", key -> {
            assertThat(client.getAndTouch(key, MINUTE)).isNull();
            client.set(key, "1", MINUTE);
            assertThat(client.getAndTouch(key, MINUTE)).isEqualTo("1");
        });
        add("incr, decr", key -> {
            assertThat(client.incr(key, 1)).isEmpty();
            client.set(key, "5", MINUTE);
            assertThat(client.incr(key, 2)).hasValue(7);
            assertThat(client.decr(key, 9)).hasValue(0);
        });
        add("incr of a text", key -> {
            client.set(key, "text", MINUTE);
            assertThatExceptionOfType(MemcachedServerException.class).isThrownBy(() -> client.incr(key, 1));
        });
        add("incr with an initial value", key -> {
            assertThat(client.incr(key, 1, 7, MINUTE)).isEqualTo(7);
            assertThat(client.incr(key, 1, 7, MINUTE)).isEqualTo(8);
        });
        add("version", key -> assertThat(client.version()).isNotEmpty());
    }

    private void setFlags(String key, int flags) {
        MemcachedClient<EncodedValue> stored = memshard.client(Transcoder.asStored());
        stored.set(key, new EncodedValue(new byte[1], flags), MINUTE);
        assertThat(stored.get(key).flags()).isEqualTo(flags);
    }

    private void manyKeys() {
        add("multiSet, multiGet, multiDelete", key -> {
            assertThat(client.multiSet(values(key), MINUTE).storedOrThrow()).hasSize(300);
            assertThat(client.multiGet(values(key).keySet()).hitsOrThrow()).isEqualTo(values(key));
            assertThat(client.multiDelete(values(key).keySet()).deletedOrThrow())
                    .hasSize(300);
            assertThat(client.multiGet(values(key).keySet()).misses()).hasSize(300);
        });
        add("multiGets", key -> {
            client.multiSet(values(key), MINUTE).storedOrThrow();
            assertThat(client.multiGets(values(key).keySet()).hitsOrThrow()).hasSize(300);
        });
        add("multiGetAndTouch", key -> {
            client.multiSet(values(key), MINUTE).storedOrThrow();
            assertThat(client.multiGetAndTouch(values(key).keySet(), MINUTE).hitsOrThrow())
                    .isEqualTo(values(key));
        });
        add(
                "multiGetOrLoad",
                key -> assertThat(client.multiGetOrLoad(values(key).keySet(), MINUTE, missing -> values(key))
                                .hitsOrThrow())
                        .isEqualTo(values(key)));
        add("getOrLoad by many threads", key -> {
            AtomicInteger loads = new AtomicInteger();
            onManyThreads(thread -> client.getOrLoad(key, MINUTE, k -> "loaded " + loads.incrementAndGet()));
            assertThat(client.get(key)).isEqualTo("loaded 1");
        });
        add("invalidate", key -> {
            client.set(key, "old", MINUTE);
            assertThat(client.invalidate(key, MINUTE)).isTrue();
            assertThat(client.getOrLoad(key, MINUTE, k -> "new")).isEqualTo("new");
        });
        add("ChunkedClient", key -> {
            ChunkedClient<String> chunked =
                    ChunkedClient.over(client, Transcoder.utf8(), new ChunkOptions(500_000, 50_000_000));
            chunked.set(key, "x".repeat(LARGE), MINUTE);
            assertThat(chunked.get(key)).hasSize(LARGE);
            assertThat(chunked.delete(key)).isTrue();
        });
        add("async set, get, delete, incr, touch", key -> {
            async.set(key, "1", MINUTE).join();
            assertThat(async.incr(key, 1).join()).hasValue(2);
            assertThat(async.touch(key, MINUTE).join()).isTrue();
            assertThat(async.get(key).join()).isEqualTo("2");
            assertThat(async.delete(key).join()).isTrue();
        });
        add("async gets and cas", key -> {
            async.set(key, "1", MINUTE).join();
            long casUnique = async.gets(key).join().casUnique();
            assertThat(async.cas(key, "2", casUnique, MINUTE).join()).isEqualTo(CasResult.STORED);
        });
        add("async multiGet", key -> {
            async.multiSet(values(key), MINUTE).join().storedOrThrow();
            assertThat(async.multiGet(values(key).keySet()).join().hitsOrThrow())
                    .isEqualTo(values(key));
        });
        add(
                "async getOrLoad",
                key -> assertThat(async.getOrLoad(key, MINUTE, k -> CompletableFuture.completedFuture("v"))
                                .join())
                        .isEqualTo("v"));
        add("2,000 in flight", key -> {
            AsyncMemcachedClient<String> patient = async.withTimeout(LONGEST_ABSENCE);
            IntStream.range(0, 2_000)
                    .mapToObj(i -> patient.set(key + i, "value " + i, MINUTE))
                    .toList()
                    .forEach(CompletableFuture::join);
            assertThat(IntStream.range(0, 2_000).mapToObj(i -> patient.get(key + i)).toList().stream()
                            .map(CompletableFuture::join))
                    .containsExactlyElementsOf(IntStream.range(0, 2_000)
                            .mapToObj(i -> "value " + i)
                            .toList());
        });
        add("16 threads, 500 calls each", key -> {
            MemcachedClient<String> patient = client.withTimeout(LONGEST_ABSENCE);
            onManyThreads(thread -> {
                for (int i = 0; i < 500; i++) {
                    String own = key + thread + '-' + i;
                    patient.set(own, own, MINUTE);
                    assertThat(patient.get(own)).isEqualTo(own);
                }
            });
        });
    }

    private static Map<String, String> values(String key) {
        return IntStream.range(0, 300).boxed().collect(Collectors.toMap(i -> key + i, i -> "value " + i));
    }

    private static void onManyThreads(IntConsumer part) {
        ExecutorService threads = Executors.newFixedThreadPool(16);
        CompletableFuture.allOf(IntStream.range(0, 16)
                        .mapToObj(thread -> CompletableFuture.runAsync(() -> part.accept(thread), threads))
                        .toArray(CompletableFuture<?>[]::new))
                .whenComplete((done, failure) -> threads.shutdown())
                .join();
    }

    private void flags() {
        add("meta noop", key -> meta.noop());
        add("meta get, all fields", key -> {
            client.set(key, "value", MINUTE);
            MetaItem<String> item = meta.get(GetRequest.of(key).returning(ItemField.values()));
            assertThat(item.value()).isEqualTo("value");
            assertThat(item.sizeBytes()).isEqualTo(5);
        });
        add("meta get with vivify", key -> {
            assertThat(meta.get(GetRequest.of(key).vivify(MINUTE)).isWon()).isTrue();
            assertThat(meta.get(GetRequest.of(key).vivify(MINUTE)).isWonByAnother())
                    .isTrue();
        });
        // An old server ignores the flag and returns the value, as documented.
        add("meta get with unlessCas", key -> {
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
        add("meta set with returningSize", key -> {
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
        add(
                "meta set with newCas",
                key -> assertThat(store(SetRequest.of(key, "1").newCas(4_711).returningCas())
                                .casUnique())
                        .isEqualTo(4_711));
        add("meta set with staleIfOlder", key -> {
            store(SetRequest.of(key, "1"));
            store(SetRequest.of(key, "2").ifCas(1).staleIfOlder());
            assertThat(meta.get(GetRequest.of(key)).isStale()).isTrue();
        });
        add("meta append with vivify", key -> {
            store(SetRequest.of(key, "a").appending().vivify(MINUTE));
            store(SetRequest.of(key, "b").appending().vivify(MINUTE));
            assertThat(client.get(key)).isEqualTo("ab");
        });
        add(
                "meta arithmetic with vivify",
                key -> assertThat(meta.arithmetic(ArithmeticRequest.of(key).vivify(5, MINUTE))
                                .number())
                        .isEqualTo(5));
        add("meta delete with invalidate", key -> {
            client.set(key, "1", MINUTE);
            assertThat(meta.delete(DeleteRequest.of(key).invalidate().ttl(MINUTE)))
                    .isEqualTo(WriteStatus.DONE);
            assertThat(meta.get(GetRequest.of(key)).isStale()).isTrue();
        });
        add("meta delete that keeps the item", key -> {
            client.set(key, "1", MINUTE);
            assertThat(meta.delete(DeleteRequest.of(key).keepItem())).isEqualTo(WriteStatus.DONE);
            assertThat(client.get(key)).isEmpty();
        });
        add("meta binary key", key -> {
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
        add("admin version", key -> assertThat(admin.version().single()).isNotEmpty());
        add("admin stats", key -> assertThat(admin.stats().single()).isNotEmpty());
        add("admin resetStats", key -> admin.resetStats().single());
        add("admin countPrefixes", key -> {
            admin.countPrefixes(true).single();
            admin.countPrefixes(false).single();
        });
        add("admin verbosity", key -> admin.verbosity(0).single());
        add(
                "health",
                key -> assertThat(memshard.health(Duration.ofSeconds(5)).isUp()).isTrue());
        for (StatsGroup group : StatsGroup.values()) {
            add(
                    "admin stats " + group.argument().toLowerCase(Locale.ROOT),
                    key -> admin.stats(group).single());
        }
        add("admin flushAll", key -> {
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

    private void run(String server, String name, Operation operation) {
        int before = losses.get();
        String kind = "ok";
        String message = "";
        try {
            operation.run("op" + rows.size() + "-k");
        } catch (Throwable e) {
            Throwable cause = e.getCause() instanceof MemcachedException known ? known : e;
            boolean hasEnded =
                    cause instanceof MemcachedConnectionException || cause instanceof MemcachedProtocolException;
            message = oneLine(String.valueOf(cause instanceof MemcachedException ? cause.getMessage() : cause));
            kind = cause instanceof MemcachedUnsupportedException
                    ? "unsupported"
                    : cause instanceof MemcachedServerException
                            ? "refused"
                            : hasEnded && HELP.matcher(message).find() ? "closed" : "wrong";
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
