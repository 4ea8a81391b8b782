// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Classic command whose reply is one word, the outcome for the item.
 *
 * <p>Protocol: {@code delete <key>\r\n}, replied {@code DELETED} or {@code NOT_FOUND}; {@code touch <key>
 * <exptime>\r\n}, replied {@code TOUCHED} or {@code NOT_FOUND}; protocol.txt, sections "Deletion" and "Touch". For
 * "Storage commands" see {@link ClassicStore}.
 */
class ClassicStatus<T> extends StatusCommand<T> {

    private static final byte[] DELETED = "DELETED".getBytes(US_ASCII);
    private static final byte[] TOUCHED = "TOUCHED".getBytes(US_ASCII);

    private static final byte[] NOT_STORED = "NOT_STORED".getBytes(US_ASCII);
    private static final byte[] EXISTS = "EXISTS".getBytes(US_ASCII);
    private static final byte[] NOT_FOUND = "NOT_FOUND".getBytes(US_ASCII);

    private final String verb;
    private final byte[] done;

    ClassicStatus(String key, String verb, byte[] done, Function<StoreStatus, T> outcome) {
        super(key, outcome);
        this.verb = verb;
        this.done = done;
    }

    static <T> ClassicStatus<T> delete(String key, Function<StoreStatus, T> outcome) {
        return new ClassicStatus<>(key, "delete", DELETED, outcome);
    }

    static <T> ClassicStatus<T> touch(String key, int exptime, Function<StoreStatus, T> outcome) {
        return new ClassicStatus<>(key, "touch", TOUCHED, outcome) {
            @Override
            void appendArguments(RequestBuffer out) {
                out.append(' ').appendUnsigned(exptime);
            }
        };
    }

    @Override
    public final String verb() {
        return verb;
    }

    @Override
    public final Command<T> classicForm() {
        return this;
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        appendKey(out.append(verb.getBytes(US_ASCII)).append(' '));
        appendArguments(out);
        out.endLine();
    }

    void appendArguments(RequestBuffer out) {}

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
