// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.link.CallerDrivenOpener;
import io.memshard.client.link.ConnectionOptions;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StateTest {

    private static final IOException FAILURE = new IOException("lost");

    private static void assertImpossible(
            ConnectionState name,
            @Nullable Link link,
            @Nullable Throwable failure,
            boolean isLost,
            boolean isDraining) {
        assertThatThrownBy(() -> new State(name, link, failure, 0, isLost, isDraining))
                .isInstanceOf(AssertionError.class);
    }

    @ParameterizedTest
    @EnumSource
    void onlyAReadyConnectionHasALink(ConnectionState name) throws Exception {
        LinkContext context = new LinkContext(new ServerAddress("a", 1), 0, new ConnectionOptions(), Protocol.META);
        try (ScriptedServer server = ScriptedServer.start();
                CallerDrivenOpener opener = new CallerDrivenOpener()) {
            Link link = opener.open(server.address(), context, TimeUnit.MINUTES.toNanos(1), (lost, cause) -> {});
            if (name == ConnectionState.READY) {
                new State(name, link, null, 0, false, false);
            } else {
                assertImpossible(name, link, null, false, false);
            }
            assertImpossible(name, link, null, false, true);
            assertImpossible(name, link, FAILURE, false, false);
            link.close();
        }
    }

    @Test
    void aConnectionHasAReasonToReconnect() {
        assertImpossible(ConnectionState.RECONNECTING, null, null, true, false);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RECONNECTING")
    void onlyAReconnectingConnectionWasJustLost(ConnectionState name) {
        assertImpossible(name, null, FAILURE, true, false);
    }
}
