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
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stores or deletes of many items. More than {@link #FEW_KEYS} stores are quiet: the server replies only to failures,
 * and to {@code mn} at the end. Deletes are never quiet, because a lost reply would look like a deletion.
 */
public final class MetaMultiWrite extends KeysCommand<MetaMultiWrite.Outcomes> {

    public static final String STORES = "multiSet";
    public static final String DELETES = "multiDelete";

    public record Write(String key, MetaSet.@Nullable Item stored) {

        public Write {
            KeyRule.checkLength(key);
        }

        public static Write delete(String key) {
            return new Write(key, null);
        }

        private Write withExptimeAtMost(int seconds) {
            return stored == null ? this : new Write(key, stored.withExptimeAtMost(seconds));
        }

        private Command<StoreStatus> command() {
            return stored == null
                    ? MetaCommand.delete(key, MetaReply::status)
                    : new MetaSet<>(key, MetaSet.Mode.SET, stored, MetaSet.ANY_CAS, MetaReply::status);
        }
    }

    /** Outcome for one key. One component is not null; {@code failure} means that the key has no reply. */
    public record Outcome(
            @Nullable StoreStatus status,
            @Nullable ErrorReply error,
            @Nullable MemcachedException failure) {

        private static final Outcome DONE = new Outcome(StoreStatus.DONE, null, null);

        public static Outcome done(StoreStatus status) {
            return status == StoreStatus.DONE ? DONE : new Outcome(status, null, null);
        }

        public static Outcome failed(MemcachedException failure) {
            return new Outcome(null, null, failure);
        }
    }

    /** Outcomes in the order of the keys; {@code each} is empty if a quiet store has failed ({@code undecided}). */
    public record Outcomes(List<Outcome> each, boolean undecided) {}

    private final List<Write> writes;
    private final boolean storing;

    /** Command of each write; empty for quiet stores. */
    private List<Command<StoreStatus>> commands;

    private boolean quiet;
    private int decoded;
    private boolean undecided;

    private MetaMultiWrite(List<Write> writes, boolean storing, boolean quiet) {
        super(each(writes, Write::key));
        this.writes = writes;
        this.storing = storing;
        this.quiet = quiet;
        commands = quiet ? List.of() : each(writes, Write::command);
    }

    /** Maps without a stream, which would allocate more than the list for a few keys. */
    private static <S, T> List<T> each(List<S> list, Function<S, T> part) {
        List<T> parts = new ArrayList<>(list.size());
        for (S element : list) {
            parts.add(part.apply(element));
        }
        return parts;
    }

    public static MetaMultiWrite stores(List<Write> writes) {
        return new MetaMultiWrite(writes, true, writes.size() > FEW_KEYS);
    }

    public static MetaMultiWrite deletes(List<Write> writes) {
        return new MetaMultiWrite(writes, false, false);
    }

    /** Returns a command for {@code some} of these writes, with a reply for each key. */
    public MetaMultiWrite replied(List<Write> some) {
        return new MetaMultiWrite(some, storing, false);
    }

    @Override
    public Command<Outcomes> again() {
        return new MetaMultiWrite(writes, storing, quiet);
    }

    @Override
    public Command<Outcomes> withExptimeAtMost(int seconds) {
        return new MetaMultiWrite(each(writes, write -> write.withExptimeAtMost(seconds)), storing, quiet);
    }

    @Override
    public String verb() {
        return quiet ? "ms" : commands.get(0).verb();
    }

    @Override
    public String operation() {
        return storing ? STORES : DELETES;
    }

    @Override
    public Effect effect() {
        return storing ? Effect.STORE : Effect.DELETE;
    }

    public List<Write> writes() {
        return writes;
    }

    @Override
    boolean hasDataBlock() {
        return storing;
    }

    @Override
    public long requestBytes() {
        long bytes = (long) writes.size() * KeyRule.MANY_BYTES;
        for (Write write : writes) {
            MetaSet.Item item = write.stored();
            bytes += item == null ? 0 : item.data().length;
        }
        return bytes;
    }

    @Override
    public Command<Outcomes> classicForm() throws NoClassicFormException {
        commands = new ArrayList<>(writes.size());
        for (Write write : writes) {
            commands.add(write.command().classicForm());
        }
        quiet = false;
        return this;
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        for (int i = 0; i < writes.size(); i++) {
            Write write = writes.get(i);
            MetaSet.Item item = write.stored();
            if (quiet && item != null) {
                out.append("ms ").appendKey(write.key(), KeyRule.checkLength(write.key()));
                item.append(out, MetaSet.Mode.QUIET_SET, MetaSet.ANY_CAS, opaqueOf(i, opaque));
            } else {
                commands.get(i).encode(out, opaqueOf(i, opaque));
            }
            out.endRequest();
        }
        if (quiet) {
            out.append("mn").endLine();
        }
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (quiet) {
            return decodeFailures(in, opaque);
        }
        while (decoded < commands.size()) {
            if (!commands.get(decoded).decode(in, opaqueOf(decoded, opaque))) {
                return false;
            }
            decoded++;
        }
        return true;
    }

    private boolean decodeFailures(ReplyBuffer in, int opaque) throws MalformedReplyException {
        while (in.nextLine()) {
            if (in.code() == ReplyBuffer.MN) {
                return true;
            }
            if (StoreStatus.ofCode(in.code()) == null) {
                errorOrReject(in);
            } else {
                checkOpaqueOfAnyPart(in, opaque);
            }
            undecided = true;
        }
        return false;
    }

    private void checkOpaqueOfAnyPart(ReplyBuffer in, int opaque) throws MalformedReplyException {
        boolean opaqueSeen = false;
        while (in.nextToken()) {
            if (in.tokenLetter() == 'O') {
                long number = in.flagNumber();
                long part = (number >> 24) - 1;
                if ((number & 0xFFFFFF) != opaque || part < 0 || part >= writes.size()) {
                    throw in.malformed("the server sent a reply to another request (opaque " + opaque + " expected)");
                }
                opaqueSeen = true;
            }
        }
        if (!opaqueSeen) {
            throw in.malformed("the server sent a reply without its opaque");
        }
    }

    @Override
    public Outcomes result() {
        List<Outcome> outcomes = quiet
                ? Collections.nCopies(undecided ? 0 : writes.size(), Outcome.DONE)
                : each(commands, MetaMultiWrite::outcome);
        return new Outcomes(outcomes, undecided);
    }

    private static Outcome outcome(Command<StoreStatus> command) {
        ErrorReply error = command.errorReply();
        StoreStatus status = error == null ? command.result() : StoreStatus.DONE;
        if (status != StoreStatus.DONE && status != StoreStatus.NOT_FOUND) {
            // Only proxies refuse a delete.
            error = new ErrorReply(ErrorReply.Kind.SERVER_ERROR, status.toString());
        }
        return error == null ? Outcome.done(status) : new Outcome(null, error, null);
    }
}
