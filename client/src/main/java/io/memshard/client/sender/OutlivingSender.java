// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

/**
 * Sender whose commands may outlive the blocking call that sent them. It sends each command to several copies of the
 * data, and a call ends as soon as enough copies have answered.
 */
public interface OutlivingSender extends CommandSender {}
