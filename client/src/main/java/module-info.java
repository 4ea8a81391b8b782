// SPDX-License-Identifier: Apache-2.0
/**
 * The memcached client for one server: API, protocol and connections.
 *
 * <p>Applications use the packages that are exported to all modules. Other packages are internal. The modules for
 * sharding, the template and Spring also use the packages that are exported to them.
 */
@SuppressWarnings({"module", "requires-automatic"}) // Importing modules are built later; Micrometer has no module-info.
module io.memshard.client {
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires io.netty.transport.classes.epoll;
    requires io.netty.transport.unix.common;
    requires jdk.jfr;
    requires org.slf4j;
    requires static com.fasterxml.jackson.databind;
    requires static com.github.luben.zstd_jni;
    requires static micrometer.commons;
    requires static micrometer.core;
    requires static micrometer.observation;
    requires static tools.jackson.databind;
    requires static transitive org.jspecify;

    exports io.memshard.client;
    exports io.memshard.client.admin;
    exports io.memshard.client.chunked;
    exports io.memshard.client.exception;
    exports io.memshard.client.json;
    exports io.memshard.client.listener;
    exports io.memshard.client.load;
    exports io.memshard.client.meta;
    exports io.memshard.client.metrics;
    exports io.memshard.client.multi;
    exports io.memshard.client.options;
    exports io.memshard.client.transcoder;
    exports io.memshard.client.argument to
            io.memshard,
            io.memshard.spring,
            io.memshard.template;
    exports io.memshard.client.concurrent to
            io.memshard,
            io.memshard.spring,
            io.memshard.spring.boot,
            io.memshard.template;
    exports io.memshard.client.connection to
            io.memshard,
            io.memshard.template;
    exports io.memshard.client.ejection to
            io.memshard,
            io.memshard.spring.boot;
    exports io.memshard.client.link to
            io.memshard,
            io.memshard.spring.boot,
            io.memshard.template;
    exports io.memshard.client.operation to
            io.memshard,
            io.memshard.template;
    exports io.memshard.client.protocol to
            io.memshard,
            io.memshard.spring,
            io.memshard.template;
    exports io.memshard.client.protocol.wire to
            io.memshard,
            io.memshard.spring,
            io.memshard.template;
    exports io.memshard.client.sender to
            io.memshard,
            io.memshard.template;
}
