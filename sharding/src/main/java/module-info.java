/** The array of connections to a server, the choosers over it, and the builder of clients. */
module io.memshard.sharding {
    requires transitive io.memshard.client;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports io.memshard.sharding;
}
