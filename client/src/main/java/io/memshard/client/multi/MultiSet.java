package io.memshard.client.multi;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.Key;
import io.memshard.client.protocol.MetaMultiWrite;
import io.memshard.client.protocol.MetaMultiWrite.Write;
import io.memshard.client.protocol.MetaSet;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.ValueCoder;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Stores many items: first quietly, then with a reply for each key if the server rejected some without saying which.
 */
@SuppressWarnings("exports") // For our own modules, which see what it is made of.
public final class MultiSet extends MultiWrite<MultiSetResult> {

    /** Stores these values; all are encoded, and their keys checked, here. */
    private <V> MultiSet(ValueCoder<V> coder, Map<String, ? extends V> values, Duration ttl) {
        int exptime = coder.exptime(ttl);
        values.forEach((key, value) -> {
            Key.checkLength(key);
            try {
                EncodedValue encoded = coder.encode(value);
                add(new Write(key, new MetaSet.Item(encoded.data(), encoded.flags(), exptime)));
            } catch (MemcachedValueTooLargeException e) {
                takeFailure(key, e);
            }
        });
    }

    /** Stores these values, on the calling thread. */
    public static <V> MultiSetResult run(
            ValueCoder<V> coder,
            Map<String, ? extends V> values,
            Duration ttl,
            CommandSender sender,
            long timeoutNanos) {
        return BlockingMulti.run(new MultiSet(coder, values, ttl), sender, timeoutNanos);
    }

    /** As {@link #run}, for a caller that does not wait. */
    public static <V> CompletableFuture<MultiSetResult> start(
            ValueCoder<V> coder,
            Map<String, ? extends V> values,
            Duration ttl,
            CommandSender sender,
            Duration timeout) {
        return AsyncMulti.start(new MultiSet(coder, values, ttl), sender, timeout);
    }

    @Override
    boolean isQuiet() {
        return true;
    }

    @Override
    boolean isExpected(StoreStatus status) {
        return status == StoreStatus.DONE;
    }

    @Override
    Command<MetaMultiWrite.Outcomes> command(Part part) {
        return part.quiet() ? MetaMultiWrite.quietStores(part.writes()) : MetaMultiWrite.stores(part.writes());
    }

    @Override
    MultiSetResult result() {
        return new MultiSetResult(keysWith(StoreStatus.DONE), failures());
    }
}
