// SPDX-License-Identifier: Apache-2.0
/** Clients of one or many memcached servers. */
@SuppressWarnings("module") // The modules to which a package is exported are built later.
module io.memshard {
    requires transitive io.memshard.client;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.common;
    requires io.netty.transport;
    requires jdk.jfr;
    requires org.slf4j;
    requires static io.netty.codec.dns;
    requires static io.netty.resolver.dns;
    requires static transitive org.jspecify;

    exports io.memshard;
    exports io.memshard.sharding;
    exports io.memshard.sharding.discovery;
    exports io.memshard.sharding.migration;
    exports io.memshard.sharding.replica;
    exports io.memshard.sharding.ring;
    exports io.memshard.sharding.cluster to
            io.memshard.spring.boot,
            io.memshard.template;
}
