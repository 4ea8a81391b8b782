// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What an arm is opened for.
 *
 * <p>Threading: immutable.
 *
 * @param condition to run under
 * @param profile size of the machine that is meant
 * @param server the memcached or Redis, empty and ready; null if the experiment needs none
 */
public record Setup(
        Condition condition, Profile profile, @Nullable InetSocketAddress server) {

    /** The server of an experiment that asked for one. */
    public InetSocketAddress serverOrThrow() {
        if (server == null) {
            throw new IllegalStateException("the experiment asks for no server under " + condition.label());
        }
        return server;
    }
}
