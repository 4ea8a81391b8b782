// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.sender.CommandSender;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A sender of a test, whose pauses never end. */
public interface TimerlessSender extends CommandSender {

    @Override
    default CompletableFuture<@Nullable Void> pause(long nanos) {
        return new CompletableFuture<>();
    }
}
