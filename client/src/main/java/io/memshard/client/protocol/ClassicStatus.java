// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A classic command whose reply is one word, which says what happened to the item.
 *
 * <p>Protocol: protocol.txt, sections "Storage commands", "Deletion" and "Touch".
 */
abstract class ClassicStatus<T> extends StatusCommand<T> {

    private static final byte[] NOT_STORED = "NOT_STORED".getBytes(US_ASCII);
    private static final byte[] EXISTS = "EXISTS".getBytes(US_ASCII);
    private static final byte[] NOT_FOUND = "NOT_FOUND".getBytes(US_ASCII);

    private final String verb;
    private final byte[] done;

    /**
     * Creates a command about the item under {@code key}.
     *
     * @param done the word that the server replies when it has executed the command
     */
    ClassicStatus(String key, String verb, byte[] done, Function<StoreStatus, T> outcome) {
        super(key, outcome);
        this.verb = verb;
        this.done = done;
    }

    @Override
    public final String verb() {
        return verb;
    }

    @Override
    public final Command<T> classicForm() {
        return this;
    }

    /** Appends verb and key. */
    final RequestBuffer appendVerbAndKey(RequestBuffer out) {
        return appendKey(out.append(verb.getBytes(US_ASCII)).append(' '));
    }

    @Override
    final @Nullable StoreStatus statusIn(ReplyBuffer in, int opaque) {
        if (in.lineIs(done)) {
            return StoreStatus.DONE;
        }
        if (in.lineIs(NOT_FOUND)) {
            return StoreStatus.NOT_FOUND;
        }
        if (!hasDataBlock()) {
            return null;
        }
        return in.lineIs(NOT_STORED) ? StoreStatus.NOT_STORED : in.lineIs(EXISTS) ? StoreStatus.EXISTS : null;
    }
}
