// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.NoClassicFormException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Command that stores or deletes many items, with one command and one reply for each key. An error line does not name
 * its key, but the replies arrive in the order of the keys.
 *
 * <p>Protocol: {@link MetaSet} or {@link MetaCommand#delete} for each key, or their classic forms. Each of the meta
 * commands has an opaque of its own.
 */
public final class MetaMultiWrite extends Command<List<MetaMultiWrite.Outcome>>
        implements KeysCommand<List<MetaMultiWrite.Outcome>> {

    /** Name of the API operation that stores many items. */
    public static final String STORES = "multiSet";

    /** Name of the API operation that deletes many items. */
    public static final String DELETES = "multiDelete";

    /**
     * Store or delete of one item.
     *
     * @param key the key of the item
     * @param stored the item to store under the key; null to delete the existing item
     */
    public record Write(String key, MetaSet.@Nullable Item stored) {

        /** Checks the key. */
        public Write {
            KeyRule.checkLength(key);
        }

        /** Returns a delete of a key. */
        public static Write delete(String key) {
            return new Write(key, null);
        }

        private Command<StoreStatus> command() {
            return stored == null
                    ? MetaCommand.delete(key, MetaReply::status)
                    : new MetaSet<>(key, MetaSet.Mode.SET, stored, MetaSet.ANY_CAS, Function.identity());
        }

        private Write withExptimeAtMost(int seconds) {
            return stored == null ? this : new Write(key, stored.withExptimeAtMost(seconds));
        }
    }

    /**
     * Outcome for one key. Exactly one of its components is not null.
     *
     * @param status the server's reply: done, or not found for a delete
     * @param error the error that the server sent instead; also a status that refuses the write
     * @param failure the reason why there is no reply, if a sender has split a command into several
     */
    public record Outcome(
            @Nullable StoreStatus status,
            @Nullable ErrorReply error,
            @Nullable MemcachedException failure) {

        /** Creates the outcome of a write that was executed. A delete is also executed if there was no item. */
        public static Outcome done(StoreStatus status) {
            return new Outcome(status, null, null);
        }

        /** Creates the outcome of a key whose command has failed. */
        public static Outcome failed(MemcachedException failure) {
            return new Outcome(null, null, failure);
        }

        private static Outcome of(Command<StoreStatus> ended) {
            ErrorReply error = ended.errorReply();
            if (error != null) {
                return new Outcome(null, error, null);
            }
            StoreStatus status = ended.result();
            // These writes have no condition, so only a proxy refuses one.
            return status == StoreStatus.DONE || status == StoreStatus.NOT_FOUND
                    ? done(status)
                    : new Outcome(null, new ErrorReply(ErrorReply.Kind.SERVER_ERROR, status.toString()), null);
        }
    }

    private final List<Write> writes;

    /** Commands of the writes, in their order. */
    private final List<Command<StoreStatus>> commands;

    /** Number of commands whose replies are decoded. */
    private int decoded;

    /** Verb of this command, or of its classic form if that is sent. Set by the thread that sends the command. */
    private String verb;

    /**
     * Creates a command of only stores, or of only deletes.
     *
     * @param writes 1 to {@link #MAX_KEYS} writes of distinct keys; not copied
     */
    public MetaMultiWrite(List<Write> writes) {
        this(writes, writes.stream().map(Write::command).toList());
        if (writes.size() > MAX_KEYS) {
            throw new IllegalArgumentException("a command has " + writes.size() + " keys, above the limit " + MAX_KEYS);
        }
    }

    private MetaMultiWrite(List<Write> writes, List<Command<StoreStatus>> commands) {
        this.writes = writes;
        this.commands = commands;
        this.verb = commands.get(0).verb();
    }

    private boolean isStoring() {
        return writes.get(0).stored != null;
    }

    @Override
    public Command<List<Outcome>> withExptimeAtMost(int seconds) {
        return new MetaMultiWrite(
                writes.stream().map(write -> write.withExptimeAtMost(seconds)).toList());
    }

    @Override
    public String verb() {
        return verb;
    }

    @Override
    public String operation() {
        return isStoring() ? STORES : DELETES;
    }

    @Override
    public String key() {
        return writes.get(0).key();
    }

    @Override
    public int keyCount() {
        return writes.size();
    }

    @Override
    public long requestBytes() {
        long bytes = (long) writes.size() * KeyRule.MANY_BYTES;
        for (Command<StoreStatus> command : commands) {
            bytes += command.requestBytes();
        }
        return bytes;
    }

    @Override
    public Command<List<Outcome>> again() {
        return new MetaMultiWrite(writes);
    }

    @Override
    public Effect effect() {
        return isStoring() ? Effect.STORE : Effect.DELETE;
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        for (int i = 0; i < commands.size(); i++) {
            commands.get(i).encode(out, opaque(opaque, i));
            out.endRequest();
        }
    }

    /** Returns the opaque of one of the commands. It is not the opaque of any other command of the connection. */
    private static int opaque(int opaque, int index) {
        return (index + 1) * (MAX_OPAQUE + 1) + opaque;
    }

    @Override
    public Command<List<Outcome>> classicForm() throws NoClassicFormException {
        List<Command<StoreStatus>> classic = new ArrayList<>(commands.size());
        for (Command<StoreStatus> command : commands) {
            classic.add(command.classicForm());
        }
        verb = classic.get(0).verb();
        return new MetaMultiWrite(writes, classic);
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        while (decoded < commands.size() && commands.get(decoded).decode(in, opaque(opaque, decoded))) {
            decoded++;
        }
        return decoded == commands.size();
    }

    @Override
    public List<String> keys() {
        return writes.stream().map(Write::key).toList();
    }

    /** Returns the stores or deletes, as they were given. */
    public List<Write> writes() {
        return writes;
    }

    /** Returns the outcome of each key, in the order of the keys. */
    @Override
    public List<Outcome> result() {
        return commands.stream().map(Outcome::of).toList();
    }
}
