// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.FoundItems;
import io.memshard.client.protocol.ItemCommand;
import io.memshard.client.protocol.ItemsCommand;
import io.memshard.client.protocol.MetaMultiGet;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Read of one or many keys, which may query several copies of the data. Immutable. */
public sealed interface CopyRead<V> {

    static <V> CopyRead<V> of(MetaMultiGet<V> command) {
        return new OfMany<>(command);
    }

    static <T> OfOne<T> of(ItemCommand<T> command) {
        return new OfOne<>(command);
    }

    static <V> FoundItems<V> merged(List<String> keys, List<FoundItems<V>> parts) {
        Map<String, V> found = new HashMap<>();
        Map<String, MemcachedException> failures = new LinkedHashMap<>();
        for (FoundItems<V> part : parts) {
            part.forEachHit(found::put);
            failures.putAll(part.failures());
        }
        Map<String, V> hits = new LinkedHashMap<>();
        keys.stream().filter(found::containsKey).forEach(key -> hits.put(key, found.get(key)));
        return new FoundItems<>(hits, failures);
    }

    ItemsCommand<?> command();

    List<String> keys();

    ItemKey itemKey(String key);

    Sent<FoundItems<V>> send(CommandSender copy, List<String> keys);

    List<Command<?>> touches();

    record OfMany<V>(MetaMultiGet<V> command)
            implements CopyRead<V>, SentByServer.Kind<String, FoundItems<V>, FoundItems<V>> {

        @Override
        public List<String> keys() {
            return command.keys();
        }

        @Override
        public ItemKey itemKey(String key) {
            return new ItemKey(key, false);
        }

        @Override
        public Sent<FoundItems<V>> send(CommandSender copy, List<String> keys) {
            return new SentByServer<>(copy, this, keys);
        }

        @Override
        public String key(String key) {
            return key;
        }

        @Override
        public Command<FoundItems<V>> command(List<String> keys) {
            return command.only(keys);
        }

        @Override
        public FoundItems<V> answer(CommandSender server, List<String> keys, FoundItems<V> found) {
            if (found.errors().isEmpty()) {
                return found;
            }
            Map<String, MemcachedException> failures = new LinkedHashMap<>(found.failures());
            found.errors()
                    .forEach((key, error) ->
                            failures.put(key, error.toException(server.context(command.verb(), key, Phase.REPLIED))));
            return new FoundItems<>(found.hits(), failures);
        }

        @Override
        public FoundItems<V> failed(List<String> keys, MemcachedException failure) {
            Map<String, MemcachedException> failures = new LinkedHashMap<>();
            keys.forEach(key -> failures.put(key, failure.ofKey(key)));
            return new FoundItems<>(Map.of(), failures);
        }

        @Override
        public FoundItems<V> merged(List<String> keys, List<FoundItems<V>> parts) {
            return CopyRead.merged(keys, parts);
        }

        @Override
        public List<Command<?>> touches() {
            return command.touches();
        }
    }

    record OfOne<T>(ItemCommand<T> command) implements CopyRead<T> {

        @Override
        public List<String> keys() {
            return List.of(command.key());
        }

        @Override
        public ItemKey itemKey(String key) {
            return ItemKey.of(command);
        }

        @Override
        public Sent<FoundItems<T>> send(CommandSender copy, List<String> keys) {
            Reply<T> reply = copy.send(command.again());
            return deadline -> reply.toFuture(deadline.left()).handle(this::answer);
        }

        public FoundItems<T> answer(@Nullable T found, @Nullable Throwable thrown) {
            Map<String, T> hits = found == null ? Map.of() : Map.of(command.key(), found);
            return new FoundItems<>(hits, thrown == null ? Map.of() : Map.of(command.key(), Answer.known(thrown)));
        }

        @SuppressWarnings("NullAway") // The result of such a command is null on a miss.
        public T result(FoundItems<T> found) {
            MemcachedException failure = found.failures().get(command.key());
            if (failure != null) {
                throw failure;
            }
            return found.hits().get(command.key());
        }

        @Override
        public List<Command<?>> touches() {
            return List.of(command.touchOnly());
        }
    }
}
