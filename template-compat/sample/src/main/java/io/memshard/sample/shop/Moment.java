// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import io.memshard.sample.measure.FiguresOfPeriod;
import java.util.List;

/**
 * What the page shows of one second.
 *
 * @param time when it ended, in milliseconds since 1970
 * @param second its figures
 * @param run that it is part of
 * @param servers as they were at its end
 * @param events what was done in it, in words
 */
public record Moment(long time, FiguresOfPeriod second, Run run, List<ServerView> servers, List<String> events) {}
