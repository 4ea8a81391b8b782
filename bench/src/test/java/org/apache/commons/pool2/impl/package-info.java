// SPDX-License-Identifier: Apache-2.0
/** A class of Commons Pool under our eyes. Tests only; start reading at {@link LockCounter}. */
package org.apache.commons.pool2.impl;
