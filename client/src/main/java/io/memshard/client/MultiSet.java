package io.memshard.client;

import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.protocol.Key;
import io.memshard.client.protocol.MetaWriteMany;
import io.memshard.client.protocol.MetaWriteMany.Write;
import io.memshard.client.protocol.StoreStatus;
import java.time.Duration;
import java.util.Map;

/** Stores many items: quietly, and with each key replied to where the server refused some without saying which. */
final class MultiSet extends MultiWrite<MultiSetResult> {

    /** Stores these values, all of which are encoded here, and their keys checked. */
    <V> MultiSet(ClientCommands<V> commands, Map<String, ? extends V> values, Duration ttl) {
        int exptime = commands.exptime(ttl);
        values.forEach((key, value) -> {
            Key.checkedLength(key);
            try {
                add(new Write(key, commands.item(value, exptime)));
            } catch (MemcachedValueTooLargeException e) {
                failed(key, e);
            }
        });
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
    public MetaWriteMany command(Part part) {
        return part.quiet() ? MetaWriteMany.quietStores(part.writes()) : MetaWriteMany.stores(part.writes());
    }

    @Override
    public MultiSetResult result() {
        return new MultiSetResult(keysWith(StoreStatus.DONE), failures());
    }
}
