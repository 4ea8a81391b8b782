// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.testkit.EmbeddedMemcached;

/** A memcached inside this JVM for all tests of it, where only an open port matters. */
public final class SharedServer {

    private static final EmbeddedMemcached SERVER = EmbeddedMemcached.start();

    /** Its host and port. */
    public static final String ADDRESS = SERVER.host() + ':' + SERVER.port();

    private SharedServer() {}
}
