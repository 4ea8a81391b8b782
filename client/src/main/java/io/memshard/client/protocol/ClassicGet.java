// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Classic form of {@link MetaGet}: {@code get} or {@code gets}.
 *
 * <p>Protocol: {@code get <key>\r\n}, replied as described by {@link ClassicRead}, with one item or none.
 */
final class ClassicGet<T> extends ClassicRead<@Nullable T> implements ReadCommand<@Nullable T> {

    private final MetaGet.Hit<T> hit;

    ClassicGet(String key, boolean withCas, int exptime, MetaGet.Hit<T> hit) {
        super(key, 1, withCas, exptime == MetaGet.NO_TOUCH ? List.of() : List.of(touch(key, exptime)));
        this.hit = hit;
    }

    @Override
    @SuppressWarnings("NullAway") // NullAway does not see that the type argument of the superclass is nullable.
    public @Nullable T miss() {
        return null;
    }

    @Override
    public int hits() {
        return isHit() ? 1 : 0;
    }

    /**
     * Returns whether the reply is a hit. The placeholder of a load is a hit only for {@code gets}, because the caller
     * may replace the placeholder by {@code cas}.
     */
    private boolean isHit() {
        byte[] data = data();
        return data != null && (isWithCas() || !MetaReply.isHeldPlace(data, clientFlags()));
    }

    @Override
    @SuppressWarnings("NullAway") // NullAway does not see that the type argument of the superclass is nullable.
    public @Nullable T result() {
        byte[] data = data();
        return data == null || !isHit() ? null : hit.result(data, clientFlags(), casUnique());
    }
}
