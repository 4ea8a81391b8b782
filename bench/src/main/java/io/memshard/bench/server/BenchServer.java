package io.memshard.bench.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The server of one measurement: the one that was named, or one that is started for it and stopped
 * after it.
 *
 * <p>Threading: confined to the thread that runs the measurement. Failure: {@link ServerException} in
 * one sentence.
 */
public final class BenchServer implements AutoCloseable {

    private final InetSocketAddress address;
    private final String source;
    private final String version;
    private final @Nullable String flags;
    private final @Nullable Process process;

    private BenchServer(InetSocketAddress address, String source, @Nullable String flags, @Nullable Process process) {
        this.address = address;
        this.source = source;
        this.flags = flags;
        this.process = process;
        try (PlainSocket socket = new PlainSocket(address)) {
            this.version = socket.version();
        } catch (IOException e) {
            close();
            throw new ServerException("no memcached at " + format(address) + ": " + e.getMessage(), e);
        }
    }

    /**
     * The server at {@code named}, or else the first that is found.
     *
     * @param named {@code host:port}, or null to look for one
     */
    public static BenchServer find(@Nullable String named) {
        if (named != null) {
            return new BenchServer(parse(named), "--server", null, null);
        }
        String variable = System.getenv("MEMCACHED_ADDR");
        if (variable != null && !variable.isBlank()) {
            return new BenchServer(parse(variable), "MEMCACHED_ADDR", null, null);
        }
        return start();
    }

    private static InetSocketAddress parse(String address) {
        int colon = address.lastIndexOf(':');
        try {
            int port = colon < 1 ? -1 : Integer.parseInt(address.substring(colon + 1));
            InetSocketAddress parsed = new InetSocketAddress(colon < 1 ? "" : address.substring(0, colon), port);
            if (parsed.isUnresolved()) {
                throw new ServerException("no memcached at " + address + ": unknown host");
            }
            return parsed;
        } catch (IllegalArgumentException e) {
            throw new ServerException("\"" + address + "\" is not an address of the form host:port");
        }
    }

    private static BenchServer start() {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        } catch (IOException e) {
            throw new ServerException("no free port for memcached: " + e.getMessage(), e);
        }
        List<String> command = List.of(
                "memcached", "-u", "nobody", "-l", "127.0.0.1", "-p", "" + port, "-U", "0", "-c", "4096", "-m", "256");
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new ServerException("no server: MEMCACHED_ADDR is not set and memcached is not on the PATH", e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "stop memcached"));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        awaitListening(process, address);
        return new BenchServer(
                address,
                "memcached on the PATH, started for this run",
                String.join(" ", command.subList(1, command.size())),
                process);
    }

    private static void awaitListening(Process process, InetSocketAddress address) {
        for (int attempt = 0; attempt < 100; attempt++) {
            try (PlainSocket socket = new PlainSocket(address)) {
                socket.version();
                return;
            } catch (IOException e) {
                if (hasExited(process)) {
                    break;
                }
            }
        }
        throw new ServerException("memcached did not start on " + format(address) + ": " + lastWordsOf(process));
    }

    private static boolean hasExited(Process process) {
        try {
            return process.waitFor(50, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private static String lastWordsOf(Process process) {
        process.destroy();
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "it said nothing";
        }
    }

    private static String format(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return address;
    }

    /** {@code host:port}. */
    public String hostAndPort() {
        return format(address);
    }

    /** How it was found, for a person. */
    public String source() {
        return source;
    }

    /** Its answer to {@code version}. */
    public String version() {
        return version;
    }

    /** Its command line, if it was started for this measurement. */
    public @Nullable String flags() {
        return flags;
    }

    /** Stops it, if it was started for this measurement. */
    @Override
    public void close() {
        if (process != null) {
            process.destroy();
        }
    }
}
