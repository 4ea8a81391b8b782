// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.migration;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.Effect;
import io.memshard.client.protocol.FoundItems;
import io.memshard.client.protocol.ItemCommand;
import io.memshard.client.protocol.MetaMultiGet;
import io.memshard.client.protocol.MetaMultiWrite;
import io.memshard.client.protocol.MetaMultiWrite.Outcomes;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.RoutingSender;
import io.memshard.client.sender.SendMode;
import io.memshard.sharding.copies.BackgroundCopies;
import io.memshard.sharding.copies.CopiesSender;
import io.memshard.sharding.copies.CopyRead;
import io.memshard.sharding.copies.CopyWrite;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.ItemCopier;
import io.memshard.sharding.copies.ItemKey;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.migration.MigrationStage;
import io.memshard.sharding.migration.MigrationStats;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sender over two fleets during a move from the source to the target fleet. Each fleet has a sender with its own ring
 * and protocol; keys are the same in both fleets.
 *
 * <p>Fleets may have servers in common. If both rings place an item on the same server, the item belongs to the target
 * fleet only.
 *
 * <p>While the target fleet serves and takes over items ({@link MigrationStage#MOVING}):
 * <ul>
 *   <li>A read queries the target fleet and, after a miss or a failure, the source fleet. An item that only the source
 *       fleet has is copied in the background, with the remaining time to live. {@link ItemCopier} ensures that no copy
 *       outlives a delete.
 *   <li>A store, delete or {@code cas} first deletes the item in the source fleet, waits for the reply, and then goes
 *       to the target fleet. So a value that was replaced or deleted cannot return from the source fleet, even if the
 *       target fleet loses the item.
 *   <li>Any other command whose outcome depends on the item is executed in the target fleet, after the item was copied
 *       there. If another caller is copying the item, the command waits for that copy. If the command may change the
 *       item, the item in the source fleet is deleted after the copy and before the command.
 *   <li>In {@code getOrLoad} the target fleet chooses the caller that loads. The chosen caller first looks for the
 *       value in the source fleet.
 * </ul>
 *
 * <p>At the other stages only one fleet serves. The other fleet only deletes items, or gets no commands.
 *
 * <h2>Instances of an application at two stages</h2>
 *
 * <p>A write is <em>undone</em> if a client reads an earlier value after the write was acknowledged. A miss does not
 * count as an earlier value. The following argument applies to successive writes of one key. Each write begins after
 * the previous write was acknowledged.
 *
 * <p><b>A client of the source fleet alone, and {@code PREPARING}.</b> Clients of both kinds read and write the source
 * fleet. The target fleet is neither read nor filled.
 *
 * <p><b>{@code PREPARING} and {@code MOVING}.</b> A write at either stage has two steps. The first step is in the
 * source fleet. After its reply, the second step follows in the target fleet. {@code PREPARING} writes and then
 * deletes; {@code MOVING} deletes and then writes. After the first step, the source fleet no longer has an earlier
 * value. A copy that wins its claim in the target fleet after the second step therefore reads the new value, or none. A
 * copy that won its claim before the second step loses the claim through that step. So after the second step, neither
 * fleet has an earlier value, and the write is acknowledged only then. If the first step fails in {@code PREPARING}, it
 * may have been executed nevertheless, so the second step follows. The second step is omitted only if nothing was sent,
 * or if the source fleet replies that it has changed nothing. A write without an answer may arrive even after the
 * second step. Then the two fleets differ until the next write of the key. Even with a single fleet, such a write may
 * leave a value that its caller does not expect. The argument does not cover such a write, because the write was never
 * acknowledged.
 *
 * <p><b>{@code MOVING} and {@code LEAVING}.</b> The writes at both stages are the same, so the argument about copies
 * still holds. {@code LEAVING} reads only the target fleet, where each write has left its value.
 *
 * <p><b>{@code LEAVING} and {@code ENDED}.</b> Clients at both stages read and write the target fleet. No client reads
 * the source fleet. Its values may be outdated, because {@code ENDED} does not delete there. Therefore no client may be
 * at {@code MOVING} while another client is at {@code ENDED}. A copy that began before its client left {@code MOVING}
 * has already won its claim. Each later delete in the target fleet ends that claim: see {@link ItemCopier}. So a client
 * may also go from {@code MOVING} to {@code ENDED} directly, if no other client is at {@code MOVING}.
 *
 * <p>This argument does not depend on which of two adjacent stages comes first, so it also holds for the way back. The
 * only exception is {@code ENDED}: the way back stops at {@code LEAVING}. The source fleet has missed writes, and a
 * client at {@code MOVING} would read outdated values there. In the same way, a client of the source fleet alone does
 * not delete in the target fleet. If the target fleet has copies from an earlier attempt, those copies become outdated.
 *
 * <p><b>Writes at the same moment.</b> A write at {@code PREPARING} may execute both steps between the two steps of a
 * write of the same key at {@code MOVING}. Then each fleet has a value, until the next write of the key or until the
 * value expires. No other order leaves two values. A command at {@code MOVING} that ends a load or has a cas unique
 * first deletes the item in the source fleet. The target fleet may then refuse the command. If the deleted value was
 * just stored at {@code PREPARING}, the next read misses.
 *
 * <p>Failure: if the delete fails at a server of one fleet, the other fleet still executes a store, delete,
 * invalidation or the end of a load. The caller then gets a {@link
 * io.memshard.client.exception.MemcachedReplicationException}. Any other write fails with this exception too, and is
 * executed only at {@code PREPARING}. If the delete fails for a reason other than a failing server, the caller gets the
 * exception of the delete. At {@code MOVING} a read fails if one fleet fails and the other fails or misses.
 *
 * <p>Threading: thread-safe, like the senders. {@link #moveTo} applies to each command that is sent after it.
 */
public final class Migration extends CopiesSender implements RoutingSender {

    private static final ClientLog LOG = ClientLog.of(Migration.class);

    private final Fleets fleets;

    /** Current stage, which all senders derived from one {@code Migration} share. Each command reads it once. */
    private final AtomicReference<MigrationStage> current;

    /**
     * Creates one sender over two fleets.
     *
     * @param source the sender of commands to the source fleet
     * @param target the sender of commands to the target fleet
     */
    public Migration(CommandSender source, CommandSender target, MigrationOptions options) {
        this(source, target, options, key -> true);
    }

    /**
     * Creates one sender over two fleets that may have servers in common.
     *
     * @param moves the test whether the two fleets have the item of a key on different servers. Any other key belongs
     *     to the target fleet only
     */
    public Migration(
            CommandSender source, CommandSender target, MigrationOptions options, Predicate<? super String> moves) {
        if (source == target) {
            throw new IllegalArgumentException(
                    "the source and the target fleet are the same: " + source + ": pass two different fleets");
        }
        this.current = new AtomicReference<>(options.stage());
        ItemCopier copier =
                new ItemCopier(Clock.systemUTC(), options.ttlIfUnknown(), () -> stage() == MigrationStage.MOVING);
        this.fleets = new Fleets(
                source,
                target,
                copier,
                new BackgroundCopies(copier, options.maxCopies()),
                new Fleets.Counters(),
                moves);
    }

    private Migration(Fleets fleets, AtomicReference<MigrationStage> current) {
        this.fleets = fleets;
        this.current = current;
    }

    @Override
    public Migration withRoutingKey(String key) {
        return new Migration(fleets.withRoutingKey(key), current);
    }

    /** Returns the current stage of the move. */
    public MigrationStage stage() {
        return Objects.requireNonNull(current.get()); // Never set to null.
    }

    /** Moves to a stage, which applies to each command sent from now on. */
    public void moveTo(MigrationStage next) {
        Objects.requireNonNull(next, "stage is null");
        MigrationStage before = current.getAndSet(next);
        LOG.info("moving {} to {}: from stage {} to {}; {}", fleets.source(), fleets.target(), before, next, stats());
    }

    /** Returns the counts of reads and copies so far. */
    public MigrationStats stats() {
        return fleets.counters().stats();
    }

    /** Returns the number of copies in progress. */
    public int copiesUnderWay() {
        return fleets.copies().running();
    }

    private CommandSender serving(MigrationStage at) {
        return at == MigrationStage.PREPARING ? fleets.source() : fleets.target();
    }

    @Override
    protected CommandSender serving(@Nullable String key) {
        return serving(stageOf(key));
    }

    @Override
    public List<CommandSender> spread(SendMode mode) {
        return stage() == MigrationStage.ENDED ? fleets.target().spread(mode) : super.spread(mode);
    }

    @Override
    public <I> Map<CommandSender, List<I>> byServer(List<I> items, Function<I, String> key) {
        return stage() == MigrationStage.ENDED ? fleets.target().byServer(items, key) : super.byServer(items, key);
    }

    @Override
    protected <T> T call(Command<T> command, ItemCommand<T> item, long timeoutNanos) {
        MigrationStage now = stageOf(item.key());
        if (now == MigrationStage.MOVING) {
            return item.effect() == Effect.READ
                    ? read(command, item, timeoutNanos)
                    : super.call(command, item, timeoutNanos);
        }
        return now == MigrationStage.ENDED || isRead(item)
                ? serving(now).call(command, timeoutNanos)
                : super.call(command, item, timeoutNanos);
    }

    /** Reads an item. A hit in the target fleet costs no more than without a move. */
    private <T> T read(Command<T> command, ItemCommand<T> item, long timeoutNanos) {
        Deadline deadline = Deadline.in(timeoutNanos);
        CopyRead.OfOne<T> read = CopyRead.of(item);
        MemcachedException failure = null;
        try {
            T found = fleets.target().call(command, deadline.share(2).toNanos());
            if (found != null) {
                fleets.counters().targetHits.increment();
                return found;
            }
        } catch (MemcachedException e) {
            failure = e;
        }
        CompletableFuture<T> rest = new MoveRead<>(fleets, read)
                .afterTarget(read.answer(null, failure), deadline)
                .thenApply(read::result);
        return await(command, rest, deadline.left().toNanos());
    }

    /** Returns whether the serving fleet alone executes a command at {@code PREPARING} and {@code LEAVING}. */
    private static boolean isRead(ItemCommand<?> command) {
        return switch (command.effect()) {
            case READ, READ_CAS, READ_AND_TOUCH, CLAIM -> true;
            default -> false;
        };
    }

    @Override
    protected <T> Running<T> begin(Command<T> command, ItemCommand<T> item) {
        MigrationStage now = stageOf(item.key());
        return switch (now) {
            case ENDED -> passed(fleets.target(), command);
            case PREPARING, LEAVING ->
                isRead(item) ? passed(serving(now), command) : write(CopyWrite.of(item), serving(now));
            case MOVING -> beginMoving(item);
        };
    }

    private <T> Running<T> beginMoving(ItemCommand<T> item) {
        return switch (item.effect()) {
            case READ, READ_CAS, READ_AND_TOUCH -> {
                CopyRead.OfOne<T> read = CopyRead.of(item);
                Running<FoundItems<T>> running = beginMoving(read);
                yield deadline -> running.end(deadline).thenApply(read::result);
            }
            case CLAIM -> new MoveClaim<>(fleets, item)::end;
            case STORE, DELETE, FILL, CAS -> write(CopyWrite.of(item), fleets.target());
            case STORE_IF, CHANGE, COUNT, INVALIDATE, TOUCH -> afterCopy(item);
        };
    }

    /**
     * Returns the stage for a key, or for a command without one. A key that both fleets have on the same server counts
     * as already moved.
     */
    private MigrationStage stageOf(@Nullable String key) {
        MigrationStage now = stage();
        return now == MigrationStage.ENDED || key == null || fleets.moves().test(key) ? now : MigrationStage.ENDED;
    }

    @Override
    protected <V> Running<FoundItems<V>> beginReads(MetaMultiGet<V> command) {
        MigrationStage now = stage();
        if (now == MigrationStage.MOVING) {
            return beginMoving(CopyRead.of(command));
        }
        CopyRead.Sent<V> sent = CopyRead.of(command).send(serving(now), command.keys());
        return deadline -> sent.answer(deadline.left());
    }

    private <V> Running<FoundItems<V>> beginMoving(CopyRead<V> read) {
        CopyRead.Sent<V> sent = read.send(fleets.target(), read.keys());
        return deadline -> sent.answer(deadline.share(read.command().effect() == Effect.READ ? 2 : 1))
                .thenCompose(found -> new MoveRead<>(fleets, read).afterTarget(found, deadline));
    }

    @Override
    protected Running<Outcomes> beginWrites(MetaMultiWrite command) {
        MigrationStage now = stage();
        CopyWrite<Outcomes> write = CopyWrite.of(command);
        if (now != MigrationStage.ENDED) {
            return write(write, serving(now));
        }
        CopyWrite.Sent sent = write.send(fleets.target());
        return deadline -> sent.answer(deadline.left()).thenApply(write::result);
    }

    private <R> Running<R> write(CopyWrite<R> write, CommandSender primary) {
        return new MoveWrite<>(fleets, write, primary)::end;
    }

    /** Sends a command that depends on the item and may change it. Copies the item to the target fleet first. */
    private <T> Running<T> afterCopy(ItemCommand<T> command) {
        return deadline -> fleets.copyIfMissing(ItemKey.of(command), deadline)
                .thenCompose(
                        result -> write(CopyWrite.of(command), fleets.target()).end(deadline));
    }

    /** Returns both fleets and the stage; after the end of the move, the target fleet. */
    @Override
    public String toString() {
        return stage() == MigrationStage.ENDED
                ? fleets.target().toString()
                : fleets.source() + " to " + fleets.target() + ", " + stage();
    }
}
