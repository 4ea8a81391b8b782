// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.testkit.Eventually;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

@Timeout(120)
class ClientLogTest {

    private final CountDownLatch writes = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private volatile Thread writer;

    private final ClientLog log = new ClientLog((Logger) Proxy.newProxyInstance(
            Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                if (method.getReturnType() == boolean.class) {
                    return true;
                }
                writer = Thread.currentThread();
                writes.countDown();
                goesOn.await();
                Object[] values = arguments[1] instanceof Object[] many ? many : new Object[] {arguments[1]};
                lines.add(MessageFormatter.basicArrayFormat((String) arguments[0], values));
                return null;
            }));

    @Test
    void theThreadEndsWhereNothingIsLogged() throws InterruptedException {
        goesOn.countDown();
        log.warn("{}", 0);
        writes.await();
        Eventually.eventually("the thread has ended", () -> !writer.isAlive());
    }

    @Test
    void linesThatABlockedLogDidNotGetAreCounted() throws InterruptedException {
        log.warn("{}", 0);
        writes.await();
        for (int i = 1; i <= ClientLog.MAX_WAITING + 7; i++) {
            log.info("{}", i);
        }
        goesOn.countDown();
        Eventually.eventually("written", () -> lines.size() == ClientLog.MAX_WAITING + 2);

        assertThat(lines)
                .startsWith("0", "7 log lines of Memshard were lost, because logging blocked or was slow", "1", "2")
                .endsWith("999", "1000");
    }
}
