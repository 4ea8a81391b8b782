// SPDX-License-Identifier: Apache-2.0
/** Spring caches in memcached. Spring's jars are automatic modules: they have names, but no descriptors. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module io.memshard.spring {
    requires transitive io.memshard;
    requires static spring.aop;
    requires static spring.context.support;
    requires static transitive spring.beans;
    requires static transitive org.jspecify;
    requires static transitive spring.context;
    requires static transitive spring.core;

    exports io.memshard.spring.cache;
}
