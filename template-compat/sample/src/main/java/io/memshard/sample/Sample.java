// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample;

import io.memshard.sample.page.PageApplication;
import io.memshard.sample.shop.Servers;
import io.memshard.sample.shop.Setup;
import io.memshard.sample.shop.Switchboard;
import java.util.Objects;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

final class Sample implements AutoCloseable {

    private final Servers servers;
    private final Switchboard switchboard;
    private final WebServerApplicationContext page;
    private final String host;

    private Sample(Servers servers, Switchboard switchboard, WebServerApplicationContext page, String host) {
        this.servers = servers;
        this.switchboard = switchboard;
        this.page = page;
        this.host = host;
    }

    static Sample start(Setup setup, Servers servers, String host, int port) {
        try {
            Switchboard switchboard = new Switchboard(setup, servers);
            return new Sample(servers, switchboard, PageApplication.start(host, port, switchboard), host);
        } catch (RuntimeException e) {
            servers.close();
            throw e.getCause() instanceof PortInUseException
                    ? new IllegalStateException("port " + port + " is in use: choose another port with --port", e)
                    : e;
        }
    }

    String address() {
        int port = Objects.requireNonNull(page.getWebServer(), "the page has no port, because it has not started")
                .getPort();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port + "/";
    }

    @Override
    public void close() {
        ((ConfigurableApplicationContext) page).close();
        switchboard.close();
        servers.close();
    }
}
