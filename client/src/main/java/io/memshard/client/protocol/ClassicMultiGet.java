// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.stream.Collectors;

/**
 * {@code get} or {@code gets} of many keys: the classic form of a {@link MetaMultiGet}, which receives the values. A
 * {@code touch} of each key is sent first if the items get a new time to live. {@link ClassicGet} says why this class
 * does not use {@code gat}.
 *
 * <p>Each value names its key, which must be one of the requested keys and must not have a value yet. A proxy that asks
 * several servers may return the values in another order than the keys. An error in place of a value or of the end
 * fails the whole command.
 *
 * <p>Protocol: {@code get <key>*\r\n}, replied {@code VALUE <key> <flags> <bytes> [<cas unique>]\r\n<data block>\r\n}
 * for each hit, then {@code END\r\n}; protocol.txt, section "Retrieval command". The request line has at most 100 keys,
 * and so at most 25 KiB. {@code get} and {@code gets} are the only lines of more than 2 KiB that memcached accepts.
 */
final class ClassicMultiGet<V> extends ValueCommand<FoundItems<V>> implements ReadCommand<FoundItems<V>> {

    private final MetaMultiGet<V> items;
    private final List<String> keys;
    private final boolean withCas;

    /** Touches that are sent before the get, except those whose replies are already decoded. */
    private final Queue<ClassicTouch<?>> touches;

    private int current = -1;
    private int clientFlags;
    private long casUnique;

    ClassicMultiGet(MetaMultiGet<V> items) {
        super(items.keys().get(0));
        this.items = items;
        this.keys = items.keys();
        this.withCas = items.wanted() == MetaGet.Wanted.VALUE_AND_CAS;
        this.touches = items.exptime() == MetaGet.NO_TOUCH
                ? new ArrayDeque<>(0)
                : keys.stream()
                        .map(key -> new ClassicTouch<>(key, items.exptime(), status -> status))
                        .collect(Collectors.toCollection(ArrayDeque::new));
    }

    @Override
    public String verb() {
        return withCas ? "gets" : "get";
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        touches.forEach(touch -> touch.encode(out, opaque));
        out.append(verb().getBytes(US_ASCII));
        for (int i = 0; i < keys.size(); i++) {
            items.appendKey(out.append(' '), i);
        }
        out.endLine();
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        return decodeTouches(in, opaque) && decodeGet(in);
    }

    /**
     * Decodes the replies to the touches, and returns whether all of them are complete. An error in one fails this
     * command too.
     */
    private boolean decodeTouches(ReplyBuffer in, int opaque) throws MalformedReplyException {
        for (ClassicTouch<?> touch = touches.peek(); touch != null; touch = touches.peek()) {
            if (!touch.decode(in, opaque)) {
                return false;
            }
            ErrorReply error = touch.errorReply();
            if (error != null) {
                fail(error.kind(), error.text());
            }
            touches.remove();
        }
        return true;
    }

    private boolean decodeGet(ReplyBuffer in) throws MalformedReplyException {
        while (true) {
            if (isInBlock()) {
                if (!readBlock(in)) {
                    return false;
                }
                items.keep(current, clientFlags, casUnique, data());
            }
            if (!in.nextLine()) {
                return false;
            }
            if (in.isFirstToken(ClassicGet.VALUE)) {
                current = nextKey(in);
                clientFlags = ClassicGet.nextFlags(in);
                beginBlock(in);
                if (withCas) {
                    casUnique = ClassicGet.nextCasUnique(in, this);
                }
            } else if (in.lineIs(ClassicGet.END) || takeError(in)) {
                return true;
            } else {
                throw in.malformed("not a reply to " + verb());
            }
        }
    }

    /**
     * Moves to the key, which is the second token of the line, and returns its index in the requested keys. Most hits
     * arrive in the order of these keys, so the search starts after the key of the previous hit.
     */
    private int nextKey(ReplyBuffer in) throws MalformedReplyException {
        int expected = current + 1;
        if (expected < keys.size() && !items.isKept(expected) && in.nextTokenIs(keys.get(expected))) {
            return expected;
        }
        ClassicGet.nextKey(in);
        for (int n = 1; n <= keys.size(); n++) {
            int index = (current + n) % keys.size();
            if (!items.isKept(index) && in.tokenIs(keys.get(index))) {
                return index;
            }
        }
        throw in.malformed("a reply to another request (a key that was not requested, or that has a value already)");
    }

    @Override
    void beginSkip(ReplyBuffer in) {
        // A value above the limit fails its key, not the command.
    }

    @Override
    public int keyCount() {
        return items.keyCount();
    }

    @Override
    public Command<FoundItems<V>> classicForm() {
        return this;
    }

    @Override
    public ReadCommand<FoundItems<V>> asRead() {
        return this;
    }

    @Override
    public boolean isRepeatable() {
        return items.isRepeatable();
    }

    @Override
    public FoundItems<V> miss() {
        return items.miss();
    }

    @Override
    public int hits() {
        return items.hits();
    }

    @Override
    public FoundItems<V> result() {
        return items.result();
    }
}
