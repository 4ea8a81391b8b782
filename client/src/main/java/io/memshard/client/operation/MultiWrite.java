// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.argument.ValueCoder;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.exception.Phase;
import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.multi.MultiSetResult;
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
import io.memshard.client.transcoder.EncodedValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
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
 * Multi-set or multi-delete.
 *
 * <p>If a value to store is too large, the item is deleted, because its old value is obsolete. If the server rejects
 * some of many stores without naming them, the stores are sent again with a reply for each key.
 *
 * <p>Threading: confined to one thread at a time.
 */
final class MultiWrite<R> extends MultiCall<MultiWrite.Part, MetaMultiWrite.Outcomes, R> {

    /** Writes of one command. {@code isRepeated} is true if an earlier reply did not show which of them failed. */
    record Part(List<Write> writes, boolean isRepeated) {}

    /** Approximate length of the verb, the flags and the opaque in the request for a key, in bytes. */
    private static final int FLAGS_BYTES = 64;

    private final String name;
    private final Function<MultiWrite<R>, R> result;
    private final MultiKeys keys;
    private final List<Write> stores = new ArrayList<>();
    private final List<Write> deletes = new ArrayList<>();

    /** Outcome of each key: a {@link StoreStatus} or a {@link MemcachedException}; null until it is known. */
    private final Map<String, @Nullable Object> outcomes;

    private MultiWrite(String name, KeyRule rule, Function<MultiWrite<R>, R> result) {
        this.name = name;
        this.result = result;
        keys = new MultiKeys(rule);
        outcomes = keys.outcomes();
    }

    static <V> MultiWrite<MultiSetResult> set(
            ValueCoder<V> coder, KeyRule rule, Map<String, ? extends V> values, Duration ttl) {
        MultiWrite<MultiSetResult> write = new MultiWrite<>(
                MetaMultiWrite.STORES,
                rule,
                done -> new MultiSetResult(done.keysWith(StoreStatus.DONE), done.failures()));
        int exptime = coder.exptime(ttl);
        Objects.requireNonNull(values, "values is null")
                .forEach((key, value) -> write.add(key, () -> {
                    EncodedValue encoded = coder.encode(value);
                    return new MetaSet.Item(encoded.data(), encoded.flags(), exptime);
                }));
        return write;
    }

    static MultiWrite<MultiDeleteResult> delete(KeyRule rule, Collection<String> keys) {
        MultiWrite<MultiDeleteResult> write = new MultiWrite<>(
                MetaMultiWrite.DELETES,
                rule,
                done -> new MultiDeleteResult(
                        done.keysWith(StoreStatus.DONE), done.keysWith(StoreStatus.NOT_FOUND), done.failures()));
        new LinkedHashSet<>(Objects.requireNonNull(keys, "keys is null")).forEach(key -> write.add(key, () -> null));
        return write;
    }

    /**
     * Adds a key to write, unless the key is illegal. {@code item} returns null for a delete. If the value is too
     * large, adds a delete.
     */
    private void add(String key, Supplier<MetaSet.@Nullable Item> item) {
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
    private void record(String key, Object outcome) {
        if (!(outcomes.get(key) instanceof MemcachedException failure)) {
            outcomes.put(key, outcome);
        } else if (outcome instanceof MemcachedException second) {
            Futures.suppress(second, failure);
        }
    }

    @Override
    String name() {
        return name;
    }

    @Override
    int keyCount() {
        return outcomes.size();
    }

    @Override
    List<Part> unsplit() {
        return List.of(new Part(stores, false), new Part(deletes, false));
    }

    @Override
    Map<CommandSender, List<Part>> split(Part part, CommandSender sender) {
        return split(
                sender,
                part.writes,
                Write::key,
                MultiWrite::requestBytes,
                MAX_BYTES,
                piece -> new Part(piece, part.isRepeated));
    }

    @Override
    Command<Outcomes> command(Part part) {
        if (isDelete(part.writes.get(0))) {
            return MetaMultiWrite.deletes(part.writes);
        }
        MetaMultiWrite stores = MetaMultiWrite.stores(part.writes);
        return part.isRepeated ? stores.replied(part.writes) : stores;
    }

    @Override
    Phase phaseUnsent(Part part) {
        return part.isRepeated ? Phase.REPLIED : Phase.QUEUED;
    }

    private static boolean isDelete(Write write) {
        return write.stored() == null;
    }

    private static int requestBytes(Write write) {
        MetaSet.Item stored = write.stored();
        int data = stored == null ? 0 : stored.data().length;
        return Math.addExact(data, KeyRule.checkLength(write.key()) + FLAGS_BYTES);
    }

    @Override
    @Nullable
    Part take(Part part, Outcomes answer, Function<String, CommandContext> contexts) {
        if (answer.undecided()) {
            // Storing the same values again does no harm, and this time there is a reply for each key.
            return new Part(part.writes, true);
        }
        List<Outcome> replies = answer.each();
        List<Write> tooLarge = new ArrayList<>();
        for (int i = 0; i < replies.size(); i++) {
            Write write = part.writes.get(i);
            Object outcome = outcome(replies.get(i), contexts.apply(write.key()));
            record(keys.written(write.key()), outcome);
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
    void take(Part part, MemcachedException failure) {
        part.writes.forEach(write -> record(keys.written(write.key()), failure.ofKey(write.key())));
    }

    @Override
    R result() {
        return result.apply(this);
    }

    private Set<String> keysWith(StoreStatus status) {
        Set<String> keys = new LinkedHashSet<>();
        outcomes.forEach((key, outcome) -> {
            if (outcome == status) {
                keys.add(key);
            }
        });
        return Collections.unmodifiableSet(keys);
    }

    private Map<String, MemcachedException> failures() {
        Map<String, MemcachedException> failures = new LinkedHashMap<>();
        outcomes.forEach((key, outcome) -> {
            if (outcome instanceof MemcachedException failure) {
                failures.put(key, failure);
            }
        });
        return Collections.unmodifiableMap(failures);
    }
}
