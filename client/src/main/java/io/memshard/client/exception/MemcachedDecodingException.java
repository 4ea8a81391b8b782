package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The item was read, but the transcoder cannot decode its value. The value has another format, is damaged, or is above
 * a limit of the transcoder.
 *
 * <p>Thrown to the caller that asked for the value, on the thread that decodes it. The connection is not affected.
 * Reading again gives the same bytes: change the transcoder, or store the value again.
 */
public final class MemcachedDecodingException extends MemcachedException {

    private final String what;
    private final int flags;
    private final @Nullable String key;

    /**
     * A failure of a transcoder, which knows neither the key nor the server.
     *
     * @param what why the value cannot be decoded, without the value
     * @param flags the item's client flags
     */
    public MemcachedDecodingException(String what, int flags, @Nullable Throwable cause) {
        this(what, flags, null, null, cause);
    }

    private MemcachedDecodingException(
            String what, int flags, @Nullable String key, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message(what, flags, context == null ? key : null), context, cause);
        this.what = what;
        this.flags = flags;
        this.key = key;
    }

    private static String message(String what, int flags, @Nullable String key) {
        String text = what + " (flags 0x" + Integer.toHexString(flags) + ")";
        return key == null ? text : text + ": \"" + CommandContext.shorten(key) + '"';
    }

    /** The failure for what a transcoder threw while it decoded an item with {@code flags}. */
    public static MemcachedDecodingException of(RuntimeException thrown, int flags) {
        return thrown instanceof MemcachedDecodingException failure
                // A transcoder around another one has removed its own flag.
                ? new MemcachedDecodingException(failure.what, flags, failure.getCause())
                // The message is left out, because it may quote the value.
                : new MemcachedDecodingException(
                        "the transcoder threw " + thrown.getClass().getName(), flags, thrown);
    }

    /** The same failure, of the item under {@code itemKey}. */
    public MemcachedDecodingException under(String itemKey) {
        return new MemcachedDecodingException(what, flags, itemKey, null, getCause());
    }

    /** The same failure, of the command at {@code commandContext}. */
    public MemcachedDecodingException at(CommandContext commandContext) {
        return new MemcachedDecodingException(what, flags, commandContext.key(), commandContext, getCause());
    }

    @Override
    public MemcachedDecodingException ofKey(String other) {
        CommandContext known = context();
        return known == null ? under(other) : at(known.ofKey(other));
    }

    /** The item's key, whole; null if the transcoder was called directly. */
    public @Nullable String key() {
        return key;
    }

    /** The item's client flags, as stored. */
    public int flags() {
        return flags;
    }

    /** False: the server has executed the command. */
    @Override
    public boolean isSafeToRetry() {
        return false;
    }
}
