// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.NoClassicFormException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Command that stores or deletes many items, with an {@code ms} or {@code md} for each key.
 *
 * <p>More than {@link #FEW_KEYS} stores are quiet: the server replies only to stores that fail, and {@code mn} ends the
 * command. Errors do not name the keys that failed. If it is unknown which stores have failed, the outcome is {@link
 * Outcomes#undecided}, and all keys without a reply are reported as failed. The caller then sends these stores again by
 * {@link #replied}. Deletes are never quiet, because a missing reply would then mean a deletion.
 *
 * <p>Protocol: {@code ms <key> <datalen> F<flags> T<exptime> O<opaque>.<index> [q]\r\n<data block>\r\n} for each key,
 * and {@code mn\r\n} after quiet stores, or {@code md <key> O<opaque>.<index>\r\n} for each key; protocol.txt, sections
 * "Meta Set", "Meta Delete" and "Meta No-Op".
 */
public final class MetaMultiWrite extends Command<MetaMultiWrite.Outcomes>
        implements KeysCommand<MetaMultiWrite.Outcomes> {

    public static final String STORES = "multiSet";
    public static final String DELETES = "multiDelete";

    /** Store of an item, or its deletion if {@code stored} is null. */
    public record Write(String key, MetaSet.@Nullable Item stored) {

        public Write {
            KeyRule.checkLength(key);
        }

        public static Write delete(String key) {
            return new Write(key, null);
        }
    }

    /**
     * Outcome for one key. Exactly one of its components is not null.
     *
     * @param error the error that the server sent, or a status that refuses the write
     * @param failure the reason why the key has no reply, if a sender has split the command into several
     */
    public record Outcome(
            @Nullable StoreStatus status,
            @Nullable ErrorReply error,
            @Nullable MemcachedException failure) {

        public Outcome(@Nullable StoreStatus status, @Nullable ErrorReply error) {
            this(status, error, null);
        }

        public static Outcome failed(MemcachedException failure) {
            return new Outcome(null, null, failure);
        }

        /** Returns whether the write was executed. A delete also counts as executed if there was no item. */
        public boolean isDone() {
            return status != null;
        }
    }

    /** Outcomes in the order of the keys. {@code undecided} is true if the reply does not show which stores failed. */
    public record Outcomes(List<Outcome> each, boolean undecided) {}

    private static final byte[] STORE = "ms ".getBytes(US_ASCII);
    private static final byte[] DELETE = "md ".getBytes(US_ASCII);
    private static final byte[] OPAQUE = " O".getBytes(US_ASCII);
    private static final byte[] QUIET = " q".getBytes(US_ASCII);

    private final List<Write> writes;
    private final boolean quiet;
    private final boolean storing;
    private final @Nullable Outcome[] outcomes;

    /** Verb of the command that is sent: this command or its classic form. Written by the thread that sends. */
    private String verb;

    private final List<ErrorReply> unplaced = new ArrayList<>();

    /** Index of the last reply's key; -1 before the first reply. */
    private int last = -1;

    private boolean undecided;

    MetaMultiWrite(List<Write> writes, boolean quiet, boolean storing) {
        if (writes.isEmpty() || writes.size() > MAX_KEYS) {
            throw new IllegalArgumentException("a command has " + writes.size() + " keys, but needs 1 to " + MAX_KEYS);
        }
        for (Write write : writes) {
            if ((write.stored() != null) != storing) {
                throw new IllegalArgumentException("a command has both stores and deletes: make two commands");
            }
        }
        this.writes = writes;
        this.quiet = quiet;
        this.storing = storing;
        this.outcomes = new Outcome[writes.size()];
        this.verb = storing ? "ms" : "md";
    }

    /** Returns a command for 1 to {@link #MAX_KEYS} stores with distinct keys. The list is not copied. */
    public static MetaMultiWrite stores(List<Write> writes) {
        return new MetaMultiWrite(writes, writes.size() > FEW_KEYS, true);
    }

    /** Returns a command for 1 to {@link #MAX_KEYS} deletes with distinct keys. The list is not copied. */
    public static MetaMultiWrite deletes(List<Write> writes) {
        return new MetaMultiWrite(writes, false, false);
    }

    @Override
    public Command<Outcomes> withExptimeAtMost(int seconds) {
        if (!storing) {
            return this;
        }
        List<Write> shorter = new ArrayList<>(writes.size());
        for (Write write : writes) {
            MetaSet.Item item = write.stored();
            shorter.add(new Write(write.key(), item == null ? null : item.withExptimeAtMost(seconds)));
        }
        return new MetaMultiWrite(shorter, quiet, storing);
    }

    @Override
    public String verb() {
        return verb;
    }

    @Override
    public String operation() {
        return storing ? STORES : DELETES;
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
    boolean hasDataBlock() {
        return storing;
    }

    @Override
    public long requestBytes() {
        long bytes = (long) writes.size() * KeyRule.MANY_BYTES;
        for (Write write : writes) {
            bytes += write.stored() == null ? 0 : write.stored().data().length;
        }
        return bytes;
    }

    @Override
    public Command<Outcomes> again() {
        return new MetaMultiWrite(writes, quiet, storing);
    }

    /** Returns a command for {@code some} of these writes. The server replies to each key. */
    public MetaMultiWrite replied(List<Write> some) {
        return new MetaMultiWrite(some, false, storing);
    }

    @Override
    public Effect effect() {
        return storing ? Effect.STORE : Effect.DELETE;
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        for (int i = 0; i < writes.size(); i++) {
            Write write = writes.get(i);
            MetaSet.Item item = write.stored();
            out.append(item == null ? DELETE : STORE).appendKey(write.key(), KeyRule.checkLength(write.key()));
            if (item != null) {
                out.append(' ').appendUnsigned(item.data().length);
                MetaSet.appendFlagsAndExptime(out, item);
            }
            out.append(OPAQUE).appendUnsigned(opaque).append('.').appendUnsigned(i);
            if (quiet) {
                out.append(QUIET);
            }
            out.endLine();
            if (item != null) {
                out.append(item.data()).endLine();
            }
            out.endRequest();
        }
        if (quiet) {
            out.append(MetaNoop.REQUEST).endLine();
        }
    }

    @Override
    public Command<Outcomes> classicForm() throws NoClassicFormException {
        ClassicMultiWrite classic = new ClassicMultiWrite(this);
        verb = classic.verb();
        return classic;
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        while (in.nextLine()) {
            int code = in.code();
            if (quiet && code == MetaNoop.REPLY) {
                placeErrors(in);
                return true;
            }
            StoreStatus status = StoreStatus.ofCode(code);
            if (status != null) {
                keep(index(in, opaque), outcome(status), in);
            } else {
                takeErrorLine(in);
            }
            if (!quiet && last == writes.size() - 1) {
                return true;
            }
        }
        return false;
    }

    /** Returns the outcome for a status. Only proxies refuse a write without a condition. */
    private Outcome outcome(StoreStatus status) {
        return status == StoreStatus.DONE || (status == StoreStatus.NOT_FOUND && !storing)
                ? new Outcome(status, null)
                : new Outcome(null, new ErrorReply(ErrorReply.Kind.SERVER_ERROR, String.valueOf(status)));
    }

    private int index(ReplyBuffer in, int opaque) throws MalformedReplyException {
        long index = -1;
        while (in.nextToken()) {
            if (in.tokenLetter() == 'O') {
                if (in.flagNumberUpTo('.') != opaque) {
                    throw in.malformed("a reply to another request (opaque " + opaque + " expected)");
                }
                index = in.flagNumber();
            }
        }
        if (index < 0 || index >= writes.size()) {
            throw in.malformed("a reply without its opaque");
        }
        return (int) index;
    }

    void takeOutcome(int index, Outcome outcome) {
        outcomes[index] = outcome;
    }

    private void keep(int index, Outcome outcome, ReplyBuffer in) throws MalformedReplyException {
        if (quiet ? index <= last : index != last + 1) {
            throw in.malformed("a reply out of order");
        }
        outcomes[index] = outcome;
        last = index;
    }

    private void takeErrorLine(ReplyBuffer in) throws MalformedReplyException {
        ErrorReply error = errorIn(in);
        if (error == null) {
            throw in.malformed("not a reply to " + verb());
        }
        if (!quiet) {
            keep(last + 1, new Outcome(null, error), in);
            return;
        }
        unplaced.add(error);
        if (unplaced.size() > writes.size()) {
            throw in.malformed("more errors than keys");
        }
    }

    /**
     * Sets the outcomes of the keys without a reply, at the end of a quiet command. If no error arrived, these keys
     * were stored. If an error arrived for each of these keys, the errors are in the order of the keys.
     */
    private void placeErrors(ReplyBuffer in) throws MalformedReplyException {
        int silent = 0;
        for (Outcome outcome : outcomes) {
            silent += outcome == null ? 1 : 0;
        }
        if (unplaced.size() > silent) {
            throw in.malformed("more errors than keys");
        }
        undecided = !unplaced.isEmpty() && unplaced.size() < silent;
        int next = 0;
        for (int i = 0; i < outcomes.length; i++) {
            if (outcomes[i] == null) {
                outcomes[i] = unplaced.isEmpty()
                        ? new Outcome(StoreStatus.DONE, null)
                        : new Outcome(null, unplaced.get(undecided ? 0 : next++));
            }
        }
    }

    @Override
    public List<String> keys() {
        return writes.stream().map(Write::key).toList();
    }

    public List<Write> writes() {
        return writes;
    }

    @Override
    public Outcomes result() {
        List<Outcome> all = new ArrayList<>(outcomes.length);
        for (Outcome outcome : outcomes) {
            if (outcome == null) {
                throw new IllegalStateException(verb() + " does not have a reply for each key yet");
            }
            all.add(outcome);
        }
        return new Outcomes(all, undecided);
    }
}
