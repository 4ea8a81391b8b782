// SPDX-License-Identifier: Apache-2.0
package com.example

import io.memshard.Memshard
import io.memshard.client.AsyncMemcachedClient
import io.memshard.client.MemcachedClient
import io.memshard.client.transcoder.Transcoder
import io.memshard.testkit.EmbeddedMemcached
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.future.await
import kotlinx.coroutines.future.future
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

class Greetings(private val cache: AsyncMemcachedClient<String>) {

    suspend fun greeting(name: String): String? = cache.get("greeting:$name").await()

    suspend fun greet(name: String, text: String) {
        cache.set("greeting:$name", text, Duration.ofMinutes(5)).await()
    }
}

class Pages(private val cache: AsyncMemcachedClient<String>, private val render: suspend (String) -> String) {

    suspend fun page(key: String): String? = coroutineScope {
        cache.getOrLoad(key, Duration.ofMinutes(5)) { future { render(it) } }.await()
    }
}

fun shortGreeting(cache: MemcachedClient<String>): String {
    return cache.get("greeting") ?: "hello"
}

/** The Kotlin of docs/clients.md runs. */
class CoroutinesTest {

    private fun withMemshard(test: suspend (Memshard) -> Unit) {
        EmbeddedMemcached.start().use { server ->
            val patience = Duration.ofSeconds(30)
            Memshard.builder()
                .servers(server.address())
                .requestTimeout(patience)
                .connectTimeout(patience)
                .build()
                .use { runBlocking { test(it) } }
        }
    }

    @Test
    fun aMissIsNull() = withMemshard { memshard ->
        val greetings = Greetings(memshard.asyncClient(Transcoder.utf8()))
        assertThat(greetings.greeting("ann")).isNull()

        greetings.greet("ann", "hi")
        assertThat(greetings.greeting("ann")).isEqualTo("hi")
        assertThat(shortGreeting(memshard.client(Transcoder.utf8()))).isEqualTo("hello")
    }

    @Test
    fun aCoroutineLoadsOnce() = withMemshard { memshard ->
        val loads = AtomicInteger()
        val pages = Pages(memshard.asyncClient(Transcoder.utf8())) { key -> "$key ${loads.incrementAndGet()}" }

        assertThat(pages.page("page")).isEqualTo("page 1")
        assertThat(pages.page("page")).isEqualTo("page 1")
    }
}
