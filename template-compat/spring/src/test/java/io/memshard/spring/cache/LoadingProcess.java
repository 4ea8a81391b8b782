// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.Memshard;
import io.memshard.client.load.LoadOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.springframework.cache.Cache;

/**
 * A process whose threads want one value at once. It says {@code ready} and waits for a line. Then it says {@code
 * loaded} each time that its loader runs, and at the end {@code values} with those that its threads got.
 */
final class LoadingProcess {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private LoadingProcess() {}

    public static void main(String[] args) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(Integer.parseInt(args[1]));
        try (Memshard memshard = Memshard.builder()
                .servers(args[0])
                .requestTimeout(PATIENCE)
                .connectTimeout(PATIENCE)
                .build()) {
            Cache cache = cache(memshard);
            cache.get("warm");
            System.out.println("ready");
            System.in.read();
            Callable<String> loader = () -> {
                System.out.println("loaded");
                Thread.sleep(300); // The other threads ask meanwhile, and wait.
                return "by " + ProcessHandle.current().pid();
            };
            List<Future<String>> got = new ArrayList<>();
            for (int i = 0; i < Integer.parseInt(args[1]); i++) {
                got.add(threads.submit(() -> cache.get("key", loader)));
            }
            Set<String> values = new TreeSet<>();
            for (Future<String> each : got) {
                values.add(each.get());
            }
            System.out.println("values " + values);
        } finally {
            threads.shutdownNow();
        }
    }

    private static Cache cache(Memshard memshard) {
        return MemcachedCacheManager.builder(memshard)
                .cacheDefaults(MemcachedCacheConfiguration.defaultCacheConfig()
                        .withLoadOptions(
                                LoadOptions.DEFAULTS.withMaxWait(PATIENCE).withFailsAfterWait(true))
                        .propagateFailures())
                .build()
                .getCache("books");
    }
}
