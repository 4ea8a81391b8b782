// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.argument.ValueCoder;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.multi.MultiWriteResult;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaMultiWrite;
import io.memshard.client.protocol.MetaMultiWrite.Outcome;
import io.memshard.client.protocol.MetaMultiWrite.Outcomes;
import io.memshard.client.protocol.MetaMultiWrite.Write;
import io.memshard.client.protocol.MetaSet;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.transcoder.EncodedValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Multi-set or multi-delete. A value that is too large deletes the item, because the old value is obsolete. */
final class MultiWrite extends MultiCall<Write, Outcomes, MultiWriteResult> {

    /** Maximum size of a command. One write can send the command, because a connection's buffer has 64 KiB. */
    private static final int MAX_BYTES = 32 * 1024;

    /** Estimated length of the verb, the flags and the opaque of a request. */
    private static final int FLAGS_BYTES = 64;

    private final List<Write> stores = new ArrayList<>();
    private final List<Write> deletes = new ArrayList<>();

    private MultiWrite(Calls calls, String name, MultiKeys keys) {
        super(calls, name, keys, MAX_BYTES);
    }

    @SuppressWarnings("NullAway") // The coder rejects a null value.
    static <V> MultiWrite set(
            Calls calls, ValueCoder<V> coder, MultiKeys keys, Map<String, ? extends V> values, int exptime) {
        MultiWrite set = new MultiWrite(calls, MetaMultiWrite.STORES, keys);
        for (String key : keys.stored()) {
            try {
                EncodedValue encoded = coder.encode(values.get(keys.written(key)));
                set.stores.add(new Write(key, new MetaSet.Item(encoded.data(), encoded.flags(), exptime)));
            } catch (MemcachedValueTooLargeException e) {
                set.deletes.add(new Write(key, null));
                set.record(key, e);
            }
        }
        return set;
    }

    static MultiWrite delete(Calls calls, MultiKeys keys) {
        MultiWrite delete = new MultiWrite(calls, MetaMultiWrite.DELETES, keys);
        keys.stored().forEach(key -> delete.deletes.add(new Write(key, null)));
        return delete;
    }

    @Override
    List<List<Write>> unsplit() {
        return List.of(stores, deletes);
    }

    @Override
    String key(Write write) {
        return write.key();
    }

    @Override
    int requestBytes(Write write) {
        MetaSet.Item stored = write.stored();
        int data = stored == null ? 0 : stored.data().length;
        return Math.addExact(data, KeyRule.checkLength(write.key()) + FLAGS_BYTES);
    }

    @Override
    Command<Outcomes> command(Part<Write> part) {
        if (part.items().get(0).stored() == null) {
            return MetaMultiWrite.deletes(part.items());
        }
        MetaMultiWrite command = MetaMultiWrite.stores(part.items());
        return part.isRepeated() ? command.replied(part.items()) : command;
    }

    @Override
    @Nullable
    Part<Write> take(Part<Write> part, Outcomes answer, Function<String, CommandContext> contexts) {
        if (answer.undecided()) {
            // Storing the same values again does no harm, and the server then replies for each key.
            return new Part<>(part.items(), true);
        }
        List<Write> tooLarge = new ArrayList<>();
        for (int i = 0; i < answer.each().size(); i++) {
            Write write = part.items().get(i);
            Object outcome = outcome(answer.each().get(i), write.key(), contexts);
            record(write.key(), outcome);
            if (outcome instanceof MemcachedValueTooLargeException && write.stored() != null) {
                tooLarge.add(new Write(write.key(), null));
            }
        }
        return tooLarge.isEmpty() ? null : new Part<>(tooLarge, false);
    }

    private static Object outcome(Outcome reply, String key, Function<String, CommandContext> contexts) {
        if (reply.failure() != null) {
            return reply.failure();
        }
        ErrorReply error = reply.error();
        return error == null ? Objects.requireNonNull(reply.status()) : error.toException(contexts.apply(key));
    }

    @Override
    MultiWriteResult result() {
        return new MultiWriteResult(keysWith(StoreStatus.DONE), keysWith(StoreStatus.NOT_FOUND), keys.failures());
    }

    private Set<String> keysWith(StoreStatus status) {
        Set<String> some = new LinkedHashSet<>();
        keys.outcomes.forEach((key, outcome) -> {
            if (outcome == status) {
                some.add(key);
            }
        });
        return Collections.unmodifiableSet(some);
    }
}
