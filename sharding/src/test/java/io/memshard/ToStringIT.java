// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.chunked.ChunkedClient;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.options.Credentials;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a person sees who prints one of our objects: enough to tell them apart, no value and no password. */
@Timeout(60)
class ToStringIT {

    private static final String VALUE = "a value of 21 bytes..";

    @Test
    void printedObjectsNameTheirTypeAndHideSecrets() {
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                Memshard memshard = Memshard.builder()
                        .servers("127.0.0.1:" + server.port())
                        .connectionsPerServer(1)
                        .requestTimeout(Duration.ofSeconds(20))
                        .connectTimeout(Duration.ofSeconds(20))
                        .build()) {
            MemcachedClient<String> client = memshard.client(Transcoder.utf8());
            AsyncMemcachedClient<String> async = memshard.asyncClient(Transcoder.utf8());
            client.set("k", VALUE, TimeToLive.NEVER);
            String at = "127.0.0.1:" + server.port();

            Map<Object, String> table = new LinkedHashMap<>();
            table.put(memshard, "Memshard\\[" + at + ", connections \\[READY]]");
            table.put(client, "MemcachedClient\\[" + at + ", requestTimeout=PT20S]");
            table.put(
                    client.withFailurePolicy(FailurePolicy.TREAT_AS_MISS),
                    "MemcachedClient\\[" + at + " under TREAT_AS_MISS, requestTimeout=PT20S]");
            table.put(
                    async.withKeyPrefix("app:"),
                    "AsyncMemcachedClient\\[" + at + ", requestTimeout=PT20S, keyPrefix=app:]");
            table.put(
                    ChunkedClient.over(client.withKeyPrefix("app:"), Transcoder.bytes()),
                    "ChunkedClient\\[MemcachedClient\\[" + at + ", requestTimeout=PT20S, keyPrefix=app:], "
                            + "chunkBytes=1000000, maxBytes=50000000]");
            table.put(client.gets("k"), "CasValue\\[a String, casUnique=\\d+]");
            table.put(
                    client.meta().get(GetRequest.of("k").returning(ItemField.VALUE, ItemField.TTL)),
                    "MetaItem\\[DONE, 21 bytes.* t-1.*]");
            table.put(client.multiGet(List.of("k", "none")), "MultiGetResult\\[hits=1, misses=1, failures=0]");
            table.put(
                    client.multiSet(Map.of("k", VALUE), TimeToLive.NEVER),
                    "MultiWriteResult\\[done=1, misses=0, failures=0]");
            table.put(client.multiDelete(List.of("k", "none")), "MultiWriteResult\\[done=1, misses=1, failures=0]");
            table.put(new EncodedValue(new byte[5], -1), "EncodedValue\\[5 bytes, flags=4294967295]");
            table.put(new Credentials("user", "secret"), "Credentials\\[user=user, password hidden]");

            table.forEach((printed, expected) ->
                    assertThat(printed.toString()).matches(expected).doesNotContain(VALUE, "secret"));
        }
    }
}
