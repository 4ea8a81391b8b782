/** The entry point, and the sharded connections beneath it. */
module io.memshard {
    requires transitive io.memshard.client;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports io.memshard;
    exports io.memshard.sharding;
    exports io.memshard.sharding.ring;
}
