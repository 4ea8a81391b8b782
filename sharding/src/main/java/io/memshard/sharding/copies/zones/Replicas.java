// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.zones;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.Effect;
import io.memshard.client.protocol.FoundItems;
import io.memshard.client.protocol.ItemCommand;
import io.memshard.client.protocol.MetaMultiGet;
import io.memshard.client.protocol.MetaMultiWrite;
import io.memshard.client.protocol.MetaMultiWrite.Outcomes;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.sharding.copies.Copies.Copy;
import io.memshard.sharding.copies.CopiesClaim;
import io.memshard.sharding.copies.CopiesSender;
import io.memshard.sharding.copies.CopyRead;
import io.memshard.sharding.copies.CopyWrite;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.Sent;
import io.memshard.sharding.replica.ReplicaOptions;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sender over several zones. {@code docs/zones.md} says which zones execute a command. Thread-safe.
 *
 * <p>After a change such as {@code append} in one zone, the other zones delete the item. Two changes could otherwise
 * arrive there in the opposite order. A cas unique is valid only in one zone.
 */
public final class Replicas extends CopiesSender {

    private final Zones zones;

    public Replicas(
            Map<String, ? extends CommandSender> senders,
            ReplicaOptions options,
            @Nullable ConnectionListener listener) {
        this(new Zones(senders, options, listener));
    }

    private Replicas(Zones zones) {
        this.zones = zones;
    }

    @Override
    public Replicas withRoutingKey(String key) {
        return new Replicas(new Zones(zones, key));
    }

    @Override
    protected CommandSender serving(@Nullable String key) {
        return zones.first().sender();
    }

    @Override
    protected <T> T call(Command<T> command, ItemCommand<T> item, long timeoutNanos) {
        return switch (item.effect()) {
            case READ -> read(zones, command, item, timeoutNanos);
            case READ_CAS -> decided(command, item, timeoutNanos);
            default -> super.call(command, item, timeoutNanos);
        };
    }

    private <T> T decided(Command<T> command, ItemCommand<T> item, long timeoutNanos) {
        try {
            T result = zones.decider().sender().call(command, timeoutNanos);
            zones.report(item, Map.of(zones.decider().name(), result == null ? 0 : 1), Map.of(), Set.of());
            return result;
        } catch (MemcachedException e) {
            zones.report(item, Map.of(), Map.of(zones.decider().name(), e), Set.of());
            throw e;
        }
    }

    @Override
    protected <T> Sent<T> begin(Command<T> command, ItemCommand<T> item) {
        return switch (item.effect()) {
            case READ, READ_AND_TOUCH -> {
                CopyRead.OfOne<T> read = CopyRead.of(item);
                yield beginRead(read).map(read::result);
            }
            case READ_CAS, FILL -> passed(zones.decider().sender(), command);
            case CLAIM -> new CopiesClaim<>(zones, item)::end;
            case STORE, DELETE, TOUCH, INVALIDATE -> write(CopyWrite.of(item), false);
            case STORE_IF, CAS, CHANGE -> write(CopyWrite.of(item), true);
            case COUNT -> zones.options().owner() == null ? refused(item) : write(CopyWrite.of(item), true);
        };
    }

    @Override
    protected <V> Sent<FoundItems<V>> beginReads(MetaMultiGet<V> command) {
        if (command.effect() == Effect.READ_CAS) {
            return CopyRead.of(command).send(zones.decider().sender(), command.keys());
        }
        return beginRead(CopyRead.of(command));
    }

    @Override
    protected Sent<Outcomes> beginWrites(MetaMultiWrite command) {
        return write(CopyWrite.of(command), false);
    }

    private <R> Sent<R> write(CopyWrite<R> write, boolean isDecided) {
        String verb = write.command().verb();
        return new ZoneWrite<>(zones, write, key -> context(verb, key, Phase.AWAITING_REPLY), isDecided)::end;
    }

    private <V> Sent<FoundItems<V>> beginRead(CopyRead<V> read) {
        Sent<FoundItems<V>> running = beginRead(zones, read);
        return read.command().effect() != Effect.READ_AND_TOUCH
                ? running
                : deadline -> {
                    touchOthers(read, deadline);
                    return running.end(deadline);
                };
    }

    private void touchOthers(CopyRead<?> read, Deadline deadline) {
        for (Copy zone : zones.but(zones.first())) {
            for (Command<?> touch : read.touches()) {
                Reply<?> reply = zone.sender().send(touch);
                zones.reportFailureOf(zone.name(), read.command().operation(), reply.toFuture(deadline.left()));
            }
        }
    }

    private <T> Sent<T> refused(ItemCommand<T> command) {
        MemcachedUnsupportedException failure = new MemcachedUnsupportedException(
                "counters require an owner zone: set the owner of the ReplicaOptions, as in ReplicaOptions.of(\""
                        + zones.first().name() + "\").withOwner(\""
                        + zones.first().name() + "\")",
                context(command.verb(), command.key(), Phase.QUEUED),
                null);
        return deadline -> CompletableFuture.failedFuture(failure);
    }

    @Override
    public String toString() {
        return "zones " + zones;
    }
}
