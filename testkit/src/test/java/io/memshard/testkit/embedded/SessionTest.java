// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A session without a socket: what is sent arrives in exactly the pieces of the test. */
class SessionTest {

    @Test
    void everySplitOfTheBytesGetsTheSameReplies() {
        String script = "ms a 4\r\nab\r\n\r\nmg a v k\r\nset b 0 0 1\r\nx\r\nget a b\r\n";
        String replies = "HD\r\nVA 4 ka\r\nab\r\n\r\nSTORED\r\nVALUE a 0 4\r\nab\r\n\r\nVALUE b 0 1\r\nx\r\nEND\r\n";
        for (int split = 1; split < script.length(); split++) {
            assertThat(repliesTo(script.substring(0, split), script.substring(split)))
                    .as("split at %d", split)
                    .isEqualTo(replies);
        }
    }

    private static String repliesTo(String... pieces) {
        Sessions sessions = new Sessions(InstantSource.system(), 1 << 20, 1 << 20, Map.of());
        EmbeddedChannel channel = new EmbeddedChannel(sessions.newSession());
        StringBuilder replies = new StringBuilder();
        for (String piece : pieces) {
            channel.writeInbound(Unpooled.copiedBuffer(piece, StandardCharsets.ISO_8859_1));
            for (ByteBuf reply = channel.readOutbound(); reply != null; reply = channel.readOutbound()) {
                replies.append(reply.toString(StandardCharsets.ISO_8859_1));
                reply.release();
            }
        }
        replies.append(channel.isOpen() ? "" : "<closed>");
        channel.finishAndReleaseAll();
        return replies.toString();
    }
}
