// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.NoClassicFormException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Command {@code me}, which reads internal data about an item. The reply has no opaque, so its key is checked. */
@SuppressWarnings("NullAway") // NullAway does not see that the type argument of the superclass is nullable.
public final class MetaDebug extends Command<@Nullable Map<String, String>>
        implements ReadCommand<@Nullable Map<String, String>> {

    private static final int HIT = ReplyBuffer.code('M', 'E');

    private final String ownKey;
    private final boolean isBinary;
    private @Nullable Map<String, String> entries;

    /** Creates a request. If {@code isBinary}, {@code key} is in base64. */
    public MetaDebug(String key, boolean isBinary) {
        super(key);
        ownKey = key;
        this.isBinary = isBinary;
    }

    @Override
    public String verb() {
        return "me";
    }

    @Override
    public String operation() {
        return "meta.debug";
    }

    @Override
    public @Nullable Map<String, String> miss() {
        return null;
    }

    @Override
    public Command<@Nullable Map<String, String>> again() {
        return new MetaDebug(ownKey, isBinary);
    }

    @Override
    public Command<@Nullable Map<String, String>> classicForm() throws NoClassicFormException {
        throw noClassicForm();
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        appendKey(out.append("me ")).append(isBinary ? " b" : "").endLine();
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (!in.nextLine()) {
            return false;
        }
        int code = in.code();
        if (code == HIT) {
            takeEntries(in);
        } else if (code != ReplyBuffer.EN) {
            takeErrorOrReject(in);
        }
        return true;
    }

    private void takeEntries(ReplyBuffer in) throws MalformedReplyException {
        byte[] key = isBinary ? Base64.getDecoder().decode(ownKey) : ownKey.getBytes(UTF_8);
        // The server writes the key in base64 if the item was stored under a base64 key.
        if (!in.nextToken()
                || !(in.token().equals(new String(key, ISO_8859_1))
                        || in.tokenIs(Base64.getEncoder().encodeToString(key)))) {
            throw in.malformed("the server sent a reply about another key");
        }
        Map<String, String> read = new LinkedHashMap<>();
        while (in.nextToken()) {
            String[] entry = in.token().split("=", 2);
            if (entry.length < 2) {
                throw in.malformed("the server sent an entry without value");
            }
            read.put(entry[0], entry[1]);
        }
        entries = Collections.unmodifiableMap(read);
    }

    @Override
    public @Nullable Map<String, String> result() {
        return entries;
    }
}
