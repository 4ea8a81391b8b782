// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.link.CallerDrivenOpener;
import io.memshard.client.link.Link;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.MetaGet;
import io.memshard.client.protocol.MetaMultiGet;
import io.memshard.client.protocol.MetaRelease;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.testkit.fault.ScriptedServer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection gives claims back, but not those of a server that hands out claims without end. */
@Timeout(120)
class ReleasesIT extends ConnectionFixture {

    ReleasesIT() {
        super(Transport.CALLER_DRIVEN, Protocol.META);
    }

    /** Each reply is read a second before its claims are given back. */
    @Test
    void atMostAThousandClaimsWaitForTheirRelease() throws Exception {
        ScriptedServer server = scriptedServer()
                .onConnection(c -> c.replyTo(line -> line.contains(" reply") ? "EN\r\n" : replyTo(line)));
        Connection connection = group().newConnection(context(server), closedAfterwards(new CallerDrivenOpener()));
        List<List<MetaRelease>> replies = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            replies.add(claims("reply" + i + "-", 100));
        }
        replies.forEach(((Link.Listener) connection)::release);

        eventually("given back", () -> received(server, 0).contains("mg reply9-99 c"));
        assertThat(received(server, 0)).contains("mg reply0-0 c").doesNotContain("reply10-", "reply11-");
    }

    private static List<MetaRelease> claims(String prefix, int count) throws Exception {
        List<String> keys = IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
        MetaMultiGet<byte[]> many = new MetaMultiGet<>(
                keys, MetaGet.Wanted.VALUE_AND_CAS, MetaGet.NO_TOUCH, (data, flags, casUnique) -> data);
        StringBuilder reply = new StringBuilder();
        for (int i = 0; i < count; i++) {
            int opaque = ((i + 1) << 24) | 1;
            reply.append("VA 1 f0 c7 W O").append(opaque).append("\r\nv\r\n");
        }
        byte[] bytes = reply.toString().getBytes(StandardCharsets.US_ASCII);
        ReplyBuffer in = new ReplyBuffer(bytes.length, false);
        in.append(ByteBuffer.wrap(bytes));
        assertThat(many.decode(in, 1)).isTrue();
        return many.releases();
    }
}
