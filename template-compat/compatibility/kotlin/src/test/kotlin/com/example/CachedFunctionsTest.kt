// SPDX-License-Identifier: Apache-2.0
package com.example

import io.memshard.Memshard
import io.memshard.client.json.Jackson3Transcoder
import io.memshard.spring.cache.MemcachedCacheConfiguration
import io.memshard.spring.cache.MemcachedCacheManager
import io.memshard.testkit.EmbeddedMemcached
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.cache.annotation.Cacheable
import org.springframework.cache.annotation.EnableCaching
import org.springframework.context.annotation.AnnotationConfigApplicationContext

data class Product(var name: String = "", var tags: List<String> = listOf())

data class ProductId(val shop: String, val number: Int)

enum class Level {
    LOW {
        override fun rank() = 1
    };

    abstract fun rank(): Int
}

abstract class Finder<T> {

    @Cacheable("generic")
    open suspend fun generic(id: Int): T = load()

    abstract fun load(): T
}

open class Products : Finder<Product>() {

    private val calls = AtomicInteger()

    open fun calls() = calls.get()

    private suspend fun <T> counted(value: T): T {
        delay(1)
        calls.incrementAndGet()
        return value
    }

    override fun load() = Product("generic").also { calls.incrementAndGet() }

    @Cacheable("one")
    open suspend fun find(id: ProductId): Product = counted(Product(id.toString(), listOf("a")))

    @Cacheable("nullable")
    open suspend fun findNone(id: Int): Product? = counted(null)

    @Cacheable("list")
    open suspend fun list(id: Int): List<Product> = counted(listOf(Product("a"), Product("b")))

    @Cacheable(cacheNames = ["sync"], sync = true)
    open suspend fun inSync(id: Int): Map<String, Product> = counted(mapOf("a" to Product("a")))

    @Cacheable("number")
    open suspend fun number(id: Int): Int = counted(7)

    @Cacheable("level")
    open suspend fun level(id: Int): Level = counted(Level.LOW)
}

@EnableCaching(proxyTargetClass = true)
open class Caching

/** Suspend functions are cached as the types that they declare. */
class CachedFunctionsTest {

    private fun withProducts(test: suspend (Products) -> Unit) {
        EmbeddedMemcached.start().use { server ->
            val patience = Duration.ofSeconds(30)
            Memshard.builder()
                .servers(server.host() + ":" + server.port())
                .requestTimeout(patience)
                .connectTimeout(patience)
                .build()
                .use { memshard ->
                    val context = AnnotationConfigApplicationContext()
                    context.registerBean(MemcachedCacheManager::class.java, java.util.function.Supplier {
                        MemcachedCacheManager.builder(memshard)
                            .cacheDefaults(
                                MemcachedCacheConfiguration.defaultCacheConfig()
                                    .serializeValuesByType { type -> Jackson3Transcoder.of<Any>(type) }
                            )
                            .build()
                    })
                    context.register(Products::class.java, Caching::class.java)
                    context.refresh()
                    context.use { runBlocking { test(it.getBean(Products::class.java)) } }
                }
        }
    }

    @Test
    fun suspendFunctionsHaveTheirTypes() = withProducts { products ->
        repeat(2) {
            assertThat(products.find(ProductId("x, number=1", 2)).tags).containsExactly("a")
            assertThat(products.findNone(1)).isNull()
            assertThat(products.list(1)).containsExactly(Product("a"), Product("b"))
            assertThat(products.inSync(1)).containsEntry("a", Product("a"))
            assertThat(products.number(1)).isEqualTo(7)
            assertThat(products.level(1)).isSameAs(Level.LOW)
            assertThat(products.generic(1)).isEqualTo(Product("generic"))
        }
        assertThat(products.calls()).isEqualTo(7)
    }

    @Test
    fun dataClassesAreKeysByTheirProperties() = withProducts { products ->
        assertThat(products.find(ProductId("a, number=1", 2)).name).isEqualTo("ProductId(shop=a, number=1, number=2)")
        assertThat(products.find(ProductId("a", 2)).name).isEqualTo("ProductId(shop=a, number=2)")
        assertThat(products.calls()).isEqualTo(2)
    }
}
