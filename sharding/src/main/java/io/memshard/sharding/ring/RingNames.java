// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

final class RingNames {

    static final SortedMap<String, Ring> BY_NAME = new TreeMap<>(Map.ofEntries(
            Map.entry("spymemcached", Ring.spymemcached()),
            Map.entry("spymemcached-ketama", Ring.spymemcachedKetama()),
            Map.entry("spymemcached-ketama-libmemcached", Ring.spymemcachedKetamaLibmemcached()),
            Map.entry("spymemcached-weighted", Ring.spymemcachedWeighted()),
            Map.entry("xmemcached", Ring.xmemcached()),
            Map.entry("xmemcached-ketama", Ring.xmemcachedKetama()),
            Map.entry("xmemcached-ketama-nginx", Ring.xmemcachedKetamaNginx()),
            Map.entry("xmemcached-ketama-gwhalin", Ring.xmemcachedKetamaGwhalin()),
            Map.entry("xmemcached-libmemcached", Ring.xmemcachedLibmemcached()),
            Map.entry("aws-ketama", Ring.awsKetama()),
            Map.entry("aws-ketama-static", Ring.awsKetamaStatic()),
            Map.entry("evcache", Ring.evcache()),
            Map.entry("folsom", Ring.folsom()),
            Map.entry("libmemcached", Ring.libmemcached()),
            Map.entry("libmemcached-ketama", Ring.libmemcachedKetama()),
            Map.entry("libmemcached-weighted", Ring.libmemcachedWeighted()),
            Map.entry("libmemcached-spy", Ring.libmemcachedSpy()),
            Map.entry("twemproxy", Ring.twemproxy()),
            Map.entry("twemproxy-modula", Ring.twemproxyModula(KeyHash.FNV1A_64)),
            Map.entry("dalli", Ring.dalli()),
            Map.entry("pymemcache", Ring.pymemcache()),
            Map.entry("gomemcache", Ring.gomemcache()),
            Map.entry("jump", Ring.jump())));

    private RingNames() {}
}
