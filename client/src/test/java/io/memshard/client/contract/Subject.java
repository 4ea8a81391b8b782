// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.contract;

import io.memshard.client.MemcachedClient;
import io.memshard.testkit.MemcachedServer;
import java.util.List;

/**
 * Client that tests of operations run over.
 *
 * @param items the servers that have the items, which speak meta
 * @param resource what is closed after the test
 */
public record Subject(
        MemcachedClient<String> client, Speech speech, List<MemcachedServer> items, AutoCloseable resource) {

    /** Whether the tests run over each subject that can be, or else over a few. */
    public static final boolean RUNS_ALL = "all".equals(System.getProperty("memshard.variants"));

    /** Operations that a client can call. */
    public enum Speech {
        /** All. */
        META,
        /** All but those that need the meta protocol. */
        CLASSIC,
        /** Those of spymemcached. */
        SPYMEMCACHED
    }
}
