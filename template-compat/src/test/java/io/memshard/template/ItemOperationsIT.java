// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.contract.AsyncAsBlocking;
import io.memshard.client.contract.OperationContract;
import io.memshard.client.contract.ServerKind;
import io.memshard.client.contract.Subject;
import io.memshard.client.contract.Subject.Speech;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.LeakCheck;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract over every engine and mode, by each way to call them. */
@ParameterizedClass
@MethodSource("subjects")
class ItemOperationsIT extends OperationContract {

    /** Way to call an operation. */
    enum Way {
        TEMPLATE,
        HANDLE,
        ASYNC
    }

    private final Variant variant;
    private final Way way;
    private final ServerKind kind;

    ItemOperationsIT(Variant variant, Way way, ServerKind kind) {
        this.variant = variant;
        this.way = way;
        this.kind = kind;
        kind.server();
    }

    /** Each way on the server that is found, and one on each of the others. */
    static Stream<Arguments> subjects() {
        return Arrays.stream(Variant.values())
                .flatMap(variant -> Arrays.stream(Way.values())
                        .flatMap(way -> Arrays.stream(ServerKind.values())
                                .filter(kind -> kind == ServerKind.FOUND || way == Way.TEMPLATE || Subject.RUNS_ALL)
                                .map(kind -> Arguments.of(variant, way, kind))));
    }

    @Override
    protected LeakCheck startLeakCheck() {
        return variant.startLeakCheck();
    }

    @Override
    protected Subject open() {
        MemcachedConnectionFactory factory = variant.open(kind.server());
        MemcachedConnection handle = factory.getConnection();
        MemcachedTemplate<String> template = new MemcachedTemplate<>(factory, Transcoder.utf8());
        return new Subject(
                switch (way) {
                    case TEMPLATE -> template;
                    case HANDLE -> handle.client(Transcoder.utf8());
                    case ASYNC -> AsyncAsBlocking.of(template.async());
                },
                variant.engine == Engine.SPYMEMCACHED ? Speech.SPYMEMCACHED : kind.speech(),
                List.of(kind.itemServer()),
                () -> {
                    handle.close();
                    factory.close();
                });
    }
}
