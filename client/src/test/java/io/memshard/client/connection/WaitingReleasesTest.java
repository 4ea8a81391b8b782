// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaGet;
import io.memshard.client.protocol.MetaMultiGet;
import io.memshard.client.protocol.MetaRelease;
import io.memshard.client.protocol.wire.ReplyBuffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitingReleasesTest {

    private final WaitingReleases releases = new WaitingReleases();
    private final List<CompletableFuture<@Nullable Void>> pauses = new ArrayList<>();
    private final List<Command<?>> sent = new ArrayList<>();

    private void release(List<MetaRelease> claims) {
        releases.release(
                claims,
                nanos -> {
                    CompletableFuture<@Nullable Void> pause = new CompletableFuture<>();
                    pauses.add(pause);
                    return pause;
                },
                sent::add);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 70})
    void aServerThatHandsOutClaimsWithoutEndDoesNotFillTheMemory(int claimsOfAReply) throws Exception {
        for (int i = 0; i < 10_000 / claimsOfAReply; i++) {
            release(claims(claimsOfAReply));
        }
        assertThat(releases.count()).isEqualTo(WaitingReleases.MAX);
        pauses.forEach(pause -> pause.complete(null));
        assertThat(sent).hasSize(WaitingReleases.MAX);
        assertThat(releases.count()).isZero();
        release(claims(1));
        assertThat(releases.count()).isOne();
    }

    private static List<MetaRelease> claims(int count) throws Exception {
        List<String> keys = IntStream.range(0, count).mapToObj(i -> "k" + i).toList();
        MetaMultiGet<byte[]> many = new MetaMultiGet<>(
                keys, MetaGet.Wanted.VALUE_AND_CAS, MetaGet.NO_TOUCH, (data, flags, casUnique) -> data);
        StringBuilder reply = new StringBuilder();
        for (int i = 0; i < count; i++) {
            reply.append("VA 1 f0 c7 W O1.").append(i).append('.').append(i).append("\r\nv\r\n");
        }
        byte[] bytes = reply.append("MN\r\n").toString().getBytes(StandardCharsets.US_ASCII);
        ReplyBuffer in = new ReplyBuffer(bytes.length, false);
        in.append(ByteBuffer.wrap(bytes));
        assertThat(many.decode(in, 1)).isTrue();
        return many.releases();
    }
}
