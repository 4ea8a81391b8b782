// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.migration;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.Effect;
import io.memshard.client.protocol.FoundItems;
import io.memshard.client.protocol.ItemCommand;
import io.memshard.client.protocol.MetaMultiGet;
import io.memshard.client.protocol.MetaMultiWrite;
import io.memshard.client.protocol.MetaMultiWrite.Outcomes;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.SendMode;
import io.memshard.sharding.copies.Copies.Copy;
import io.memshard.sharding.copies.CopiesClaim;
import io.memshard.sharding.copies.CopiesSender;
import io.memshard.sharding.copies.CopyRead;
import io.memshard.sharding.copies.CopyWrite;
import io.memshard.sharding.copies.ItemCopier;
import io.memshard.sharding.copies.ItemKey;
import io.memshard.sharding.copies.Sent;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.migration.MigrationStage;
import io.memshard.sharding.migration.MigrationStats;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sender over two fleets during a move from the source to the target fleet. {@code docs/moving-fleets.md} describes the
 * operations at each stage. Commands on a key that both rings place on the same server are executed as at
 * {@code ENDED}.
 *
 * <p>Guarantee: after a write has been acknowledged, no client at the same stage or at an adjacent stage reads an
 * earlier value. This requires that writes of the same key do not overlap.
 * <ul>
 *   <li>{@code PREPARING} and {@code MOVING}: a write has a first step in the source fleet and, after the reply, a
 *       second step in the target fleet. After the first step, the source fleet has no earlier value.
 *       {@link ItemCopier} claims an item in the target fleet, and then reads the source fleet. If the claim comes
 *       after the second step, the copier reads the new value or misses. If the claim comes before the second step,
 *       this step ends the claim, and the copy is rejected.
 *   <li>{@code MOVING} and {@code LEAVING}: writes are the same at both stages. At {@code LEAVING}, clients read only
 *       the target fleet, which has the value of each write.
 *   <li>{@code LEAVING} and {@code ENDED}: no client reads the source fleet, except to copy an item that was claimed at
 *       {@code MOVING}. Each later write of this item in the target fleet ends the claim, so the copy is rejected.
 * </ul>
 *
 * <p>The guarantee also holds for steps back from {@code LEAVING} or an earlier stage. Two exceptions exist. If the
 * first step times out, the source fleet may execute it after the second step. If two clients write a key
 * simultaneously, one at {@code PREPARING} and one at {@code MOVING}, the fleets may have different values.
 *
 * <p>Failure: if a server fails to delete the item in one fleet, the caller gets a
 * {@link io.memshard.client.exception.MemcachedReplicationException}. At {@code PREPARING}, the write was executed
 * before the delete. At later stages, only stores (also of loaded values), deletes and invalidations are executed
 * despite the failure. At {@code MOVING}, a read fails if one fleet fails and the other fleet fails or misses.
 *
 * <p>Threading: thread-safe. {@link #moveTo} applies to each command that is sent after the call.
 */
public final class Migration extends CopiesSender {

    private static final ClientLog LOG = ClientLog.of(Migration.class);

    private final Fleets fleets;

    /** Current stage, shared with the senders of {@link #withRoutingKey}. Each command reads the stage once. */
    private final AtomicReference<MigrationStage> current;

    public Migration(CommandSender source, CommandSender target, MigrationOptions options) {
        this(source, target, options, key -> true);
    }

    /** Creates a sender. {@code moves} returns false for a key that both rings place on the same server. */
    public Migration(
            CommandSender source, CommandSender target, MigrationOptions options, Predicate<? super String> moves) {
        if (source == target) {
            throw new IllegalArgumentException(
                    "the source and the target fleet are both " + source + ": pass two different fleets");
        }
        this.current = new AtomicReference<>(options.stage());
        ItemCopier copier = new ItemCopier(
                Clock.systemUTC(), options.ttlIfUnknown(), () -> stage() == MigrationStage.MOVING, options.maxCopies());
        this.fleets = new Fleets(source, target, copier, moves);
    }

    private Migration(Fleets fleets, AtomicReference<MigrationStage> current) {
        this.fleets = fleets;
        this.current = current;
    }

    @Override
    public Migration withRoutingKey(String key) {
        return new Migration(new Fleets(fleets, key), current);
    }

    public MigrationStage stage() {
        return Objects.requireNonNull(current.get()); // Never set to null.
    }

    public void moveTo(MigrationStage next) {
        Objects.requireNonNull(next, "stage is null");
        MigrationStage before = current.getAndSet(next);
        LOG.info(
                "migration of fleet {} to fleet {}: the stage changes from {} to {}; {}",
                fleets.source().sender(),
                fleets.target().sender(),
                before,
                next,
                stats());
    }

    public MigrationStats stats() {
        return fleets.counters().stats();
    }

    public int copiesUnderWay() {
        return fleets.copiesUnderWay();
    }

    private Copy serving(MigrationStage at) {
        return at == MigrationStage.PREPARING ? fleets.source() : fleets.target();
    }

    @Override
    protected CommandSender serving(@Nullable String key) {
        return serving(stageOf(key)).sender();
    }

    @Override
    public List<CommandSender> spread(SendMode mode) {
        return stage() == MigrationStage.ENDED ? fleets.target().sender().spread(mode) : super.spread(mode);
    }

    @Override
    public <I> Map<CommandSender, List<I>> byServer(List<I> items, Function<I, String> key) {
        return stage() == MigrationStage.ENDED
                ? fleets.target().sender().byServer(items, key)
                : super.byServer(items, key);
    }

    @Override
    protected <T> T call(Command<T> command, ItemCommand<T> item, long timeoutNanos) {
        MigrationStage now = stageOf(item.key());
        if (now == MigrationStage.MOVING) {
            return item.effect() == Effect.READ
                    ? read(fleets, command, item, timeoutNanos)
                    : super.call(command, item, timeoutNanos);
        }
        return now == MigrationStage.ENDED || isRead(item)
                ? serving(now).sender().call(command, timeoutNanos)
                : super.call(command, item, timeoutNanos);
    }

    private static boolean isRead(ItemCommand<?> command) {
        return switch (command.effect()) {
            case READ, READ_CAS, READ_AND_TOUCH, CLAIM -> true;
            default -> false;
        };
    }

    @Override
    protected <T> Sent<T> begin(Command<T> command, ItemCommand<T> item) {
        MigrationStage now = stageOf(item.key());
        return switch (now) {
            case ENDED -> passed(fleets.target().sender(), command);
            case PREPARING, LEAVING ->
                isRead(item) ? passed(serving(now).sender(), command) : write(CopyWrite.of(item), serving(now));
            case MOVING -> beginMoving(item);
        };
    }

    private <T> Sent<T> beginMoving(ItemCommand<T> item) {
        return switch (item.effect()) {
            case READ, READ_CAS, READ_AND_TOUCH -> {
                CopyRead.OfOne<T> read = CopyRead.of(item);
                yield beginMoving(read).map(read::result);
            }
            case CLAIM -> new CopiesClaim<>(fleets, item)::end;
            case STORE, DELETE, FILL, CAS -> write(CopyWrite.of(item), fleets.target());
            case STORE_IF, CHANGE, COUNT, INVALIDATE, TOUCH -> afterCopy(item);
        };
    }

    private MigrationStage stageOf(@Nullable String key) {
        MigrationStage now = stage();
        return now == MigrationStage.ENDED || key == null || fleets.differs(key) ? now : MigrationStage.ENDED;
    }

    @Override
    protected <V> Sent<FoundItems<V>> beginReads(MetaMultiGet<V> command) {
        MigrationStage now = stage();
        if (now == MigrationStage.MOVING) {
            return beginMoving(CopyRead.of(command));
        }
        return CopyRead.of(command).send(serving(now).sender(), command.keys());
    }

    private <V> Sent<FoundItems<V>> beginMoving(CopyRead<V> read) {
        if (read.command().effect() == Effect.READ) {
            return beginRead(fleets, read);
        }
        Sent<FoundItems<V>> sent = read.send(fleets.target().sender(), read.keys());
        return deadline ->
                sent.end(deadline).thenCompose(found -> new MoveRead<>(fleets, read).afterTarget(found, deadline));
    }

    @Override
    protected Sent<Outcomes> beginWrites(MetaMultiWrite command) {
        MigrationStage now = stage();
        CopyWrite<Outcomes> write = CopyWrite.of(command);
        return now == MigrationStage.ENDED
                ? write.send(fleets.target().sender()).map(write::result)
                : write(write, serving(now));
    }

    private <R> Sent<R> write(CopyWrite<R> write, Copy primary) {
        return new MoveWrite<>(fleets, write, primary)::end;
    }

    private <T> Sent<T> afterCopy(ItemCommand<T> command) {
        return deadline -> fleets.addIfMissing(ItemKey.of(command), deadline)
                .thenCompose(
                        result -> write(CopyWrite.of(command), fleets.target()).end(deadline));
    }

    @Override
    public String toString() {
        return stage() == MigrationStage.ENDED
                ? fleets.target().sender().toString()
                : fleets.source().sender() + " to " + fleets.target().sender() + ", " + stage();
    }
}
