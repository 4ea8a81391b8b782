package io.memshard.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

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
        Decoding.decoded(MetaNoop::new, "MN\r\n", c -> {
            assertThat(c.errorReply()).isNull();
            assertThat(c.result()).isNull();
        });
    }

    @Test
    void serverWithoutMetaCommandsRefusesIt() {
        Decoding.decoded(
                MetaNoop::new,
                "ERROR\r\n",
                c -> assertThat(c.errorReply()).isEqualTo(new ErrorReply(ErrorReply.Kind.SERVER_ERROR, "ERROR")));
        Decoding.decoded(
                MetaNoop::new,
                "CLIENT_ERROR unauthenticated\r\n",
                c -> assertThat(c.errorReply())
                        .isEqualTo(new ErrorReply(ErrorReply.Kind.SERVER_ERROR, "CLIENT_ERROR unauthenticated")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"HD O7\r\n", "EN\r\n", "MNX\r\n", "\r\n", "SSH-2.0-OpenSSH_9.2\r\n"})
    void whatIsNoReplyIsRejected(String reply) {
        Decoding.rejected(MetaNoop::new, reply, "no reply to mn");
    }

    @Test
    void tooManyConnectionsIsRejectedSinceTheServerCloses() {
        Decoding.rejected(MetaNoop::new, "ERROR Too many open connections\r\n", "Too many open connections");
    }
}
