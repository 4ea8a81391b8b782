// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Multi-get, multi-set or multi-delete. It is split into parts of one command each. The outcomes of the parts are
 * combined into one result for all keys.
 *
 * <p>Threading: confined to one thread at a time.
 *
 * @param <P> a part, from which commands are made
 * @param <T> the result of a part's command
 * @param <R> the result of the operation
 */
abstract class MultiOperation<P, T, R> {

    /** Returns the operation of the API, such as {@code multiGet}. */
    abstract String name();

    /** Returns the number of keys, legal or not. */
    abstract int keyCount();

    /** Returns the parts of the legal keys, by the sender of their commands; empty if there is nothing to send. */
    abstract Map<CommandSender, List<P>> parts(CommandSender sender);

    /** Splits an unsent part again, because other servers may have its keys now. */
    abstract Map<CommandSender, List<P>> parts(P part, CommandSender sender);

    /** Makes a new command for a part. */
    abstract Command<T> command(P part);

    /**
     * Records the result of a part.
     *
     * @param contexts function from a key to the context of its failure
     * @return the part to send next for keys that need another command; null if there are none
     */
    @Nullable
    abstract P takeAnswer(P part, T answer, Function<String, CommandContext> contexts);

    /** Returns the phase of a part that is not sent any more. Overridden if earlier commands were sent for the part. */
    Phase phaseUnsent(P part) {
        return Phase.QUEUED;
    }

    /** Records the failure of a part, which is the failure of each of its keys. */
    abstract void takeFailure(P part, MemcachedException failure);

    /** Returns the outcome of each key, after the outcome of every part was recorded. */
    abstract R result();
}
