// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.servers;

/**
 * Memcached that can be stopped and started under the same address.
 *
 * <p>Threading: thread-safe.
 *
 * <p>Failure: {@link #start} and {@link #stop} throw {@link IllegalStateException} with the reason.
 */
public interface SampleServer extends AutoCloseable {

    /** Returns {@code host:port}. */
    String address();

    /** Returns a description of the server in a few words. */
    String description();

    /**
     * Returns whether the server runs. The sample does not know the state of a server that it did not start, so the
     * result is then true.
     */
    boolean isRunning();

    /** Returns the reason why this program cannot stop the server; empty if it can. */
    default String whyNotStoppable() {
        return "";
    }

    /** Stops the server, as if its machine were switched off. Does nothing if the server does not run. */
    void stop();

    /** Starts the server, empty, under the same address. Does nothing if the server runs. */
    void start();

    /** Stops the server for good; does nothing for a server that the sample did not start. */
    @Override
    void close();
}
