// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.protocol.wire.ErrorReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VersionTest {

    @Test
    void requestIsTheVerbAlone() {
        assertThat(Decoding.request(new Version())).isEqualTo("version\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.6.18", "1.6.40_3_gabc", "1.4.39 (Ubuntu)"})
    void replyIsAnyTextOfTheServer(String version) {
        Decoding.assertDecoded(
                Version::new,
                "VERSION " + version + "\r\n",
                c -> assertThat(c.result()).isEqualTo(version));
    }

    @Test
    void anErrorIsAnErrorReply() {
        Decoding.assertDecoded(
                Version::new,
                "ERROR\r\n",
                c -> assertThat(c.errorReply()).isEqualTo(new ErrorReply(ErrorReply.Kind.SERVER_ERROR, "ERROR")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"MN\r\n", "VERSION\r\n", "HD O7\r\n"})
    void whatIsNotAReplyIsRejected(String reply) {
        Decoding.assertRejected(Version::new, reply, "not a reply to version");
    }
}
