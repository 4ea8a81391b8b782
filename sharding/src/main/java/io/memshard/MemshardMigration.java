// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.cluster.Cluster;
import io.memshard.sharding.cluster.ClusterClients;
import io.memshard.sharding.copies.migration.Migration;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.migration.MigrationStage;
import io.memshard.sharding.migration.MigrationStats;

/**
 * A move from an old fleet to a new one, and the clients over both. {@link Migration} says what is done in which fleet.
 *
 * <p>Each fleet is a {@link Memshard} with its own servers, ring and protocol. They may be the same servers on
 * different rings; write their addresses alike then. The clients have the settings of the new fleet: time-out, largest
 * value, failure policy, keys, and the observer of calls.
 *
 * <p>Threading: thread-safe.
 */
public final class MemshardMigration implements AutoCloseable {

    private final Memshard old;
    private final Memshard fresh;
    private final Migration migration;

    private MemshardMigration(Memshard old, Memshard fresh, Migration migration) {
        this.old = old;
        this.fresh = fresh;
        this.migration = migration;
    }

    /**
     * A move.
     *
     * @param old the fleet to leave; closed with the result
     * @param fresh the fleet to go to; closed with the result
     * @throws IllegalArgumentException if they are the same, or have keys under different prefixes
     */
    public static MemshardMigration of(Memshard old, Memshard fresh, MigrationOptions options) {
        fresh.checkSameKeys(old, "the old fleet");
        return new MemshardMigration(
                old,
                fresh,
                new Migration(
                        old.sender(),
                        fresh.sender(),
                        options,
                        key -> !old.addressOf(key).equals(fresh.addressOf(key))));
    }

    private ClusterClients clients() {
        return new ClusterClients(fresh.options(), migration, key -> serving().addressOf(key));
    }

    /** The servers that answer now. */
    private Cluster serving() {
        return (migration.stage() == MigrationStage.PREPARING ? old : fresh).cluster();
    }

    /** A blocking client whose values {@code transcoder} turns into bytes. */
    public <V> MemcachedClient<V> client(Transcoder<V> transcoder) {
        return clients().blocking(transcoder);
    }

    /** An asynchronous client whose values {@code transcoder} turns into bytes. */
    public <V> AsyncMemcachedClient<V> asyncClient(Transcoder<V> transcoder) {
        return clients().async(transcoder);
    }

    /** How far the move has come. */
    public MigrationStage stage() {
        return migration.stage();
    }

    /**
     * Goes to a stage: each command sent from now on belongs to it. Clients that were handed out go along. Of several
     * instances none goes further than to the neighbour of the stage of all others: {@link MigrationStage}.
     */
    public void moveTo(MigrationStage stage) {
        migration.moveTo(stage);
    }

    /** How much has come from where until now. */
    public MigrationStats stats() {
        return migration.stats();
    }

    /** How many copies are under way. */
    public int copiesUnderWay() {
        return migration.copiesUnderWay();
    }

    /** The fleet to leave. After the end of the move it may be closed alone. */
    public Memshard old() {
        return old;
    }

    /** The fleet to go to. */
    public Memshard fresh() {
        return fresh;
    }

    /** Closes both fleets. Idempotent. */
    @Override
    public void close() {
        old.close();
        fresh.close();
    }

    /** Both fleets and the stage. */
    @Override
    public String toString() {
        return "MemshardMigration[" + migration + ']';
    }
}
