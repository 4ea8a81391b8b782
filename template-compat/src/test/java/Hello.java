// SPDX-License-Identifier: Apache-2.0
import io.memshard.Memshard;
import io.memshard.client.MemcachedClient;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;

public class Hello {

    public static void main(String[] servers) {
        try (Memshard memshard = Memshard.connect(servers.length > 0 ? servers[0] : "127.0.0.1:11211")) {
            MemcachedClient<String> cache = memshard.client(Transcoder.utf8());
            cache.set("greeting", "hello", Duration.ofMinutes(5));
            System.out.println(cache.get("greeting"));
        }
    }
}
