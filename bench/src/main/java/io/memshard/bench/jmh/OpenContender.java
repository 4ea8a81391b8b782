// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import io.memshard.bench.contender.Contender;
import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.server.BenchServer;
import io.memshard.bench.server.Keyspace;
import java.util.concurrent.Future;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Connected contender, with its keys on the server. The server is that of the system property {@value #SERVER}, or else
 * the first that {@link BenchServer#find} finds.
 */
@State(Scope.Benchmark)
@NullUnmarked // JMH sets the fields that start as null.
public class OpenContender {

    /** System property of a fork with {@code host:port} of the server. */
    public static final String SERVER = "memshard.bench.server";

    static final int KEYS = 1000;

    /** Contender to call. By default, each contender that a comparison includes when none is named. */
    @Param({
        "TEMPLATE",
        "CONNECTION",
        "SPYMEMCACHED_ARRAY_ROUND_ROBIN",
        "SPYMEMCACHED_ARRAY_THREAD_ID",
        "SPYMEMCACHED_BARE",
        "SPYMEMCACHED_OPTIMIZED",
        "MEMSHARD",
        "MEMSHARD_SINGLE",
        "MEMSHARD_ROUND_ROBIN",
        "MEMSHARD_STICKY",
        "MEMSHARD_CLASSIC",
        "XMEMCACHED",
        "XMEMCACHED_ARRAY",
        "FOLSOM",
        "SOCKET_PER_THREAD"
    })
    public ContenderKind contender;

    /** Number of connections of a contender that is an array. */
    @Param("2")
    public int connections;

    /** Number of clients in the pool of Template: 20 in the article's cloud, 100 on its physical machine. */
    @Param("20")
    public int poolSize;

    /** Length of the values in bytes. */
    @Param("100")
    public int valueSize;

    private BenchServer server;
    private Keyspace keyspace;
    private Contender opened;

    /** Fills the server and connects. */
    @Setup(Level.Trial)
    public void open() {
        server = BenchServer.find(System.getProperty(SERVER));
        keyspace = new Keyspace(KEYS, valueSize);
        keyspace.fill(server);
        opened = contender.open(settings());
    }

    ContenderSettings settings() {
        return new ContenderSettings(server.address(), connections, poolSize);
    }

    /** Disconnects. */
    @TearDown(Level.Trial)
    public void close() {
        opened.close();
        server.close();
    }

    /** Gets the key with the number {@code key}. Returns whether its value came back, to the last byte. */
    boolean get(int key) throws Exception {
        return keyspace.isValueOf(key, opened.get(keyspace.key(key)));
    }

    Future<byte[]> send(int key) throws Exception {
        return opened.getAsync(keyspace.key(key));
    }

    /** Returns whether {@code value} is that of the key with the number {@code key}, to the last byte. */
    boolean isValueOf(int key, byte[] value) {
        return keyspace.isValueOf(key, value);
    }

    /** Throws a failure that every further call would have, and keeps an interrupt; ignores all others. */
    static void stopIfEnded(Exception e) {
        if (e instanceof UnsupportedOperationException unsupported) {
            throw unsupported;
        }
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }
}
