// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The item was read, but the transcoder cannot decode the value. The value has another format, is damaged, or is above
 * a limit of the transcoder.
 *
 * <p>The connection is not affected. Another read returns the same bytes: change the transcoder, or store the value
 * again.
 *
 * <p>The cause is a copy of the transcoder's exception, with the same stack trace. The message of the copy is only the
 * class name, because the original message may quote the value.
 */
public final class MemcachedDecodingException extends MemcachedException {

    private final String what;
    private final int flags;
    private final @Nullable String key;
    private final boolean hidesKey;

    /**
     * Creates a failure of a transcoder, which knows neither the key nor the server.
     *
     * @param what the reason why the value cannot be decoded; must not quote the value
     * @param flags the item's client flags
     */
    public MemcachedDecodingException(String what, int flags, @Nullable Throwable cause) {
        this(what, flags, null, false, null, cause);
    }

    private MemcachedDecodingException(
            String what,
            int flags,
            @Nullable String key,
            boolean hidesKey,
            @Nullable CommandContext context,
            @Nullable Throwable cause) {
        super(message(what, flags, hidesKey || context != null ? null : key), context, WithoutMessage.of(cause));
        this.what = what;
        this.flags = flags;
        this.key = key;
        this.hidesKey = hidesKey;
    }

    private static String message(String what, int flags, @Nullable String key) {
        String text = what + " (flags 0x" + Integer.toHexString(flags) + ")";
        return key == null ? text : text + ": \"" + CommandContext.shorten(key) + '"';
    }

    /** Returns the failure for an exception that a transcoder threw while it decoded an item with {@code flags}. */
    public static MemcachedDecodingException of(Throwable thrown, int flags) {
        return thrown instanceof MemcachedDecodingException failure
                // An inner transcoder does not see the flags of its outer transcoder.
                ? new MemcachedDecodingException(failure.what, flags, failure.getCause())
                // The transcoder's message may quote the value.
                : new MemcachedDecodingException(
                        "the transcoder threw " + thrown.getClass().getName()
                                + "; read the value with the transcoder that wrote it; if the class of the value has"
                                + " changed, delete the item or use another key prefix",
                        flags,
                        thrown);
    }

    /**
     * Returns a copy of this failure for the item under {@code itemKey}.
     *
     * @param hidden whether the message omits the key
     */
    public MemcachedDecodingException under(String itemKey, boolean hidden) {
        return new MemcachedDecodingException(what, flags, itemKey, hidden, null, getCause());
    }

    /** Returns a copy of this failure with the context of the command. */
    public MemcachedDecodingException at(CommandContext commandContext) {
        return new MemcachedDecodingException(what, flags, commandContext.key(), hidesKey, commandContext, getCause());
    }

    @Override
    public MemcachedDecodingException ofKey(String other) {
        CommandContext known = context();
        return known == null ? under(other, hidesKey) : at(known.ofKey(other));
    }

    /**
     * Returns the item's key; null if the transcoder was called directly. Operations on many keys and
     * {@code ChunkedClient} may omit the client's key prefix.
     */
    public @Nullable String key() {
        return key;
    }

    /** Returns the item's client flags, as stored. */
    public int flags() {
        return flags;
    }

    /** Returns false: the server has executed the command. */
    @Override
    public boolean isSafeToRetry() {
        return false;
    }
}
