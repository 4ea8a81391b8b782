package io.memshard.client;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.Command;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An operation on many keys: cut into parts of one command each, and gathered from them into one result that
 * accounts for each key.
 *
 * <p>Threading: confined to one thread at a time.
 *
 * @param <P> a part, which commands are made of
 * @param <C> the command of a part
 * @param <R> the result
 */
interface BulkOperation<P, C extends Command<?>, R> {

    /** The parts, their keys checked; empty where there is nothing to send. */
    List<P> parts();

    /** A new command for a part. */
    C command(P part);

    /**
     * Takes in the complete reply to a part.
     *
     * @param contexts makes the context of a key's failure
     * @return null, or the part to send in place of this one, whose reply leaves too much open
     */
    @Nullable
    P answered(P part, C command, Function<String, CommandContext> contexts);

    /** Takes in the failure of a part: of each of its keys. */
    void failed(P part, MemcachedException failure);

    /** What became of each key, once every part was taken in. */
    R result();
}
