// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import java.util.function.Supplier;
import net.spy.memcached.CachedData;

/** The transcoders of older clients, each with our transcoder for what it writes. */
enum Foreign {
    SPYMEMCACHED(
            CompatibleTranscoder::spymemcached,
            new Spymemcached(new net.spy.memcached.transcoders.SerializingTranscoder())),
    SPYMEMCACHED_WHALIN(
            CompatibleTranscoder::whalin, new Spymemcached(new net.spy.memcached.transcoders.WhalinTranscoder())),
    XMEMCACHED(
            CompatibleTranscoder::xmemcached,
            new Xmemcached(new net.rubyeye.xmemcached.transcoders.SerializingTranscoder())),
    XMEMCACHED_WHALIN(
            CompatibleTranscoder::whalin, new Xmemcached(new net.rubyeye.xmemcached.transcoders.WhalinTranscoder()));

    private final Supplier<CompatibleTranscoder> ours;
    private final Theirs theirs;

    Foreign(Supplier<CompatibleTranscoder> ours, Theirs theirs) {
        this.ours = ours;
        this.theirs = theirs;
    }

    CompatibleTranscoder ours() {
        return ours.get();
    }

    Theirs theirs() {
        return theirs;
    }

    boolean isWhalin() {
        return this == SPYMEMCACHED_WHALIN || this == XMEMCACHED_WHALIN;
    }

    /** The transcoder of another client, behind an interface of ours. */
    interface Theirs {

        EncodedValue encode(Object value);

        Object decode(EncodedValue stored);
    }

    private record Spymemcached(net.spy.memcached.transcoders.Transcoder<Object> transcoder) implements Theirs {

        @Override
        public EncodedValue encode(Object value) {
            CachedData data = transcoder.encode(value);
            return new EncodedValue(data.getData(), data.getFlags());
        }

        @Override
        public Object decode(EncodedValue stored) {
            return transcoder.decode(new CachedData(stored.flags(), stored.data(), CachedData.MAX_SIZE));
        }
    }

    private record Xmemcached(net.rubyeye.xmemcached.transcoders.Transcoder<Object> transcoder) implements Theirs {

        @Override
        public EncodedValue encode(Object value) {
            net.rubyeye.xmemcached.transcoders.CachedData data = transcoder.encode(value);
            return new EncodedValue(data.getData(), data.getFlag());
        }

        @Override
        public Object decode(EncodedValue stored) {
            return transcoder.decode(new net.rubyeye.xmemcached.transcoders.CachedData(stored.flags(), stored.data()));
        }
    }
}
