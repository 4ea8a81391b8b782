package io.memshard.client;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.ServerLadder;
import io.memshard.testkit.TwemproxyProcess;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** One server of each kind for all tests of the JVM: started when it is first asked for, closed after the last test. */
final class SharedServers implements BeforeAllCallback {

    private static final Map<ServerKind, MemcachedServer> STARTED = new EnumMap<>(ServerKind.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        // The root store closes what is in it when all tests are done.
        context.getRoot().getStore(Namespace.create(SharedServers.class)).computeIfAbsent("closing", key ->
                (AutoCloseable) SharedServers::closeAll);
    }

    private static void closeAll() {
        STARTED.values().forEach(MemcachedServer::close);
        STARTED.clear();
    }

    /** The server of this kind; aborts the test where there cannot be one. */
    static MemcachedServer get(ServerKind kind) {
        MemcachedServer server = STARTED.get(kind);
        if (server == null) {
            server = start(kind);
            STARTED.put(kind, server);
        }
        return server;
    }

    /** Where its items are: on the server itself or behind it. */
    static MemcachedServer itemsOf(ServerKind kind) {
        return get(kind == ServerKind.TWEMPROXY ? ServerKind.FOUND : kind);
    }

    private static MemcachedServer start(ServerKind kind) {
        return switch (kind) {
            case FOUND -> ServerLadder.find().server();
            case EMBEDDED -> EmbeddedMemcached.start();
            case TWEMPROXY -> twemproxy();
        };
    }

    private static MemcachedServer twemproxy() {
        assumeTrue(
                TwemproxyProcess.findOnPath().isPresent(), "no nutcracker on the PATH: install the package nutcracker");
        return TwemproxyProcess.start(itemsOf(ServerKind.TWEMPROXY));
    }
}
