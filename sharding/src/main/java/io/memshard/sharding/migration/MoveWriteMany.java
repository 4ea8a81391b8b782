// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.migration;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.ErrorReply;
import io.memshard.client.protocol.MetaMultiWrite;
import io.memshard.client.protocol.MetaMultiWrite.Outcome;
import io.memshard.client.protocol.MetaMultiWrite.Outcomes;
import io.memshard.client.protocol.MetaMultiWrite.Write;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.SentWrite;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Stores or deletes of many items: one fleet forgets them, and then the other one executes the command. What one fleet
 * has not forgotten is done in the other one, and is a failure of its key.
 *
 * <p>Threading: immutable. {@link #end} is called once.
 */
final class MoveWriteMany {

    private final Fleets fleets;
    private final MetaMultiWrite command;
    private final CommandSender forgets;
    private final CommandSender serves;

    /** The keys that move. */
    private final List<Write> forgotten;

    private final @Nullable SentWrite sent;

    /** Deletes in the fleet that forgets. */
    MoveWriteMany(Fleets fleets, MetaMultiWrite command, CommandSender forgets, CommandSender serves) {
        this.fleets = fleets;
        this.command = command;
        this.forgets = forgets;
        this.serves = serves;
        this.forgotten = command.writes().stream()
                .filter(write -> fleets.moves().test(write.key()))
                .map(write -> Write.delete(write.key()))
                .toList();
        this.sent = forgotten.isEmpty() ? null : new SentWrite(forgets, MetaMultiWrite.deletes(forgotten));
    }

    CompletableFuture<Outcomes> end(Deadline deadline) {
        return (sent == null
                        ? CompletableFuture.completedFuture(new Outcomes(List.of(), false))
                        : sent.answer(deadline.share(2)))
                .thenCompose(deleted -> new SentWrite(serves, command.only(command.writes()))
                        .answer(deadline.left())
                        .thenApply(served -> joined(deleted, served)));
    }

    private Outcomes joined(Outcomes deleted, Outcomes served) {
        Map<String, Outcome> byKey = new HashMap<>();
        for (int i = 0; i < forgotten.size(); i++) {
            byKey.put(forgotten.get(i).key(), deleted.each().get(i));
        }
        List<Outcome> each = new ArrayList<>();
        for (int i = 0; i < served.each().size(); i++) {
            Write write = command.writes().get(i);
            Outcome other = byKey.get(write.key());
            Outcome own = served.each().get(i);
            each.add(other == null ? own : joined(write, other, own));
        }
        return new Outcomes(each, served.undecided());
    }

    private Outcome joined(Write write, Outcome forgotten, Outcome served) {
        if (!served.isDone()) {
            fleets.counters().failed.increment();
            return served;
        }
        MemcachedException failure = failure(write, forgotten);
        if (failure != null) {
            return Outcome.failed(fleets.notForgotten(
                    forgets, failure, true, serves.context(command.verb(), write.key(), Phase.REPLIED)));
        }
        boolean isDeleted = write.stored() == null && forgotten.status() == StoreStatus.DONE;
        return isDeleted ? forgotten : served;
    }

    private @Nullable MemcachedException failure(Write write, Outcome forgotten) {
        ErrorReply error = forgotten.error();
        return error == null
                ? forgotten.failure()
                : error.toException(forgets.context("md", write.key(), Phase.REPLIED));
    }
}
