// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.protocol.wire.ErrorReply;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetaDeleteTest {

    private static MetaDelete<StoreStatus> delete() {
        return new MetaDelete<>("key", Function.identity());
    }

    @Test
    void requestHasNothingButTheOpaque() {
        assertThat(Decoding.request(delete())).isEqualTo("md key O7\r\n");
    }

    @ParameterizedTest
    @CsvSource({"'HD O7\r\n', DONE", "'NF O7\r\n', NOT_FOUND", "'EX O7\r\n', EXISTS"})
    void eachStatusIsDecoded(String reply, StoreStatus status) {
        Decoding.assertDecoded(
                MetaDeleteTest::delete, reply, c -> assertThat(c.result()).isEqualTo(status));
    }

    @ParameterizedTest
    @CsvSource({
        "SERVER_ERROR out of memory",
        "CLIENT_ERROR bad command line format",
        "CLIENT_ERROR invalid flag",
        "ERROR",
    })
    void anErrorIsAnErrorReplyBecauseThereIsNoDataBlock(String line) {
        Decoding.assertDecoded(
                MetaDeleteTest::delete,
                line + "\r\n",
                c -> assertThat(c.errorReply()).isEqualTo(new ErrorReply(ErrorReply.Kind.SERVER_ERROR, line)));
    }

    @ParameterizedTest
    @CsvSource({
        "'HD O6\r\n', another request",
        "'NF O70\r\n', another request",
        "'HD\r\n', without its opaque",
        "'NF\r\n', without its opaque",
        "'DELETED\r\n', not a reply to md",
        "'MN\r\n', not a reply to md",
        "'ERROR Too many open connections\r\n', cannot be trusted",
        "'CLIENT_ERROR bad data chunk\r\n', cannot be trusted",
    })
    void whatIsNotAReplyToThisRequestIsRejected(String reply, String reason) {
        Decoding.assertRejected(MetaDeleteTest::delete, reply, reason);
    }
}
