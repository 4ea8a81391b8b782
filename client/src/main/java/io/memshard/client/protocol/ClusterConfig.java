// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Command that reads the list of servers, as text, from a configuration endpoint of ElastiCache or Memorystore.
 *
 * <p>Protocol: {@code config get cluster\r\n}, replied {@code CONFIG cluster <flags> <bytes>\r\n<list>\r\nEND\r\n}.
 * Source: the user guide of Amazon ElastiCache, "Adding auto discovery to your client library".
 */
public final class ClusterConfig extends ClassicRead<@Nullable String> {

    /** Maximum length of the list, in bytes. A longer list fails the connection. */
    public static final int MAX_BYTES = 1024 * 1024;

    private static final byte[] REQUEST = "config get ".getBytes(US_ASCII);
    private static final byte[] ITEM_WORD = "CONFIG".getBytes(US_ASCII);

    public ClusterConfig() {
        super("cluster", 1, false, List.of());
    }

    @Override
    public String verb() {
        return "config";
    }

    @Override
    byte[] request() {
        return REQUEST;
    }

    /** Returns whether no list has begun. After a list, only {@code END} is valid. */
    @Override
    boolean mayFail() {
        return data() == null;
    }

    @Override
    byte[] itemWord() {
        return ITEM_WORD;
    }

    @Override
    int maxBlockBytes(ReplyBuffer in) {
        return MAX_BYTES;
    }

    @Override
    void beginSkip(ReplyBuffer in) throws MalformedReplyException {
        throw in.malformed("a list of servers of more than " + MAX_BYTES + " bytes");
    }

    /** Returns the list, decoded as Latin-1; null if the server has no list. */
    @Override
    @SuppressWarnings("NullAway") // NullAway does not see that the type argument of the superclass is nullable.
    public @Nullable String result() {
        byte[] list = data();
        return list == null ? null : new String(list, ISO_8859_1);
    }
}
