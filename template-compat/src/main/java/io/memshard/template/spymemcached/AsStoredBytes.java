package io.memshard.template.spymemcached;

import io.memshard.client.transcoder.EncodedValue;
import net.spy.memcached.CachedData;
import net.spy.memcached.transcoders.Transcoder;

/**
 * Hands values through spymemcached as they are stored, so that the caller's serializer runs on the
 * calling thread and spymemcached's decoder threads are never started.
 */
enum AsStoredBytes implements Transcoder<EncodedValue> {
    INSTANCE;

    @Override
    public boolean asyncDecode(CachedData data) {
        return false;
    }

    @Override
    public CachedData encode(EncodedValue value) {
        return new CachedData(value.flags(), value.data(), getMaxSize());
    }

    @Override
    public EncodedValue decode(CachedData stored) {
        return new EncodedValue(stored.getData(), stored.getFlags());
    }

    /** Unlimited: the limit is checked before, and what the server stored is taken. */
    @Override
    public int getMaxSize() {
        return Integer.MAX_VALUE;
    }
}
