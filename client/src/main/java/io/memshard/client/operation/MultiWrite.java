// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaMultiWrite;
import io.memshard.client.protocol.MetaMultiWrite.Outcome;
import io.memshard.client.protocol.MetaMultiWrite.Outcomes;
import io.memshard.client.protocol.MetaMultiWrite.Write;
import io.memshard.client.protocol.MetaSet;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.sender.CommandSender;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Common part of multi-set and multi-delete: writes are sent in parts, and each key has its outcome.
 *
 * <p>If a value to store is too large, the item is deleted, because its old value would be wrong.
 *
 * <p>Threading: confined to one thread at a time.
 *
 * @param <R> the result
 */
abstract class MultiWrite<R> extends MultiOperation<MultiWrite.Part, MetaMultiWrite.Outcomes, R> {

    /**
     * Writes of one command. {@code isRepeated} is true if they are sent again because the replies did not say which
     * writes failed.
     */
    record Part(List<Write> writes, boolean isRepeated) {}

    private final MultiKeys keys;
    private final List<Write> stores = new ArrayList<>();
    private final List<Write> deletes = new ArrayList<>();

    /** Outcome of each key: a {@link StoreStatus} or a {@link MemcachedException}; null until it is known. */
    private final Map<String, @Nullable Object> outcomes;

    MultiWrite(KeyRule rule) {
        keys = new MultiKeys(rule);
        outcomes = keys.outcomes();
    }

    /**
     * Adds a key to write, unless the key is illegal. If the value is too large, the existing item is deleted.
     *
     * @param item supplier of the item to store under the key; it returns null to delete the item
     */
    final void add(String key, Supplier<MetaSet.@Nullable Item> item) {
        String stored = keys.add(key);
        if (stored == null) {
            outcomes.put(key, keys.illegal().get(key));
            return;
        }
        try {
            MetaSet.Item made = item.get();
            (made == null ? deletes : stores).add(new Write(stored, made));
        } catch (MemcachedValueTooLargeException e) {
            deletes.add(new Write(stored, null));
            outcomes.put(key, e);
        }
    }

    /**
     * Records the outcome of a key. If the store of the key has already failed, {@code outcome} belongs to the delete
     * that followed. Only a failure of that delete is then recorded, as a suppressed exception.
     */
    private void take(String key, Object outcome) {
        if (!(outcomes.get(key) instanceof MemcachedException failure)) {
            outcomes.put(key, outcome);
        } else if (outcome instanceof MemcachedException second) {
            Futures.suppress(second, failure);
        }
    }

    @Override
    final int keyCount() {
        return outcomes.size();
    }

    @Override
    final Map<CommandSender, List<Part>> parts(CommandSender sender) {
        Map<CommandSender, List<Part>> parts = parts(new Part(stores, false), sender);
        parts(new Part(deletes, false), sender)
                .forEach((server, more) ->
                        parts.computeIfAbsent(server, any -> new ArrayList<>()).addAll(more));
        return parts;
    }

    @Override
    final Map<CommandSender, List<Part>> parts(Part part, CommandSender sender) {
        return MultiParts.of(
                sender,
                part.writes,
                Write::key,
                MultiWrite::requestBytes,
                MultiParts.MAX_BYTES,
                piece -> new Part(piece, part.isRepeated));
    }

    @Override
    final Command<Outcomes> command(Part part) {
        if (isDelete(part.writes.get(0))) {
            return MetaMultiWrite.deletes(part.writes);
        }
        return part.isRepeated ? MetaMultiWrite.repliedStores(part.writes) : MetaMultiWrite.stores(part.writes);
    }

    @Override
    final Phase phaseUnsent(Part part) {
        return part.isRepeated ? Phase.REPLIED : Phase.QUEUED;
    }

    private static boolean isDelete(Write write) {
        return write.stored() == null;
    }

    private static int requestBytes(Write write) {
        MetaSet.Item stored = write.stored();
        int data = stored == null ? 0 : stored.data().length;
        return Math.addExact(data, KeyRule.checkLength(write.key()) + MultiParts.FLAGS_BYTES);
    }

    @Override
    final @Nullable Part takeAnswer(Part part, Outcomes answer, Function<String, CommandContext> contexts) {
        if (answer.undecided()) {
            // Storing the same values again does no harm, and this time there is a reply for each key.
            return new Part(part.writes, true);
        }
        List<Outcome> replies = answer.each();
        List<Write> tooLarge = new ArrayList<>();
        for (int i = 0; i < replies.size(); i++) {
            Write write = part.writes.get(i);
            Object outcome = outcome(replies.get(i), contexts.apply(write.key()));
            take(keys.written(write.key()), outcome);
            if (outcome instanceof MemcachedValueTooLargeException && !isDelete(write)) {
                tooLarge.add(new Write(write.key(), null));
            }
        }
        return tooLarge.isEmpty() ? null : new Part(tooLarge, false);
    }

    private static Object outcome(Outcome reply, CommandContext context) {
        MemcachedException failure = reply.failure();
        if (failure != null) {
            return failure;
        }
        ErrorReply error = reply.error();
        return error == null ? Objects.requireNonNull(reply.status()) : error.toException(context);
    }

    @Override
    final void takeFailure(Part part, MemcachedException failure) {
        part.writes.forEach(write -> take(keys.written(write.key()), failure.ofKey(write.key())));
    }

    /** Returns the keys with this status. */
    final Set<String> keysWith(StoreStatus status) {
        Set<String> keys = new LinkedHashSet<>();
        outcomes.forEach((key, outcome) -> {
            if (outcome == status) {
                keys.add(key);
            }
        });
        return Collections.unmodifiableSet(keys);
    }

    /** Returns the failed keys with their failures. */
    final Map<String, MemcachedException> failures() {
        Map<String, MemcachedException> failures = new LinkedHashMap<>();
        outcomes.forEach((key, outcome) -> {
            if (outcome instanceof MemcachedException failure) {
                failures.put(key, failure);
            }
        });
        return Collections.unmodifiableMap(failures);
    }
}
