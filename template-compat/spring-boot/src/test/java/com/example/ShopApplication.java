// SPDX-License-Identifier: Apache-2.0
package com.example;

import io.memshard.template.MemcachedTemplate;
import java.time.Duration;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Service;

@SpringBootApplication
@EnableCaching
public class ShopApplication {

    public record Product(String id, String name) {}

    @Service
    public static class Catalogue {

        @Cacheable(cacheNames = "products", sync = true)
        public Product product(String id) {
            System.out.println("loading " + id);
            return new Product(id, "Product " + id);
        }
    }

    @Bean
    ApplicationRunner show(Catalogue catalogue, MemcachedTemplate<String> template) {
        return arguments -> {
            System.out.println(catalogue.product("1"));
            System.out.println(catalogue.product("1"));
            template.set("greeting", "hello", Duration.ofMinutes(5));
            System.out.println(template.get("greeting"));
        };
    }

    public static void main(String[] arguments) {
        SpringApplication.run(ShopApplication.class, arguments);
    }
}
