// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.page;

import io.memshard.sample.catalogue.Product;
import io.memshard.sample.shop.Moment;
import io.memshard.sample.shop.Moment.Run;
import io.memshard.sample.shop.Setup;
import io.memshard.sample.shop.Story;
import io.memshard.sample.shop.Switchboard;
import java.util.List;
import java.util.NoSuchElementException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

@RestController
class PageController {

    record Beginning(Setup setup, List<Run> runs, List<Moment> moments) {}

    record Refusal(String error) {}

    private final Switchboard switchboard;
    private final Broadcast broadcast;

    PageController(Switchboard switchboard, Broadcast broadcast) {
        this.switchboard = switchboard;
        this.broadcast = broadcast;
    }

    @GetMapping("/beginning")
    Beginning beginning() {
        return new Beginning(switchboard.setup(), switchboard.runs(), switchboard.moments());
    }

    @GetMapping("/events")
    SseEmitter events() {
        return broadcast.subscribe();
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
        return refusal(HttpStatus.BAD_REQUEST, e);
    }

    @ExceptionHandler
    ResponseEntity<Refusal> unreadable(HttpMessageNotReadableException e) {
        String message = String.valueOf(e.getMostSpecificCause().getMessage());
        return refusal(
                HttpStatus.BAD_REQUEST,
                new IllegalArgumentException(message.lines().findFirst().orElse("")));
    }

    @ExceptionHandler
    ResponseEntity<Refusal> conflict(IllegalStateException e) {
        return refusal(HttpStatus.CONFLICT, e);
    }

    @ExceptionHandler
    ResponseEntity<Refusal> notFound(NoSuchElementException e) {
        return refusal(HttpStatus.NOT_FOUND, e);
    }

    private static ResponseEntity<Refusal> refusal(HttpStatus status, Throwable reason) {
        return ResponseEntity.status(status).body(new Refusal(String.valueOf(reason.getMessage())));
    }
}
