// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.testkit.ClosedPort;
import io.memshard.testkit.fault.ScriptedServer;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@EachTransport
@Timeout(120)
class ClientThreadsIT extends ConnectionFixture {

    ClientThreadsIT(Transport transport) {
        super(transport, Protocol.META);
    }

    /** As a request's user and transaction, which a thread of the client would keep. */
    @Test
    void threadsOfAClientInheritNothingOfTheirStarter() throws Exception {
        List<Thread> heirs = new CopyOnWriteArrayList<>();
        InheritableThreadLocal<String> request = new InheritableThreadLocal<>() {
            @Override
            protected String childValue(String value) {
                heirs.add(Thread.currentThread());
                return value;
            }
        };
        ScriptedServer server = answeringServer();
        int closed = closedAfterwards(new ClosedPort()).port();
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        URLClassLoader ofTheCaller = closedAfterwards(new URLClassLoader(new URL[0], before));
        Thread.currentThread().setContextClassLoader(ofTheCaller);
        request.set("of the caller");
        heirs.clear();
        try {
            ConnectionGroup group = group(new ConnectionListener() {});
            Connection connection = opened(connect(group, server));
            works(connection);
            result(future(connection, get("a")));
            result(connection.pause(1));
            failedCall(connect(group, new ServerAddress("127.0.0.1", closed)));
            assertThat(clientThreads())
                    .isNotEmpty()
                    .allSatisfy(thread -> assertThat(thread.getContextClassLoader())
                            .as(thread.getName())
                            .isNotSameAs(ofTheCaller));
            group.close();
        } finally {
            request.remove();
            Thread.currentThread().setContextClassLoader(before);
        }
        assertThat(heirs).isEmpty();
    }

    private static List<Thread> clientThreads() {
        return Thread.getAllStackTraces().keySet().stream() // Their class loaders, not their number.
                .filter(thread -> thread.getName().startsWith("memshard-"))
                .collect(Collectors.toList());
    }

    @Test
    void atMost64AttemptsRunAndThoseAfterFewerFailuresGoFirst() throws Exception {
        ClientThreads threads = group().threads;
        CountDownLatch one = new CountDownLatch(1);
        CountDownLatch servers = new CountDownLatch(1);
        threads.connect(() -> passes(one), 0);
        for (int i = 1; i < ClientThreads.MAX_CONNECTORS; i++) {
            threads.connect(() -> passes(servers), 0);
        }
        List<String> made = new CopyOnWriteArrayList<>();
        Future<?> last = threads.connect(() -> made.add("after 5"), 5);
        threads.connect(() -> made.add("after 1"), 1);
        threads.connect(() -> made.add("first"), 0);
        threads.connect(() -> made.add("second"), 0);
        threads.connect(() -> made.add("cancelled"), 0).cancel(true);
        assertThat(made).isEmpty();
        // One thread has time for others now.
        one.countDown();
        last.get();
        assertThat(made).containsExactly("first", "second", "after 1", "after 5");
        servers.countDown();
    }
}
