// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.page;

import io.memshard.sample.catalogue.Product;
import io.memshard.sample.shop.Moment;
import io.memshard.sample.shop.Moment.Run;
import io.memshard.sample.shop.Setup;
import io.memshard.sample.shop.Story;
import io.memshard.sample.shop.Switchboard;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Handler of the page's requests. Each second, sends the figures to all open pages as a server-sent event. */
@RestController
class PageController implements DisposableBean {

    record Beginning(Setup setup, List<Run> runs, List<Moment> moments) {}

    record Refusal(String error) {}

    private final Switchboard switchboard;
    private final Set<SseEmitter> pages = ConcurrentHashMap.newKeySet();

    PageController(Switchboard switchboard) {
        this.switchboard = switchboard;
    }

    @GetMapping("/beginning")
    Beginning beginning() {
        return new Beginning(switchboard.setup(), switchboard.runs(), switchboard.moments());
    }

    @GetMapping("/events")
    SseEmitter events() {
        SseEmitter page = new SseEmitter(0L);
        page.onCompletion(() -> pages.remove(page));
        page.onError(thrown -> pages.remove(page));
        pages.add(page);
        return page;
    }

    @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.SECONDS)
    void send() {
        Moment moment = switchboard.second();
        for (SseEmitter page : List.copyOf(pages)) {
            try {
                page.send(moment);
            } catch (IOException | IllegalStateException e) {
                pages.remove(page); // The page was closed.
            }
        }
    }

    @Override
    public void destroy() {
        pages.forEach(SseEmitter::complete);
    }

    @GetMapping("/products/{id}")
    Product product(@PathVariable int id) {
        return switchboard.catalogue().product(id);
    }

    @PostMapping("/setup")
    Beginning choose(@RequestBody Setup setup) {
        switchboard.switchTo(setup);
        return beginning();
    }

    @PostMapping("/stories/{story}")
    Beginning tell(@PathVariable Story story) {
        switchboard.tell(story);
        return beginning();
    }

    @PostMapping("/servers/{number}/stop")
    void stop(@PathVariable int number) {
        switchboard.stop(number);
    }

    @PostMapping("/servers/{number}/start")
    void start(@PathVariable int number) {
        switchboard.start(number);
    }

    @ExceptionHandler
    ResponseEntity<Refusal> badRequest(IllegalArgumentException e) {
        return ResponseEntity.badRequest().body(new Refusal(String.valueOf(e.getMessage())));
    }

    @ExceptionHandler
    ResponseEntity<Refusal> conflict(IllegalStateException e) {
        return ResponseEntity.status(HttpStatus.CONFLICT).body(new Refusal(String.valueOf(e.getMessage())));
    }
}
