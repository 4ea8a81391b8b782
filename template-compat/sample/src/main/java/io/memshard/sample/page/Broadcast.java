// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.page;

import io.memshard.sample.shop.Moment;
import io.memshard.sample.shop.Switchboard;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Sender of each second's figures to all open pages, as a server-sent event. Any thread may add a page. */
@Component
class Broadcast implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(Broadcast.class);

    private final Switchboard switchboard;
    private final Set<SseEmitter> pages = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "broadcast");
        thread.setDaemon(true);
        return thread;
    });

    Broadcast(Switchboard switchboard) {
        this.switchboard = switchboard;
        // A fixed rate would run the task several times without a pause after a switch, which takes seconds.
        var unused = clock.scheduleWithFixedDelay(this::send, 1, 1, TimeUnit.SECONDS);
    }

    SseEmitter subscribe() {
        SseEmitter page = new SseEmitter(0L);
        page.onCompletion(() -> pages.remove(page));
        page.onError(thrown -> pages.remove(page));
        pages.add(page);
        return page;
    }

    private void send() {
        try {
            Moment moment = switchboard.second();
            pages.forEach(page -> send(page, moment));
        } catch (RuntimeException e) {
            LOG.warn("Cannot send the figures of this second to the open pages", e);
        }
    }

    private void send(SseEmitter page, Moment moment) {
        try {
            page.send(moment);
        } catch (IOException | IllegalStateException e) {
            pages.remove(page); // The page was closed.
        }
    }

    @Override
    public void destroy() {
        clock.shutdownNow();
        pages.forEach(SseEmitter::complete);
    }
}
