// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code md}: deletes an item.
 *
 * <p>Protocol: {@code md <key> <flags>*\r\n} in protocol.txt, section "Meta Delete"; {@code O} opaque.
 */
public final class MetaDelete<T> extends StatusCommand<T> implements ItemCommand<T> {

    private static final byte[] VERB = "md ".getBytes(US_ASCII);

    /** Creates a command that deletes the item under {@code key}. */
    public MetaDelete(String key, Function<StoreStatus, T> outcome) {
        super(key, outcome);
    }

    @Override
    public String verb() {
        return "md";
    }

    @Override
    public String operation() {
        return "delete";
    }

    @Override
    public ItemsCommand<T> asItems() {
        return this;
    }

    @Override
    public Command<T> again() {
        return new MetaDelete<>(key(), outcome());
    }

    @Override
    public Effect effect() {
        return Effect.DELETE;
    }

    @Override
    public Command<T> withExptimeAtMost(int seconds) {
        return this;
    }

    @Override
    public Command<@Nullable MetaReply> raw() {
        return new MetaDelete<>(key(), MetaReply::new);
    }

    @Override
    public T resultOf(@Nullable MetaReply reply) {
        return resultOfStatus(reply);
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        appendKey(out.append(VERB));
        endWithOpaque(out, opaque);
    }

    @Override
    public Command<T> classicForm() {
        return ClassicStatus.delete(key(), outcome());
    }
}
