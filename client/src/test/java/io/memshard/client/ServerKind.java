// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.Program;
import io.memshard.testkit.ServerLadder;
import io.memshard.testkit.TwemproxyProcess;
import java.util.EnumMap;
import java.util.Map;

/** The kinds of server that the operations run on, with one server of each for all tests of the JVM. */
enum ServerKind {
    /** The best there is: mostly the memcached on the PATH. */
    FOUND,
    EMBEDDED,
    /** A proxy in front of {@link #FOUND}. */
    TWEMPROXY;

    private static final Map<ServerKind, MemcachedServer> STARTED = new EnumMap<>(ServerKind.class);

    static {
        // Not when JUnit says that all tests are done: where there are several JVMs it says so after each class.
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> STARTED.values().forEach(MemcachedServer::close), "shared-servers-close"));
    }

    /** Returns the server of this kind, or aborts the test where this machine lacks its program. */
    MemcachedServer server() {
        return STARTED.computeIfAbsent(this, ServerKind::start);
    }

    private MemcachedServer start() {
        return switch (this) {
            case FOUND -> ServerLadder.find().server();
            case EMBEDDED -> EmbeddedMemcached.start();
            case TWEMPROXY -> {
                Program.NUTCRACKER.need();
                yield TwemproxyProcess.start(itemServer());
            }
        };
    }

    /** Returns the server that has the items: this one or the one behind it. */
    MemcachedServer itemServer() {
        return this == TWEMPROXY ? FOUND.server() : server();
    }
}
