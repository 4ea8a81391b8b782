package io.memshard.client.multi;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.protocol.ErrorReply;
import io.memshard.client.protocol.Key;
import io.memshard.client.protocol.MetaMultiWrite;
import io.memshard.client.protocol.MetaMultiWrite.Outcome;
import io.memshard.client.protocol.MetaMultiWrite.Outcomes;
import io.memshard.client.protocol.MetaMultiWrite.Write;
import io.memshard.client.protocol.MetaSet;
import io.memshard.client.protocol.StoreStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The common part of storing and deleting many items: writes are sent in parts, and each key has its outcome.
 *
 * <p>Threading: confined to one thread at a time.
 *
 * @param <R> the result
 */
abstract class MultiWrite<R> extends MultiOperation<MultiWrite.Part, MetaMultiWrite.Outcomes, R> {

    /** The writes of a command, and whether the server replies only to failures. */
    record Part(List<Write> writes, boolean quiet) {}

    private final List<Write> writes = new ArrayList<>();

    /** What happened to each key: a {@link StoreStatus} or a {@link MemcachedException}; null until it is known. */
    private final Map<String, @Nullable Object> outcomes = new LinkedHashMap<>();

    /** Adds a key to write. */
    final void add(Write write) {
        writes.add(write);
        outcomes.put(write.key(), null);
    }

    /** Takes in the failure of a key. */
    final void takeFailure(String key, MemcachedException failure) {
        outcomes.put(key, failure);
    }

    /** Whether commands are quiet at first. */
    abstract boolean isQuiet();

    /** Whether this operation can have that status for a key. */
    abstract boolean isExpected(StoreStatus status);

    @Override
    final List<Part> parts() {
        return MultiParts.of(writes, MultiWrite::requestBytes).stream()
                .map(part -> new Part(part, isQuiet()))
                .toList();
    }

    private static int requestBytes(Write write) {
        MetaSet.Item stored = write.stored();
        int data = stored == null ? 0 : stored.data().length;
        return Math.addExact(data, Key.checkLength(write.key()) + MultiParts.FLAGS_BYTES);
    }

    @Override
    final @Nullable Part takeAnswer(Part part, Outcomes answer, Function<String, CommandContext> contexts) {
        if (answer.undecided()) {
            // Repeating what was done changes nothing, and this time there is a reply for each key.
            return new Part(part.writes, false);
        }
        List<Outcome> replies = answer.each();
        for (int i = 0; i < replies.size(); i++) {
            String key = part.writes.get(i).key();
            outcomes.put(key, outcome(replies.get(i), contexts.apply(key)));
        }
        return null;
    }

    private Object outcome(Outcome reply, CommandContext context) {
        StoreStatus status = reply.status();
        ErrorReply error = reply.error();
        if (error == null) {
            return status != null && isExpected(status)
                    ? status
                    : new MemcachedServerException("the server answered " + status, context, null);
        }
        return error.toException(context);
    }

    @Override
    final void takeFailure(Part part, MemcachedException failure) {
        part.writes.forEach(write -> takeFailure(write.key(), failure.ofKey(write.key())));
    }

    /** The keys with this status. */
    final Set<String> keysWith(StoreStatus status) {
        Set<String> keys = new LinkedHashSet<>();
        outcomes.forEach((key, outcome) -> {
            if (outcome == status) {
                keys.add(key);
            }
        });
        return Collections.unmodifiableSet(keys);
    }

    /** The keys that failed, and why. */
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
