// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.ring.Server;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands that wait for the first link of a server which then leaves: it takes connections and answers nothing. */
@Timeout(60)
@Tag("once")
class MovedCommandsIT {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration HOUR = Duration.ofHours(1);

    private final LeakCheck leaks = LeakCheck.start();
    private final EmbeddedMemcached server = EmbeddedMemcached.start();
    private final ServerSocket mute = mute();
    private final ServerSocket alsoMute = mute();
    private Memshard memshard;

    private static ServerSocket mute() {
        try {
            return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String address(ServerSocket listening) {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    private void connect(String servers, Duration requestTimeout) {
        memshard = Memshard.builder()
                .servers(servers)
                .requestTimeout(requestTimeout)
                .connectTimeout(Duration.ofSeconds(2))
                .build();
    }

    private AsyncMemcachedClient<String> async() {
        return memshard.asyncClient(Transcoder.utf8());
    }

    private MemcachedClient<String> blocking() {
        return memshard.client(Transcoder.utf8());
    }

    private List<Server> answering() {
        return Server.parseAll("127.0.0.1:" + server.port());
    }

    @AfterEach
    void close() throws IOException {
        memshard.close();
        server.close();
        mute.close();
        alsoMute.close();
        leaks.assertNothingLeft();
    }

    @Test
    void anAsynchronousCommandGoesToTheServerThatTakesThePlaceOfTheOnlyOne() {
        connect(address(mute), LONG);
        CompletableFuture<Void> set = async().set("k", "v", HOUR);
        memshard.replace(answering());
        assertThat(set).succeedsWithin(LONG);
        assertThat(blocking().get("k")).isEqualTo("v");
    }

    @Test
    void anAsynchronousCommandGoesToTheServerThatStays() {
        connect(address(mute) + ", " + address(alsoMute), LONG);
        CompletableFuture<Void> set = async().set("k", "v", HOUR);
        memshard.replace(answering());
        assertThat(set).succeedsWithin(LONG);
        assertThat(blocking().get("k")).isEqualTo("v");
    }

    /** It went to the new server at once, and the earlier one only after the attempt to connect to the old one. */
    @Test
    void aSetThatIsSentAgainMayLandAfterALaterOneOfTheSameThread() {
        connect(address(mute), LONG);
        CompletableFuture<Void> earlier = async().set("k", "earlier", HOUR);
        memshard.replace(answering());
        blocking().set("k", "later", HOUR);
        assertThat(earlier).succeedsWithin(LONG);
        assertThat(blocking().get("k")).isEqualTo("earlier");
    }

    /** Otherwise the attempt to connect to the second server would fail before the time is over. */
    @Test
    void theSecondAttemptHasTheRestOfTheTime() {
        connect(address(mute), Duration.ofSeconds(3));
        CompletableFuture<String> blocked =
                CompletableFuture.supplyAsync(() -> blocking().get("k"));
        while (memshard.connectionStates().stream()
                .noneMatch(state -> state.name().equals("CONNECTING"))) {
            Thread.onSpinWait();
        }
        CompletableFuture<String> future = async().get("k");
        memshard.replace(Server.parseAll(address(alsoMute)));
        assertThatThrownBy(blocked::join).hasCauseInstanceOf(MemcachedTimeoutException.class);
        assertThatThrownBy(future::join).hasCauseInstanceOf(MemcachedTimeoutException.class);
    }
}
