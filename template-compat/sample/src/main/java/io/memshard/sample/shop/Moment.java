// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import io.memshard.sample.measure.FiguresOfPeriod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One second, as the page shows it.
 *
 * @param time end of the second, in milliseconds since 1970
 * @param second figures of the second
 * @param run run of which the second is part
 * @param servers servers at the end of the second
 * @param outage the latest outage in this run; null if no server was stopped
 * @param events actions during the second, in words
 */
public record Moment(
        long time,
        FiguresOfPeriod second,
        Run run,
        List<ServerView> servers,
        @Nullable Outage outage,
        List<String> events) {}
