// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.servers;

/**
 * A memcached that may be stopped and started under the same address.
 *
 * <p>Threading: thread-safe. {@code Failure}: {@link #start} and {@link #stop} throw {@link IllegalStateException} with
 * the reason.
 */
public interface SampleServer extends AutoCloseable {

    /** {@code host:port}. */
    String address();

    /** What it is, in a few words. */
    String description();

    /** Whether it was not stopped. Of a server that was given, nobody here knows more. */
    boolean isRunning();

    /** Why this program cannot stop it; empty if it can. */
    default String whyNotStoppable() {
        return "";
    }

    /** Ends it, as if its machine were switched off. Nothing happens if it does not run. */
    void stop();

    /** Starts it, empty, under the same address. Nothing happens if it runs. */
    void start();

    /** Ends it for good. */
    @Override
    void close();
}
