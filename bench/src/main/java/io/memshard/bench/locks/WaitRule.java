// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * One line of the table in {@link WaitClassifier}: which waits belong to a bucket, and why.
 *
 * <p>Threading: immutable.
 *
 * @param bucket where a matching wait is counted
 * @param reason what the thread waits for, in a few words
 * @param kinds the events that can match
 * @param lockClasses prefixes of the class of the lock, one of which must match; empty for any
 * @param under prefixes of {@code package.Type.method}, one of which must be in the stack; empty for any
 * @param notUnder prefixes none of which may be in the stack
 */
record WaitRule(
        WaitBucket bucket,
        String reason,
        Set<WaitKind> kinds,
        List<String> lockClasses,
        List<String> under,
        List<String> notUnder) {

    /** A rule for any event, lock and stack; the methods below narrow it. */
    static WaitRule of(WaitBucket bucket, String reason) {
        return new WaitRule(bucket, reason, EnumSet.allOf(WaitKind.class), List.of(), List.of(), List.of());
    }

    WaitRule when(WaitKind kind) {
        return new WaitRule(bucket, reason, EnumSet.of(kind), lockClasses, under, notUnder);
    }

    WaitRule on(String... classPrefixes) {
        return new WaitRule(bucket, reason, kinds, List.of(classPrefixes), under, notUnder);
    }

    WaitRule under(String... framePrefixes) {
        return new WaitRule(bucket, reason, kinds, lockClasses, List.of(framePrefixes), notUnder);
    }

    WaitRule notUnder(String... framePrefixes) {
        return new WaitRule(bucket, reason, kinds, lockClasses, under, List.of(framePrefixes));
    }

    boolean matches(Wait wait) {
        return kinds.contains(wait.kind())
                && (lockClasses.isEmpty() || isOnOneOf(lockClasses, wait))
                && (under.isEmpty() || under.stream().anyMatch(wait::isUnder))
                && notUnder.stream().noneMatch(wait::isUnder);
    }

    private static boolean isOnOneOf(List<String> prefixes, Wait wait) {
        String lockClass = wait.lockClass();
        return lockClass != null && prefixes.stream().anyMatch(lockClass::startsWith);
    }
}
