// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.sender.CommandSender;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A sender of a test in which nothing pauses. */
public interface TimerlessSender extends CommandSender {

    @Override
    default CompletableFuture<@Nullable Void> pause(long nanos) {
        throw new UnsupportedOperationException(this + " has no timer");
    }
}
