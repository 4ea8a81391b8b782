// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.contract;

import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.Program;
import io.memshard.testkit.ServerLadder;
import io.memshard.testkit.TwemproxyProcess;
import java.util.EnumMap;
import java.util.Map;

/** The kinds of server that the operations run on, with one server of each for all tests of the JVM. */
public enum ServerKind {
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
    public MemcachedServer server() {
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
    public MemcachedServer itemServer() {
        return this == TWEMPROXY ? FOUND.server() : server();
    }

    /** Operations that a client of ours can call, which finds out what its server can. */
    public Subject.Speech speech() {
        return this == TWEMPROXY ? Subject.Speech.CLASSIC : Subject.Speech.META;
    }
}
