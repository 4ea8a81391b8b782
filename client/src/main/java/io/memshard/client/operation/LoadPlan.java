// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.argument.Exptime;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.MetaCommands;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.protocol.Command;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

record LoadPlan<V>(Calls calls, MetaCommands<V> commands, Function<? super V, Duration> ttl, LoadOptions options) {

    /** Divisor of the time to live: by default, an item is reloaded in the last tenth of this time. */
    private static final int RECACHED_PART = 10;

    LoadPlan {
        Objects.requireNonNull(ttl, "ttl is null");
        Objects.requireNonNull(options, "options is null");
    }

    static LoadOptions recachingEarly(Duration ttl, LoadOptions options) {
        // Checked before the loader runs, because the value could not be stored.
        Exptime.of(ttl, Clock.systemUTC());
        Objects.requireNonNull(options, "options is null");
        Duration part = ttl.equals(Exptime.NEVER) ? Duration.ZERO : ttl.dividedBy(RECACHED_PART);
        return options.recacheBelow() != null || part.compareTo(Duration.ofSeconds(1)) < 0
                ? options
                : options.withRecacheBelow(part);
    }

    Command<@Nullable MetaItem<V>> read(String key) {
        GetRequest get =
                GetRequest.of(key).returning(ItemField.VALUE, ItemField.CAS).vivify(options.claimTtl());
        Duration recacheBelow = options.recacheBelow();
        if (recacheBelow != null && !recacheBelow.isZero()) {
            get = get.recacheBelow(recacheBelow);
        }
        return commands.get(get, options.servesStale());
    }

    boolean isAnswer(MetaItem<V> found) {
        return !found.isWon() && !found.isPlaceholder() && (!found.isStale() || options.servesStale());
    }

    /** Returns whether a caller waits without limit for a load in its own process. */
    boolean isSharedToItsEnd() {
        return !options.failsAfterWait() && !options.maxWait().isZero();
    }

    long deadlineNanos() {
        return System.nanoTime() + options.maxWait().toNanos();
    }
}
