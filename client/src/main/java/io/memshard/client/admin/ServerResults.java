// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.admin;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.options.ServerAddress;
import java.util.Map;

/**
 * What each server answered. Every server is in exactly one of the two.
 *
 * <p>Threading: immutable.
 *
 * @param answers the answers, in the order of the servers
 * @param failures the servers without an answer, with the cause
 */
public record ServerResults<T>(Map<ServerAddress, T> answers, Map<ServerAddress, MemcachedException> failures) {

    /** The answers; throws the first failure if there is any. */
    public Map<ServerAddress, T> answersOrThrow() {
        for (MemcachedException failure : failures.values()) {
            throw failure;
        }
        return answers;
    }

    /**
     * The answer of the only server; throws its failure if there is none.
     *
     * @throws IllegalStateException if several servers were asked
     */
    public T single() {
        int servers = answers.size() + failures.size();
        if (servers != 1) {
            throw new IllegalStateException(
                    "single() is for one server, and " + servers + " were asked: use answersOrThrow()");
        }
        return answersOrThrow().values().iterator().next();
    }
}
