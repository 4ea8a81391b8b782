// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.memshard.Memshard;
import io.memshard.ZonedMemshard;
import io.memshard.client.json.Jackson2Transcoder;
import io.memshard.client.json.Jackson3Transcoder;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.template.MemcachedConnectionFactory;
import io.memshard.template.MemcachedTemplate;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/**
 * Auto-configuration of the client with the property prefix {@code memcached}. Creates a {@link Memshard}, a {@link
 * MemcachedConnectionFactory}, and two {@link MemcachedTemplate}s: one for objects, and one for strings. If {@code
 * memcached.zones.own} is set, creates a {@link ZonedMemshard} instead. Does not create a bean that the application
 * defines itself.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
            "org.springframework.boot.jackson2.autoconfigure.Jackson2AutoConfiguration",
            "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration", // Spring Boot 3.5
            "org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration"
        })
@ConditionalOnClass(Memshard.class)
@EnableConfigurationProperties(MemcachedProperties.class)
public final class MemcachedAutoConfiguration {

    /** Property prefix of the default client. */
    public static final String CLIENT = "memcached";

    @Bean
    @ConditionalOnMissingBean
    MemcachedClients memcachedClients(ApplicationContext context) {
        return new MemcachedClients(context);
    }

    // Declared first, because the condition of the next bean depends on this bean.
    @Bean
    @ConditionalOnMissingBean({Memshard.class, ZonedMemshard.class})
    @ConditionalOnProperty("memcached.zones.own")
    ZonedMemshard zonedMemshard(MemcachedClients clients) {
        return clients.zonedMemshard(CLIENT);
    }

    @Bean
    @ConditionalOnMissingBean({Memshard.class, ZonedMemshard.class})
    Memshard memshard(MemcachedClients clients) {
        return clients.memshard(CLIENT);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(Memshard.class)
    MemcachedConnectionFactory memcachedConnectionFactory(MemcachedClients clients, Memshard memshard) {
        return clients.connectionFactory(CLIENT, memshard);
    }

    @Bean
    @ConditionalOnMissingBean
    ValueTranscoders memcachedValueTranscoders(ObjectProvider<ValueTranscoders.Json> json) {
        return new ValueTranscoders(json.getIfAvailable());
    }

    @Bean
    @ConditionalOnMissingBean(name = "memcachedTranscoder")
    Transcoder<Object> memcachedTranscoder(ValueTranscoders transcoders, MemcachedProperties properties) {
        Transcoder<Object> transcoder = transcoders.of(CLIENT + ".serializer", properties.serializer(), false);
        return transcoders.compressed(CLIENT + ".compression", properties.compression(), transcoder);
    }

    @Bean
    @ConditionalOnMissingBean(name = "memcachedTemplate")
    @ConditionalOnSingleCandidate(MemcachedConnectionFactory.class)
    MemcachedTemplate<Object> memcachedTemplate(
            MemcachedConnectionFactory factory, @Qualifier("memcachedTranscoder") Transcoder<Object> transcoder) {
        return new MemcachedTemplate<>(factory, transcoder);
    }

    @Bean
    @ConditionalOnMissingBean(name = "stringMemcachedTemplate")
    @ConditionalOnSingleCandidate(MemcachedConnectionFactory.class)
    MemcachedTemplate<String> stringMemcachedTemplate(
            MemcachedConnectionFactory factory, ValueTranscoders transcoders, MemcachedProperties properties) {
        Transcoder<String> utf8 = Transcoder.utf8();
        return new MemcachedTemplate<>(
                factory, transcoders.compressed(CLIENT + ".compression", properties.compression(), utf8));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JsonMapper.class)
    static class Jackson3Configuration {

        @Bean
        @ConditionalOnMissingBean
        ValueTranscoders.Json memcachedJsonTranscoders(ObjectProvider<JsonMapper> mappers) {
            JsonMapper mapper = mappers.getIfAvailable(JsonMapper::shared);
            return new ValueTranscoders.Json(
                    type -> Jackson3Transcoder.of(mapper, type),
                    type -> Jackson3Transcoder.of(type),
                    mapper.getTypeFactory()::constructFromCanonical);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObjectMapper.class)
    @ConditionalOnMissingClass("tools.jackson.databind.json.JsonMapper")
    static class Jackson2Configuration {

        @Bean
        @ConditionalOnMissingBean
        ValueTranscoders.Json memcachedJsonTranscoders(ObjectProvider<ObjectMapper> mappers) {
            // Spring Boot 3.5 defines a mapper only if spring-web is present.
            ObjectMapper mapper = mappers.getIfUnique(() -> new ObjectMapper().findAndRegisterModules());
            return new ValueTranscoders.Json(
                    type -> Jackson2Transcoder.of(mapper, type),
                    type -> Jackson2Transcoder.of(type),
                    mapper.getTypeFactory()::constructFromCanonical);
        }
    }
}
