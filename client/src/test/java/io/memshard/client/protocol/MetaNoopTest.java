// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.protocol.wire.ErrorReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetaNoopTest {

    @Test
    void requestIsTheVerbAlone() {
        assertThat(Decoding.request(new MetaNoop())).isEqualTo("mn\r\n");
        assertThat(new MetaNoop().key()).isNull();
    }

    @Test
    void replyCarriesNothing() {
        Decoding.assertDecoded(MetaNoop::new, "MN\r\n", c -> {
            assertThat(c.errorReply()).isNull();
            assertThat(c.result()).isNull();
        });
    }

    @Test
    void serverWithoutMetaCommandsRepliesWithAnError() {
        Decoding.assertDecoded(
                MetaNoop::new,
                "ERROR\r\n",
                c -> assertThat(c.errorReply()).isEqualTo(new ErrorReply(ErrorReply.Kind.SERVER_ERROR, "ERROR")));
        Decoding.assertDecoded(
                MetaNoop::new,
                "CLIENT_ERROR unauthenticated\r\n",
                c -> assertThat(c.errorReply())
                        .isEqualTo(new ErrorReply(ErrorReply.Kind.SERVER_ERROR, "CLIENT_ERROR unauthenticated")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"HD O7\r\n", "EN\r\n", "MNX\r\n", "\r\n", "SSH-2.0-OpenSSH_9.2\r\n"})
    void whatIsNotAReplyIsRejected(String reply) {
        Decoding.assertRejected(MetaNoop::new, reply, "not a reply to mn");
    }

    @Test
    void tooManyConnectionsIsRejectedBecauseTheServerCloses() {
        Decoding.assertRejected(MetaNoop::new, "ERROR Too many open connections\r\n", "Too many open connections");
    }
}
