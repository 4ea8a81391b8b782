// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.migration;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.Effect;
import io.memshard.client.protocol.FoundItems;
import io.memshard.client.protocol.ItemCommand;
import io.memshard.client.protocol.MetaMultiGet;
import io.memshard.client.protocol.MetaMultiWrite;
import io.memshard.client.protocol.MetaMultiWrite.Outcomes;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.RoutingSender;
import io.memshard.client.sender.SendMode;
import io.memshard.sharding.copies.BackgroundCopies;
import io.memshard.sharding.copies.CopiesSender;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.ItemCopier;
import io.memshard.sharding.copies.ItemKey;
import io.memshard.sharding.copies.SentRead;
import io.memshard.sharding.copies.SentWrite;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.migration.MigrationStage;
import io.memshard.sharding.migration.MigrationStats;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A move from an old fleet to a new one, each with a sender, which take commands as one. Each fleet has its own ring
 * and protocol; keys are the same in both.
 *
 * <p>Fleets may have servers in common. An item that both rings place on the same server is only the new fleet's.
 *
 * <p>While the new fleet serves and takes over ({@link MigrationStage#MOVING}):
 * <ul>
 *   <li>A read asks the new fleet, and on a miss or failure the old one. What only the old one has is copied in the
 *       background, with the remaining time to live, so that no delete loses a race with the copy: {@link ItemCopier}.
 *   <li>A store or delete first deletes in the old fleet, waits for the reply, and then goes to the new one. So a value
 *       that was replaced or deleted cannot come back from the old fleet, whenever the new one loses its item.
 *   <li>What depends on the item is done in the new fleet, after the item was copied there. It waits for a copy that
 *       another caller makes. If it may change the item, the old fleet's is deleted between the two.
 *   <li>In {@code getOrLoad} the new fleet chooses who loads. The chosen caller first takes the old fleet's value.
 * </ul>
 *
 * <p>At the other stages one fleet serves, and the other one at most deletes.
 *
 * <h2>Instances at two stages</h2>
 *
 * <p>A write is <em>undone</em> if a client reads an earlier value after it was acknowledged. A miss is no earlier
 * value. The argument is about writes of one key that follow each other, each begun after the one before was
 * acknowledged.
 *
 * <p><b>A client of the old fleet alone, and {@code PREPARING}.</b> Both read and write the old fleet. The new one is
 * neither read nor filled.
 *
 * <p><b>{@code PREPARING} and {@code MOVING}.</b> A write of either deals with the old fleet first, waits, and then
 * with the new one. {@code PREPARING} writes and then deletes; {@code MOVING} deletes and then writes. Before the
 * second step the old fleet has no earlier value any more. A copy that claims its place in the new fleet after the
 * second step therefore reads the new value, or none. One that has claimed its place before the second step loses the
 * claim by it. So the new fleet has no earlier value after the second step, which is before the acknowledgement, and
 * the old one has none either. If the first step fails in {@code PREPARING}, it may have been done all the same, so the
 * second is done too. It is left out only if nothing was sent, or if the old fleet says that it has changed nothing. A
 * write without an answer may come even later than that. Then the two fleets differ, as one fleet may differ from what
 * its caller believes, until the next write of the key. It was never acknowledged.
 *
 * <p><b>{@code MOVING} and {@code LEAVING}.</b> Their writes are the same, so what was said of copies holds. {@code
 * LEAVING} reads the new fleet alone, where each write has left its value.
 *
 * <p><b>{@code LEAVING} and {@code ENDED}.</b> Both read and write the new fleet. What the old one has, nobody reads.
 * It may be old, because {@code ENDED} does not delete there: no client may be at {@code MOVING} then. A copy begun
 * before its client left {@code MOVING} is ended by each later delete in the new fleet, because it has claimed its
 * place before: {@link ItemCopier}. So also one client may go from {@code MOVING} to {@code ENDED} at once.
 *
 * <p>None of this depends on which of two neighbours comes first, so the way back is the same. Only from {@code ENDED}
 * it ends at {@code LEAVING}: the old fleet has missed writes, and would be read again at {@code MOVING}. In the same
 * way a client of the old fleet alone leaves old values in a new fleet that has copies from an earlier attempt.
 *
 * <p><b>Writes at the same moment.</b> The write of a key at {@code PREPARING} may come as a whole between the two
 * steps of one at {@code MOVING}. Then each fleet has a value, until the next write of the key, or its end of life. No
 * other order leaves two values. A command at {@code MOVING} that ends a load, or is refused for its cas unique, may
 * have deleted what was stored at {@code PREPARING} meanwhile: a miss.
 *
 * <p>Failure: where the other fleet does not delete, a store or delete is done all the same, and fails with a {@link
 * io.memshard.client.exception.MemcachedReplicationException}. Any other write fails so too; it is done at {@code
 * PREPARING}, and not done at the later stages. At {@code MOVING} a read fails if the new fleet misses and the old one
 * fails.
 *
 * <p>Threading: thread-safe, as the senders. {@link #moveTo} applies to each command that is sent after it.
 */
public final class Migration extends CopiesSender implements RoutingSender {

    private static final Logger LOG = LoggerFactory.getLogger(Migration.class);

    private final Fleets fleets;

    /** Stage of a move. All its views share one. */
    private static final class Current {

        /** Read once for each command. */
        private volatile MigrationStage stage;

        Current(MigrationStage stage) {
            this.stage = stage;
        }
    }

    private final Current current;

    /**
     * Creates one sender over two fleets.
     *
     * @param source takes the commands for the old fleet
     * @param target takes the commands for the new fleet
     */
    public Migration(CommandSender source, CommandSender target, MigrationOptions options) {
        this(source, target, options, key -> true);
    }

    /**
     * Same as the constructor with fewer parameters, but for fleets that have servers in common.
     *
     * @param moves whether the two fleets have the item of a key on different servers. Other keys are the new fleet's
     */
    public Migration(
            CommandSender source, CommandSender target, MigrationOptions options, Predicate<? super String> moves) {
        if (source == target) {
            throw new IllegalArgumentException("the old and the new fleet are the same: " + source + "; give two");
        }
        this.current = new Current(options.stage());
        ItemCopier copier =
                new ItemCopier(Clock.systemUTC(), options.ttlIfUnknown(), () -> stage() == MigrationStage.MOVING);
        this.fleets = new Fleets(
                source, target, copier, new BackgroundCopies(copier, options.maxCopies()), new MigrationCounters(), moves);
    }

    private Migration(Fleets fleets, Current current) {
        this.fleets = fleets;
        this.current = current;
    }

    @Override
    public Migration withRoutingKey(String key) {
        return new Migration(fleets.withRoutingKey(key), current);
    }

    /** Returns the current stage of the move. */
    public MigrationStage stage() {
        return current.stage;
    }

    /** Moves to a stage, which applies to each command sent from now on. */
    public void moveTo(MigrationStage next) {
        Objects.requireNonNull(next, "stage is null");
        MigrationStage before = current.stage;
        current.stage = next;
        LOG.info("the move from {} to {} goes from {} to {}: {}", fleets.source(), fleets.target(), before, next, stats());
    }

    /** Returns counts of the reads and copies until now. */
    public MigrationStats stats() {
        return fleets.counters().stats();
    }

    /** Returns the number of copies in progress. */
    public int copiesUnderWay() {
        return fleets.copies().running();
    }

    /** Returns the fleet that executes commands at a stage. */
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

    private <T> T read(Command<T> command, ItemCommand<T> item, long timeoutNanos) {
        Deadline deadline = Deadline.in(timeoutNanos);
        MoveRead<T> read = new MoveRead<>(fleets, item);
        MemcachedException failure = null;
        try {
            T found = fleets.target().call(command, deadline.share(2).toNanos());
            if (found != null) {
                fleets.counters().newHits.increment();
                return found;
            }
        } catch (MemcachedException e) {
            failure = e;
        }
        read.neededOld(failure);
        @Nullable T found = null;
        MemcachedException second = null;
        try {
            found = fleets.source().call(item.again(), deadline.left().toNanos());
        } catch (MemcachedException e) {
            second = e;
        }
        return read.afterOld(found, second, deadline);
    }

    /** Returns whether a fleet can serve a command without the other one, except while items are copied. */
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
            case PREPARING, LEAVING -> isRead(item) ? passed(serving(now), command) : write(item, serving(now));
            case MOVING -> beginMoving(command, item);
        };
    }

    private <T> Running<T> beginMoving(Command<T> command, ItemCommand<T> item) {
        return switch (item.effect()) {
            case READ ->
                deadline -> new MoveRead<>(fleets, item).end(fleets.target().send(command), deadline);
            case READ_CAS, READ_AND_TOUCH -> retried(command, item);
            case CLAIM -> new MoveClaim<>(fleets, item)::end;
            case STORE, DELETE, FILL, CAS -> write(item, fleets.target());
            case STORE_IF, CHANGE, COUNT, INVALIDATE, TOUCH -> afterCopy(item);
        };
    }

    /**
     * Returns the stage for a key, or for a command without one. An item that both fleets have on the same server has
     * already moved.
     */
    private MigrationStage stageOf(@Nullable String key) {
        MigrationStage now = stage();
        return now == MigrationStage.ENDED || key == null || fleets.moves().test(key) ? now : MigrationStage.ENDED;
    }

    @Override
    protected <V> Running<FoundItems<V>> beginReads(MetaMultiGet<V> command) {
        MigrationStage now = stage();
        if (now == MigrationStage.MOVING) {
            return new MoveReadMany<>(fleets, command)::end;
        }
        SentRead<V> sent = new SentRead<>(serving(now), command);
        return deadline -> sent.answer(deadline.left());
    }

    @Override
    protected Running<Outcomes> beginWrites(MetaMultiWrite command) {
        MigrationStage now = stage();
        if (now != MigrationStage.ENDED) {
            return new MoveWriteMany(fleets, command, serving(now))::end;
        }
        SentWrite sent = new SentWrite(fleets.target(), command);
        return deadline -> sent.answer(deadline.left());
    }

    private <T> Running<T> write(ItemCommand<T> command, CommandSender primary) {
        return new MoveWrite<>(fleets, command, primary)::end;
    }

    /**
     * Sends a command that changes nothing except a time to live. It is sent again if the item was missing and was then
     * copied.
     */
    private <T> Running<T> retried(Command<T> command, ItemCommand<T> item) {
        Reply<T> reply = fleets.target().send(command);
        return deadline -> reply.toFuture(deadline.left())
                .thenCompose(found -> found != null
                        ? CompletableFuture.completedFuture(found)
                        : fleets.copyIfMissing(ItemKey.of(item), deadline)
                                .thenCompose(result -> result == ItemCopier.Result.ABSENT
                                        ? CompletableFuture.completedFuture(found)
                                        : fleets.target().send(item.again()).toFuture(deadline.left())));
    }

    /** Sends a command that depends on the item and may change it, after the item was copied. */
    private <T> Running<T> afterCopy(ItemCommand<T> command) {
        return deadline -> fleets.copyIfMissing(ItemKey.of(command), deadline)
                .thenCompose(result -> new MoveWrite<>(fleets, command, fleets.target()).end(deadline));
    }

    /** Both fleets and the stage. */
    @Override
    public String toString() {
        return stage() == MigrationStage.ENDED
                ? fleets.target().toString()
                : fleets.source() + " to " + fleets.target() + ", " + stage();
    }
}
