// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.page;

import io.memshard.sample.shop.Switchboard;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Web application of the page. Unlike the shop, this application is not restarted when a user changes the setup. */
@EnableScheduling
@SpringBootApplication(
        excludeName = {
            "io.memshard.spring.boot.MemcachedAutoConfiguration",
            "io.memshard.spring.boot.cache.MemcachedCacheAutoConfiguration"
        })
public class PageApplication {

    public static WebServerApplicationContext start(String host, int port, Switchboard switchboard) {
        SpringApplication application = new SpringApplication(PageApplication.class);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setRegisterShutdownHook(false);
        application.setDefaultProperties(
                Map.of("spring.config.name", "page", "server.address", host, "server.port", port));
        application.addInitializers(context -> ((GenericApplicationContext) context)
                .registerBean(Switchboard.class, () -> switchboard, definition -> definition.setDestroyMethodName("")));
        return (WebServerApplicationContext) application.run();
    }
}
