// SPDX-License-Identifier: Apache-2.0
package io.memshard.foreign;

import io.memshard.Memshard;
import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.AdminClient;
import io.memshard.client.chunked.ChunkOptions;
import io.memshard.client.chunked.ChunkedClient;
import io.memshard.client.meta.AsyncMetaClient;
import io.memshard.client.meta.MetaClient;
import io.memshard.client.transcoder.Transcoder;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Clients of one server, by the default settings. Threading: immutable. */
record Calls(Memshard memshard, MemcachedClient<String> client) {

    private static final long LONGEST_SECONDS = 60;

    static Calls of(Memshard memshard) {
        return new Calls(memshard, memshard.client(Transcoder.utf8()));
    }

    AsyncMemcachedClient<String> async() {
        return memshard.asyncClient(Transcoder.utf8());
    }

    MetaClient<String> meta() {
        return client.meta();
    }

    AsyncMetaClient<String> asyncMeta() {
        return async().meta();
    }

    AdminClient admin() {
        return memshard.admin();
    }

    ChunkedClient<String> chunked() {
        return ChunkedClient.over(client, Transcoder.utf8(), ChunkOptions.DEFAULTS.withChunkBytes(500_000));
    }

    /** Returns the result of {@code future}, which ends by the client's own time-out. */
    static <T> T result(CompletableFuture<T> future) throws Exception {
        return future.get(LONGEST_SECONDS, TimeUnit.SECONDS);
    }
}
