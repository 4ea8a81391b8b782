// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

/**
 * Sender whose commands may outlive the blocking call that sent them. It sends to several copies of the data, and a
 * call ends as soon as enough of them have answered.
 */
public interface OutlivingSender extends CommandSender {}
