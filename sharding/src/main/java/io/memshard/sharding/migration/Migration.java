// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.migration;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.connection.Reply;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaMultiGet;
import io.memshard.client.protocol.MetaMultiWrite;
import io.memshard.sharding.copies.BackgroundCopies;
import io.memshard.sharding.copies.CopiesSender;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.ItemCopier;
import io.memshard.sharding.copies.ItemKey;
import io.memshard.sharding.copies.SentRead;
import io.memshard.sharding.copies.SentWrite;
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
 * <p>While the new fleet serves ({@link MigrationStage#MOVING}):
 * <ul>
 *   <li>A read asks the new fleet, and on a miss or failure the old one. What only the old one has is copied in the
 *       background, with the remaining time to live, so that no delete loses a race with the copy: {@link ItemCopier}.
 *   <li>A store or delete first deletes in the old fleet, waits for the reply, and then goes to the new one. So a value
 *       that was replaced or deleted cannot come back from the old fleet, whenever the new one loses its item.
 *   <li>What depends on the item is done in the new fleet, after the item was copied there. It waits for a copy that
 *       another caller makes. If it may change the value, the old fleet's is deleted between the two.
 *   <li>In {@code getOrLoad} the new fleet chooses who loads. The chosen caller first takes the old fleet's value.
 * </ul>
 *
 * <p>Failure: where the delete in the other fleet fails, a store or delete is done all the same, and fails with a
 * {@link io.memshard.client.exception.MemcachedReplicationException}; any other write is not done. A read fails if
 * the new fleet misses and the old one fails.
 *
 * <p>Threading: thread-safe, as the senders. {@link #moveTo} applies to each command that is sent after it.
 */
@SuppressWarnings("exports") // For our own modules, which see what takes commands.
public final class Migration extends CopiesSender {

    private static final Logger LOG = LoggerFactory.getLogger(Migration.class);

    private final Fleets fleets;

    /** Read once for each command. */
    private volatile MigrationStage stage;

    /**
     * Two fleets as one sender.
     *
     * @param old what takes the commands for the old fleet
     * @param fresh what takes those for the new one
     */
    public Migration(CommandSender old, CommandSender fresh, MigrationOptions options) {
        this(old, fresh, options, key -> true);
    }

    /**
     * As the constructor with fewer parameters, for fleets that have servers in common.
     *
     * @param moves whether the two fleets have the item of a key on different servers. Other keys are the new fleet's
     */
    public Migration(
            CommandSender old, CommandSender fresh, MigrationOptions options, Predicate<? super String> moves) {
        if (old == fresh) {
            throw new IllegalArgumentException("the old and the new fleet are the same: " + old + "; give two");
        }
        ItemCopier copier = new ItemCopier(Clock.systemUTC(), options.ttlIfUnknown());
        this.fleets = new Fleets(
                old, fresh, copier, new BackgroundCopies(copier, options.maxCopies()), new MigrationCounters(), moves);
        this.stage = options.stage();
    }

    /** How far the move has come. */
    public MigrationStage stage() {
        return stage;
    }

    /** Goes to a stage: each command sent from now on belongs to it. */
    public void moveTo(MigrationStage next) {
        Objects.requireNonNull(next, "stage is null");
        MigrationStage before = stage;
        stage = next;
        LOG.info("the move from {} to {} goes from {} to {}: {}", fleets.old(), fleets.fresh(), before, next, stats());
    }

    /** How much has come from where until now. */
    public MigrationStats stats() {
        return fleets.counters().stats();
    }

    /** How many copies are under way. */
    public int copiesUnderWay() {
        return fleets.copies().running();
    }

    private CommandSender serving() {
        return stage == MigrationStage.PREPARING ? fleets.old() : fleets.fresh();
    }

    @Override
    protected CommandSender first() {
        return serving();
    }

    @Override
    public List<CommandSender> spread(boolean attended) {
        return stage == MigrationStage.ENDED ? fleets.fresh().spread(attended) : super.spread(attended);
    }

    @Override
    public <I> Map<CommandSender, List<I>> byServer(List<I> items, Function<I, String> key) {
        return stage == MigrationStage.ENDED ? fleets.fresh().byServer(items, key) : super.byServer(items, key);
    }

    @Override
    public <T> T call(Command<T> command, long timeoutNanos) {
        if (command.keyCount() > 1) {
            return super.call(command, timeoutNanos);
        }
        return switch (stageOf(command)) {
            case ENDED -> fleets.fresh().call(command, timeoutNanos);
            case PREPARING ->
                isRead(command) ? fleets.old().call(command, timeoutNanos) : super.call(command, timeoutNanos);
            case MOVING ->
                switch (command.effect()) {
                    case NONE -> fleets.fresh().call(command, timeoutNanos);
                    case READ -> read(command, timeoutNanos);
                    default -> super.call(command, timeoutNanos);
                };
        };
    }

    private <T> T read(Command<T> command, long timeoutNanos) {
        if (command instanceof MetaMultiGet<?>) {
            return super.call(command, timeoutNanos);
        }
        Deadline deadline = Deadline.in(timeoutNanos);
        MoveRead<T> read = new MoveRead<>(fleets, command);
        MemcachedException failure = null;
        try {
            T found = fleets.fresh().call(command, deadline.share(2).toNanos());
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
            found = fleets.old().call(command.again(), deadline.left().toNanos());
        } catch (MemcachedException e) {
            second = e;
        }
        return read.afterOld(found, second, deadline);
    }

    /** Whether the fleet that prepares can serve a command without the other one. */
    private static boolean isRead(Command<?> command) {
        return switch (command.effect()) {
            case NONE, READ, READ_CAS, READ_AND_TOUCH, TOUCH, CLAIM -> true;
            default -> false;
        };
    }

    @Override
    protected <T> Running<T> begin(Command<T> command) {
        if (command instanceof MetaMultiGet<?> many) {
            return ofMany(beginMany(many, stage));
        }
        if (command instanceof MetaMultiWrite many) {
            return ofMany(beginMany(many, stage));
        }
        return switch (stageOf(command)) {
            case ENDED -> passed(fleets.fresh(), command);
            case PREPARING ->
                isRead(command) ? passed(fleets.old(), command) : write(command, fleets.fresh(), fleets.old());
            case MOVING -> beginMoving(command);
        };
    }

    private <T> Running<T> beginMoving(Command<T> command) {
        return switch (command.effect()) {
            case NONE -> passed(fleets.fresh(), command);
            case READ -> new MoveRead<>(fleets, command)::end;
            case READ_CAS, READ_AND_TOUCH, TOUCH -> retried(command);
            case CLAIM -> new MoveClaim<>(fleets, command)::end;
            case STORE, DELETE, FILL, CAS -> write(command, fleets.old(), fleets.fresh());
            case STORE_IF, CHANGE, COUNT, INVALIDATE -> brought(command);
        };
    }

    /** The stage for a command about one key or none: an item that stays where it is has moved already. */
    private MigrationStage stageOf(Command<?> command) {
        MigrationStage now = stage;
        String key = command.key();
        return now == MigrationStage.ENDED || key == null || fleets.moves().test(key) ? now : MigrationStage.ENDED;
    }

    /** The result of a command on many keys is of the type that its class says. */
    @SuppressWarnings("unchecked")
    private static <T> Running<T> ofMany(Running<?> running) {
        return (Running<T>) running;
    }

    private <V> Running<MetaMultiGet.Found<V>> beginMany(MetaMultiGet<V> command, MigrationStage now) {
        if (now == MigrationStage.MOVING) {
            return new MoveReadMany<>(fleets, command)::end;
        }
        SentRead<V> sent = new SentRead<>(now == MigrationStage.ENDED ? fleets.fresh() : fleets.old(), command);
        return deadline -> sent.answer(deadline.left());
    }

    private Running<MetaMultiWrite.Outcomes> beginMany(MetaMultiWrite command, MigrationStage now) {
        return switch (now) {
            case ENDED -> {
                SentWrite sent = new SentWrite(fleets.fresh(), command);
                yield deadline -> sent.answer(deadline.left());
            }
            case PREPARING -> new MoveWriteMany(fleets, command, fleets.fresh(), fleets.old())::end;
            case MOVING -> new MoveWriteMany(fleets, command, fleets.old(), fleets.fresh())::end;
        };
    }

    private static <T> Running<T> passed(CommandSender fleet, Command<T> command) {
        Reply<T> reply = fleet.send(command);
        return deadline -> reply.toFuture(deadline.left());
    }

    private <T> Running<T> write(Command<T> command, CommandSender forgets, CommandSender serves) {
        return new MoveWrite<>(fleets, command, forgets, serves)::end;
    }

    /** A command that changes no value: once, and again if the item was missing and was copied. */
    private <T> Running<T> retried(Command<T> command) {
        Reply<T> reply = fleets.fresh().send(command);
        return deadline -> reply.toFuture(deadline.left())
                .thenCompose(found -> found != null
                        ? CompletableFuture.completedFuture(found)
                        : fleets.bring(ItemKey.of(command), deadline)
                                .thenCompose(result -> result == ItemCopier.Result.ABSENT
                                        ? CompletableFuture.completedFuture(found)
                                        : fleets.fresh().send(command.again()).toFuture(deadline.left())));
    }

    /** A command that depends on the item and may change it: after the item was copied. */
    private <T> Running<T> brought(Command<T> command) {
        return deadline -> fleets.bring(ItemKey.of(command), deadline)
                .thenCompose(result -> new MoveWrite<>(fleets, command, fleets.old(), fleets.fresh()).end(deadline));
    }

    /** Both fleets and the stage. */
    @Override
    public String toString() {
        return stage == MigrationStage.ENDED
                ? fleets.fresh().toString()
                : fleets.old() + " to " + fleets.fresh() + ", " + stage;
    }
}
