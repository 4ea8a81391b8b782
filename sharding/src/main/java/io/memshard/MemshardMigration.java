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
 * Move from an old fleet to a new one, and the clients over both. {@link Migration} describes the operations in each
 * fleet.
 *
 * <p>Each fleet is a {@link Memshard} with its own servers, ring and protocol. Both may have the same servers on
 * different rings; then write their addresses alike. The clients have the settings of the new fleet: time-out, largest
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
     * Returns a move between two fleets.
     *
     * @param old source fleet; closed with the result
     * @param fresh target fleet; closed with the result
     * @throws IllegalArgumentException if both are the same, or have keys under different prefixes
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

    /** Returns the fleet that answers reads now. */
    private Cluster serving() {
        return (migration.stage() == MigrationStage.PREPARING ? old : fresh).cluster();
    }

    /** Returns a blocking client whose values {@code transcoder} converts to bytes. */
    public <V> MemcachedClient<V> client(Transcoder<V> transcoder) {
        return clients().blocking(transcoder);
    }

    /** Returns an asynchronous client whose values {@code transcoder} converts to bytes. */
    public <V> AsyncMemcachedClient<V> asyncClient(Transcoder<V> transcoder) {
        return clients().async(transcoder);
    }

    /** Returns the current stage of the move. */
    public MigrationStage stage() {
        return migration.stage();
    }

    /**
     * Moves to a stage, for all later commands of all clients. No two instances of an application may be more than one
     * stage apart: see {@link MigrationStage}.
     */
    public void moveTo(MigrationStage stage) {
        migration.moveTo(stage);
    }

    /** Returns the numbers of reads by fleet, and of copies, until now. */
    public MigrationStats stats() {
        return migration.stats();
    }

    /** Returns the number of copies in progress. */
    public int copiesUnderWay() {
        return migration.copiesUnderWay();
    }

    /** Returns the source fleet. After the end of the move it may be closed alone. */
    public Memshard old() {
        return old;
    }

    /** Returns the target fleet. */
    public Memshard fresh() {
        return fresh;
    }

    /** Closes both fleets. Idempotent. */
    @Override
    public void close() {
        old.close();
        fresh.close();
    }

    /** Returns both fleets and the stage. */
    @Override
    public String toString() {
        return "MemshardMigration[" + migration + ']';
    }
}
