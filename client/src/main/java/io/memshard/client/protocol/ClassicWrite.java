// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

final class ClassicWrite<T> extends Command<T> {

    private static final byte[] STORED = "STORED".getBytes(US_ASCII);
    private static final byte[] DELETED = "DELETED".getBytes(US_ASCII);
    private static final byte[] TOUCHED = "TOUCHED".getBytes(US_ASCII);
    private static final byte[] NOT_STORED = "NOT_STORED".getBytes(US_ASCII);
    private static final byte[] EXISTS = "EXISTS".getBytes(US_ASCII);
    private static final byte[] NOT_FOUND = "NOT_FOUND".getBytes(US_ASCII);

    private final String verb;
    private final MetaSet.@Nullable Item item;
    private final boolean hasNumber;

    /** Cas unique, exptime or delta at the end of the request line. */
    private final long number;

    /** Reply that means success; null if the reply is a number. */
    private final byte @Nullable [] done;

    private final Function<MetaReply, T> outcome;
    private @Nullable MetaReply reply;

    private ClassicWrite(
            String key,
            String verb,
            MetaSet.@Nullable Item item,
            boolean hasNumber,
            long number,
            byte @Nullable [] done,
            Function<MetaReply, T> outcome) {
        super(key);
        this.verb = verb;
        this.item = item;
        this.hasNumber = hasNumber;
        this.number = number;
        this.done = done;
        this.outcome = outcome;
    }

    static <T> ClassicWrite<T> store(
            String key, MetaSet.Mode mode, MetaSet.Item item, long casUnique, Function<MetaReply, T> outcome) {
        boolean isCas = casUnique != MetaSet.ANY_CAS;
        return new ClassicWrite<>(key, isCas ? "cas" : mode.operation, item, isCas, casUnique, STORED, outcome);
    }

    static <T> ClassicWrite<T> delete(String key, Function<MetaReply, T> outcome) {
        return new ClassicWrite<>(key, "delete", null, false, 0, DELETED, outcome);
    }

    static <T> ClassicWrite<T> touch(String key, int exptime, Function<MetaReply, T> outcome) {
        return new ClassicWrite<>(key, "touch", null, true, exptime, TOUCHED, outcome);
    }

    static <T> ClassicWrite<T> count(String key, String verb, long delta, Function<MetaReply, T> outcome) {
        return new ClassicWrite<>(key, verb, null, true, delta, null, outcome);
    }

    @Override
    public String verb() {
        return verb;
    }

    @Override
    boolean hasDataBlock() {
        return item != null;
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        appendKey(out.append(verb).append(' '));
        if (item != null) {
            out.append(' ')
                    .appendUnsigned(Integer.toUnsignedLong(item.flags()))
                    .append(' ')
                    .appendUnsigned(item.exptime())
                    .append(' ')
                    .appendUnsigned(item.data().length);
        }
        if (hasNumber) {
            out.append(' ').appendUnsigned(number);
        }
        out.endLine();
        if (item != null) {
            out.append(item.data()).endLine();
        }
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (!in.nextLine()) {
            return false;
        }
        StoreStatus status = statusIn(in);
        if (status != null) {
            reply = MetaReply.of(status);
            if (status != StoreStatus.DONE && verb.equals(MetaSet.Mode.SET.operation)) {
                failRefused(status);
            }
        } else if (!takeError(in)) {
            takeNumber(in);
        }
        return true;
    }

    private @Nullable StoreStatus statusIn(ReplyBuffer in) {
        if (done != null && in.lineIs(done)) {
            return StoreStatus.DONE;
        }
        if (in.lineIs(NOT_FOUND)) {
            return StoreStatus.NOT_FOUND;
        }
        if (item == null) {
            return null;
        }
        return in.lineIs(NOT_STORED) ? StoreStatus.NOT_STORED : in.lineIs(EXISTS) ? StoreStatus.EXISTS : null;
    }

    private void takeNumber(ReplyBuffer in) throws MalformedReplyException {
        boolean isNumber = done == null && in.nextToken();
        MetaReply counted = new MetaReply(StoreStatus.DONE);
        if (isNumber) {
            counted.put((byte) 'v', in.tokenNumber());
        }
        // If decr makes a number shorter, memcached pads the number with spaces.
        if (!isNumber || in.nextToken()) {
            throw in.malformed("the server sent a line that is not a reply to " + verb);
        }
        reply = counted;
    }

    @Override
    public T result() {
        return outcome.apply(Objects.requireNonNull(reply, "the command has no reply yet"));
    }
}
