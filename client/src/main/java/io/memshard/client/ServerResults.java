package io.memshard.client;

import io.memshard.client.connection.ServerAddress;
import io.memshard.client.exception.MemcachedException;
import java.util.Map;

/**
 * What each server answered. Every server is in exactly one of the two.
 *
 * <p>Threading: immutable.
 *
 * @param answers the answers, in the order of the servers
 * @param failures the servers without one, with the cause
 */
public record ServerResults<T>(Map<ServerAddress, T> answers, Map<ServerAddress, MemcachedException> failures) {

    /** The answers, or the first failure thrown when there is any. */
    public Map<ServerAddress, T> answersOrThrow() {
        for (MemcachedException failure : failures.values()) {
            throw failure;
        }
        return answers;
    }
}
