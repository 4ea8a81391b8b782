// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Several fake servers, of which the hash of the key chooses one. A command has keys of one server only. */
public record FakeCluster(List<FakeFleet> servers) implements CommandSender {

    /** The server that has a key. */
    public FakeFleet of(@Nullable String key) {
        return servers.get(Math.floorMod(String.valueOf(key).hashCode(), servers.size()));
    }

    @Override
    public <T> Reply<T> send(Command<T> command, SendMode mode) {
        if (command.keyCount() > 1) {
            throw new AssertionError("a command of several keys was not cut by server");
        }
        return of(command.key()).send(command, mode);
    }

    @Override
    public <I> Map<CommandSender, List<I>> byServer(List<I> items, Function<I, String> key) {
        Map<CommandSender, List<I>> groups = new LinkedHashMap<>();
        items.forEach(item -> groups.computeIfAbsent(of(key.apply(item)), any -> new ArrayList<>())
                .add(item));
        return groups;
    }

    @Override
    public CompletableFuture<@Nullable Void> pause(long nanos) {
        return servers.get(0).pause(nanos);
    }
}
