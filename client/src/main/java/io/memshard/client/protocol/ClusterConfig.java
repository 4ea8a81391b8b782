// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Command that reads the list of servers, as text, from a configuration endpoint of ElastiCache or Memorystore. Source:
 * the user guide of Amazon ElastiCache, "Adding auto discovery to your client library".
 */
public final class ClusterConfig extends Command<@Nullable String> {

    public static final int MAX_BYTES = 1024 * 1024;

    private static final byte[] LIST = "CONFIG cluster ".getBytes(US_ASCII);
    private static final byte[] END = "END".getBytes(US_ASCII);

    private byte @Nullable [] list;

    public ClusterConfig() {
        super("cluster");
    }

    @Override
    public String verb() {
        return "config";
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        out.append("config get cluster").endLine();
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        while (in.isInBlock() || in.nextLine()) {
            if (in.isInBlock()) {
                if (!in.readBlock()) {
                    return false;
                }
                list = in.takeBlock();
            } else if (in.lineIs(END)) {
                return true;
            } else if (list != null) {
                throw in.malformed("the server sent a line that is not a reply to config");
            } else if (in.lineStartsWith(LIST)) {
                beginList(in);
            } else {
                takeErrorOrReject(in);
                return true;
            }
        }
        return false;
    }

    private static void beginList(ReplyBuffer in) throws MalformedReplyException {
        int words = 0;
        while (words < 3 && in.nextToken()) {
            words++;
        }
        if (words < 3 || !in.beginBlock(MAX_BYTES)) {
            throw in.malformed(
                    "the server sent a list of servers without flags, or of more than " + MAX_BYTES + " bytes");
        }
    }

    @Override
    @SuppressWarnings("NullAway") // NullAway does not see that the type argument of the superclass is nullable.
    public @Nullable String result() {
        return list == null ? null : new String(list, ISO_8859_1);
    }
}
