// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.catalogue;

import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.stereotype.Service;

/**
 * What the shop shows. Its methods are cached in memcached.
 *
 * <p>Threading: thread-safe.
 *
 * <p>Failure: none of memcached. While a server is away, the repository is asked instead.
 */
@Service
public class Catalogue {

    private final ProductRepository repository;

    Catalogue(ProductRepository repository) {
        this.repository = repository;
    }

    /**
     * A product.
     *
     * @throws java.util.NoSuchElementException if there is none with this number
     */
    @Cacheable("products")
    public Product product(int id) {
        return repository.find(id);
    }

    /** A shelf. Everybody wants it, so of all callers one asks the repository. */
    @Cacheable(cacheNames = "shelves", sync = true)
    public Shelf shelf(int number) {
        return repository.findShelf(number);
    }

    /** Sets the price of a product, which the next caller of {@link #product} sees. */
    @CacheEvict(cacheNames = "products", key = "#id")
    public void changePrice(int id, int cents) {
        repository.changePrice(id, cents);
    }
}
