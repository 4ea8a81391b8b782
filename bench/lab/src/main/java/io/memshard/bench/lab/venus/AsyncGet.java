// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import io.memshard.Memshard;
import io.memshard.MemshardBuilder;
import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.client.AsyncMemcachedClient;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Callers that keep a window of gets under way and take the oldest first. A cycle is one get that was taken. */
final class AsyncGet implements OpenedArm {

    private final Memshard memshard;
    private final AsyncMemcachedClient<byte[]> client;
    private final Keys keys;
    private final int window;

    /**
     * Connects what {@code builder} describes.
     *
     * @param window gets that each caller has under way, at least 1
     */
    AsyncGet(MemshardBuilder builder, Keys keys, int window) throws Exception {
        this.memshard = builder.build();
        this.client = memshard.asyncClient();
        this.keys = keys;
        this.window = window;
        // Connects, and loads what that needs.
        client.get(keys.name(0)).get();
    }

    /** A get that is under way. */
    private record Sent(int key, CompletableFuture<byte @Nullable []> reply) {}

    @Override
    public Cycle cycle(int caller) {
        SplittableRandom random = new SplittableRandom(caller);
        Queue<Sent> underWay = new ArrayDeque<>();
        return number -> {
            while (underWay.size() < window) {
                int key = keys.draw(random);
                underWay.add(new Sent(key, client.get(keys.name(key))));
            }
            Sent oldest = underWay.remove();
            // The client's own time-out comes first.
            return keys.checked(
                    oldest.key, oldest.reply.get(2 * ContenderSettings.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
        };
    }

    @Override
    public void close() {
        memshard.close();
    }
}
