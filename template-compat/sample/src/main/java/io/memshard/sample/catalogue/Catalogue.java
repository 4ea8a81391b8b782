// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.catalogue;

import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.stereotype.Service;

/**
 * Catalogue of the shop. Its results are cached in memcached. While a server is down, the repository answers instead.
 */
@Service
public class Catalogue {

    private final ProductRepository repository;

    Catalogue(ProductRepository repository) {
        this.repository = repository;
    }

    @Cacheable("products")
    public Product product(int id) {
        return repository.find(id);
    }

    /** Returns a shelf. Shelves are popular, so after a miss only one of several callers queries the repository. */
    @Cacheable(cacheNames = "shelves", sync = true)
    public Shelf shelf(int number) {
        return repository.findShelf(number);
    }

    /** Sets the price of a product; the next caller of {@link #product} sees the new price. */
    @CacheEvict(cacheNames = "products", key = "#id")
    public void changePrice(int id, int cents) {
        repository.changePrice(id, cents);
    }
}
