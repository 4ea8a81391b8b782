// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A reply with any one byte changed to any other gives no key the value of another key. */
class ChangedByteTest {

    private static final MetaGet.Hit<String> TEXT = (data, flags, casUnique) -> new String(data, ISO_8859_1);

    private static void eachChange(String replies, Consumer<byte[]> check) {
        byte[] sent = replies.getBytes(ISO_8859_1);
        for (int at = 0; at < sent.length; at++) {
            byte before = sent[at];
            for (int change = 1; change < 256; change++) {
                sent[at] = (byte) (before ^ change);
                check.accept(sent);
            }
            sent[at] = before;
        }
    }

    private static ReplyBuffer holding(byte[] bytes) {
        ReplyBuffer in = new ReplyBuffer(Decoding.MAX_VALUE_BYTES, false);
        in.append(ByteBuffer.wrap(bytes));
        return in;
    }

    @Test
    void getsInFlightGetNoneOfEachOthersValues() {
        List<String> keys = List.of("one", "two", "ten");
        eachChange("VA 3 f0 O0\r\none\r\nVA 3 f0 O1\r\ntwo\r\nVA 3 f0 O2\r\nten\r\n", replies -> {
            ReplyBuffer in = holding(replies);
            for (int opaque = 0; opaque < keys.size(); opaque++) {
                MetaGet<String> get = new MetaGet<>(keys.get(opaque), MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH, TEXT);
                try {
                    if (!get.decode(in, opaque)) {
                        return;
                    }
                } catch (MalformedReplyException e) {
                    return;
                }
                String value = get.errorReply() == null ? get.result() : null;
                assertThat(keys.contains(value) && !get.key().equals(value))
                        .as("%s for %s", value, get.key())
                        .isFalse();
            }
        });
    }

    /** Misses have a place only, so a changed one must not shift the hits. */
    @Test
    void manyGetsGetNoneOfEachOthersValues() {
        List<String> keys = IntStream.range(0, 12).mapToObj(i -> "k" + i).toList();
        for (int place : new int[] {0, 1, 2, 9, 10, 11}) {
            String misses = "EN\r\n".repeat(keys.size() - 1 - place);
            hitIsOfItsKey(keys, place, "EN\r\n".repeat(place) + hit(place) + misses);
        }
    }

    private static String hit(int place) {
        return "VA 3 f0 O" + Command.opaqueOf(place, Decoding.OPAQUE) + "\r\nits\r\n";
    }

    private static void hitIsOfItsKey(List<String> keys, int place, String reply) {
        eachChange(reply, changed -> {
            MetaMultiGet<String> command = new MetaMultiGet<>(keys, TEXT);
            try {
                if (command.decode(holding(changed), Decoding.OPAQUE)) {
                    assertThat(command.result().hits().entrySet())
                            .as(new String(changed, ISO_8859_1))
                            .allMatch(hit -> hit.getKey().equals("k" + place) || !isWhole(hit));
                }
            } catch (MalformedReplyException e) {
                // Rejecting the reply is right too.
            }
        });
    }

    private static boolean isWhole(Map.Entry<String, String> hit) {
        return hit.getValue().equals("its");
    }
}
