// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.catalogue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.springframework.stereotype.Repository;

/** Products in a simulated database, in which each query takes {@link #QUERY_TIME}. */
@Repository
public class ProductRepository {

    public static final int SIZE = 2_000;

    public static final int SHELVES = 20;

    public static final Duration QUERY_TIME = Duration.ofMillis(3);

    private static final int ON_A_SHELF = 8;
    private static final int MAX_PRICE_CENTS = 20_000;
    private static final List<String> KINDS =
            List.of("Lamp", "Chair", "Kettle", "Radio", "Clock", "Vase", "Basket", "Blanket", "Mirror", "Shelf");
    private static final List<String> LOOKS =
            List.of("Amber", "Birch", "Copper", "Dove", "Elm", "Flax", "Granite", "Hazel", "Indigo", "Jade", "Linen");

    private final AtomicIntegerArray cents = new AtomicIntegerArray(
            IntStream.rangeClosed(0, SIZE).map(ProductRepository::firstPrice).toArray());
    private final LongAdder queries = new LongAdder();

    private static int firstPrice(int id) {
        return 500 + id * 7_919 % MAX_PRICE_CENTS;
    }

    public Product find(int id) {
        query();
        return product(id);
    }

    public Shelf findShelf(int number) {
        query();
        return new Shelf(
                number,
                IntStream.range(0, ON_A_SHELF)
                        .mapToObj(place -> product(1 + (number * ON_A_SHELF + place) % SIZE))
                        .toList());
    }

    public void changePrice(int id, int newCents) {
        query();
        checkId(id);
        cents.set(id, newCents);
    }

    private Product product(int id) {
        checkId(id);
        String name = LOOKS.get(id % LOOKS.size()) + " " + KINDS.get(id % KINDS.size()) + " No. " + id;
        String description = name + " is made by hand, one at a time. It is delivered within three days.";
        return new Product(id, name, cents.get(id), description);
    }

    private static void checkId(int id) {
        if (id < 1 || id > SIZE) {
            throw new IllegalArgumentException("product " + id + " does not exist: use 1 to " + SIZE);
        }
    }

    public long queries() {
        return queries.sum();
    }

    private void query() {
        queries.increment();
        long end = System.nanoTime() + QUERY_TIME.toNanos();
        for (long left = QUERY_TIME.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
