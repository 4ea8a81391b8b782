// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.catalogue;

import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.stereotype.Service;

/** Products and shelves of the shop, cached in memcached. If memcached fails, the methods query the repository. */
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

    @Cacheable(cacheNames = "shelves", sync = true)
    public Shelf shelf(int number) {
        return repository.findShelf(number);
    }

    @CacheEvict(cacheNames = "products", key = "#id")
    public void changePrice(int id, int cents) {
        repository.changePrice(id, cents);
    }
}
