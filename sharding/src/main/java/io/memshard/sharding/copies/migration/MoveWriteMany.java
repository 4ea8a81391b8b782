// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.migration;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.MetaMultiWrite;
import io.memshard.client.protocol.MetaMultiWrite.Outcome;
import io.memshard.client.protocol.MetaMultiWrite.Outcomes;
import io.memshard.client.protocol.MetaMultiWrite.Write;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.sender.CommandSender;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.SentWrite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Stores or deletes of many items: one fleet executes the command, and the other fleet deletes the items that move. The
 * source fleet comes first, as in {@link MoveWrite}. If the delete of a key fails in one fleet, the key fails, even if
 * the other fleet has executed the command.
 *
 * <p>Threading: immutable. {@link #end} is called once.
 */
final class MoveWriteMany {

    private final Fleets fleets;
    private final MetaMultiWrite command;
    private final CommandSender primary;
    private final CommandSender secondary;

    /** Commands for the source fleet; null if there are none. */
    private final @Nullable SentWrite sent;

    MoveWriteMany(Fleets fleets, MetaMultiWrite command, CommandSender primary) {
        this.fleets = fleets;
        this.command = command;
        this.primary = primary;
        this.secondary = fleets.other(primary);
        this.sent = primary == fleets.source() ? new SentWrite(primary, command) : deletes(null);
    }

    /**
     * Deletes the moving items in the fleet that does not execute the command. Returns null if there are none.
     *
     * @param served the outcomes in the fleet that executes the command; null if unknown. Keys that were not sent there
     *     have not changed, and are not deleted
     */
    private @Nullable SentWrite deletes(@Nullable Outcomes served) {
        List<Write> deletes = new ArrayList<>();
        for (int i = 0; i < command.keyCount(); i++) {
            String key = command.writes().get(i).key();
            MemcachedException failure =
                    served == null ? null : served.each().get(i).failure();
            if (fleets.moves().test(key) && (failure == null || !MoveWrite.wasNotSent(failure))) {
                deletes.add(Write.delete(key));
            }
        }
        return deletes.isEmpty() ? null : new SentWrite(secondary, MetaMultiWrite.deletes(deletes));
    }

    private static CompletableFuture<Map<String, Outcome>> answer(@Nullable SentWrite deletes, Duration timeout) {
        return deletes == null ? CompletableFuture.completedFuture(Map.of()) : deletes.answerByKey(timeout);
    }

    CompletableFuture<Outcomes> end(Deadline deadline) {
        if (sent != null && primary == fleets.source()) {
            return Futures.compose(
                    sent.answer(deadline.share(2)),
                    (served, thrown) -> answer(deletes(served), deadline.left())
                            .thenCompose(deleted -> thrown == null
                                    ? CompletableFuture.completedFuture(joined(deleted, served))
                                    : CompletableFuture.failedFuture(Futures.cause(thrown))));
        }
        return answer(sent, deadline.share(2))
                .thenCompose(deleted -> new SentWrite(primary, command)
                        .answer(deadline.left())
                        .thenApply(served -> joined(deleted, served)));
    }

    private Outcomes joined(Map<String, Outcome> deleted, Outcomes served) {
        List<Outcome> each = new ArrayList<>();
        for (int i = 0; i < served.each().size(); i++) {
            Write write = command.writes().get(i);
            Outcome other = deleted.get(write.key());
            Outcome own = served.each().get(i);
            each.add(other == null ? own : joined(write, other, own));
        }
        return new Outcomes(each, served.undecided());
    }

    private Outcome joined(Write write, Outcome deleted, Outcome served) {
        if (!served.isDone()) {
            fleets.counters().failed.increment();
            return served;
        }
        MemcachedException failure = failure(write, deleted);
        if (failure != null) {
            return Outcome.failed(fleets.notDeleted(
                    secondary, failure, true, primary.context(command.verb(), write.key(), Phase.REPLIED)));
        }
        boolean isDeleted = write.stored() == null && deleted.status() == StoreStatus.DONE;
        return isDeleted ? deleted : served;
    }

    private @Nullable MemcachedException failure(Write write, Outcome deleted) {
        ErrorReply error = deleted.error();
        return error == null
                ? deleted.failure()
                : error.toException(secondary.context("md", write.key(), Phase.REPLIED));
    }
}
