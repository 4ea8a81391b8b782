// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import io.memshard.sample.catalogue.Catalogue;
import io.memshard.sample.catalogue.ProductRepository;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

final class Callers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Callers.class);
    private static final int STOP_SECONDS = 30;
    private static final int VISITS = 500;
    private static final int VISITS_OF_SHELVES = 10;
    private static final int MAX_PRICE_CENTS = 20_000;

    private final Catalogue catalogue;
    private final Figures figures;
    private final CountDownLatch stopped;
    private volatile boolean running = true;
    private volatile boolean hasLogged;

    private Callers(Catalogue catalogue, Figures figures, int threads) {
        this.catalogue = catalogue;
        this.figures = figures;
        this.stopped = new CountDownLatch(threads);
    }

    static Callers start(Catalogue catalogue, Figures figures, int threads) {
        Callers callers = new Callers(catalogue, figures, threads);
        SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor("caller-");
        executor.setDaemon(true);
        for (int i = 0; i < threads; i++) {
            executor.execute(callers::visitUntilClosed);
        }
        return callers;
    }

    private void visitUntilClosed() {
        try {
            while (running) {
                long start = System.nanoTime();
                try {
                    visit(ThreadLocalRandom.current());
                    figures.answered(System.nanoTime() - start);
                } catch (RuntimeException e) {
                    figures.failed();
                    logOnce(e);
                }
            }
        } finally {
            stopped.countDown();
        }
    }

    private void logOnce(RuntimeException e) {
        if (!hasLogged) {
            hasLogged = true;
            LOG.warn("A request of the shop failed. Later failures are only counted", e);
        }
    }

    private void visit(ThreadLocalRandom random) {
        int kind = random.nextInt(VISITS);
        if (kind == 0) {
            catalogue.changePrice(anyProduct(random), 1 + random.nextInt(MAX_PRICE_CENTS));
        } else if (kind <= VISITS_OF_SHELVES) {
            catalogue.shelf(random.nextInt(ProductRepository.SHELVES));
        } else {
            catalogue.product(anyProduct(random));
        }
    }

    /** Returns a random product id. Small ids are more likely, so that some products are popular. */
    private static int anyProduct(ThreadLocalRandom random) {
        double place = random.nextDouble();
        return 1 + (int) (place * place * ProductRepository.SIZE);
    }

    @Override
    public void close() {
        running = false;
        try {
            if (!stopped.await(STOP_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the callers of the shop did not stop within " + STOP_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
