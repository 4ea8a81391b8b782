// SPDX-License-Identifier: Apache-2.0
package com.example;

import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;

/** A stage of an application that blocks, which is known by its package. */
public record SlowStage<T>(CountDownLatch until) implements BiConsumer<T, Throwable> {

    @Override
    public void accept(T value, Throwable failure) {
        try {
            until.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
