// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.cluster.Cluster;
import io.memshard.sharding.copies.migration.Migration;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.migration.MigrationStage;
import io.memshard.sharding.migration.MigrationStats;

/**
 * Migration of items from a source fleet of servers to a target fleet. Creates clients that use both fleets. The
 * javadoc of {@link MigrationStage} says what reads and writes do at each stage.
 *
 * <p>Each fleet is a {@link Memshard} with its own servers, ring and protocol. A server may belong to both fleets, for
 * example if only the ring changes. Write the address of this server in the same form in both fleets. The clients use
 * these settings of the target fleet: {@code requestTimeout}, {@code maxValueBytes}, {@code failurePolicy},
 * {@code keyPrefix}, {@code hashKeys} and {@code listener}.
 *
 * <p>Threading: thread-safe.
 */
public final class MemshardMigration implements AutoCloseable {

    private final Memshard source;
    private final Memshard target;
    private final Migration migration;

    private MemshardMigration(Memshard source, Memshard target, Migration migration) {
        this.source = source;
        this.target = target;
        this.migration = migration;
    }

    /**
     * Returns a migration from {@code source} to {@code target}.
     *
     * @param source the source fleet; closed when the migration is closed
     * @param target the target fleet; closed when the migration is closed
     * @throws IllegalArgumentException if both fleets are the same, or if their settings for key prefixes or hashed
     *     keys differ
     */
    public static MemshardMigration of(Memshard source, Memshard target, MigrationOptions options) {
        target.checkSameKeys(source, "the source fleet");
        return new MemshardMigration(
                source,
                target,
                new Migration(
                        source.sender(),
                        target.sender(),
                        options,
                        key -> !source.addressOf(key).equals(target.addressOf(key))));
    }

    private long callNanos(long timeoutNanos) {
        return Math.min(
                source.cluster().callNanos(timeoutNanos), target.cluster().callNanos(timeoutNanos));
    }

    private Cluster serving() {
        return (migration.stage() == MigrationStage.PREPARING ? source : target).cluster();
    }

    /** Returns a blocking client whose values {@code transcoder} converts to bytes. */
    public <V> MemcachedClient<V> client(Transcoder<V> transcoder) {
        return target.options().client(migration, transcoder, key -> serving().addressOf(key), this::callNanos);
    }

    /** Returns an asynchronous client whose values {@code transcoder} converts to bytes. */
    public <V> AsyncMemcachedClient<V> asyncClient(Transcoder<V> transcoder) {
        return client(transcoder).async();
    }

    /** Returns the current stage of the migration. */
    public MigrationStage stage() {
        return migration.stage();
    }

    /**
     * Changes the stage for all later commands of the clients of this object. Two instances of an application may be at
     * most one stage apart: see {@link MigrationStage}.
     */
    public void moveTo(MigrationStage stage) {
        migration.moveTo(stage);
    }

    /** Returns the counts of reads and copies so far. */
    public MigrationStats stats() {
        return migration.stats();
    }

    /** Returns the number of items that are being copied now. */
    public int copiesUnderWay() {
        return migration.copiesUnderWay();
    }

    /** Returns the source fleet, which may be closed after the stage has become {@link MigrationStage#ENDED}. */
    public Memshard source() {
        return source;
    }

    /** Returns the target fleet. */
    public Memshard target() {
        return target;
    }

    /** Closes both fleets. Idempotent. */
    @Override
    public void close() {
        source.close();
        target.close();
    }

    /** Returns both fleets and the stage. */
    @Override
    public String toString() {
        return "MemshardMigration[" + migration + ']';
    }
}
