/**
 * The armed token of a sale that was started ahead of its time (C6). Pages have it before the start, and the gate accepts it
 * for a short time in place of the start token, which is not public before the start. It is a hash of that token, so it
 * needs no storage and does not reveal the token.
 */
import { hash } from 'node:crypto'

/** How long after the start the gate accepts it, ms. By then every page has loaded the countdown of the start. */
export const armedForMs = 10_000

export const armedTokenOf = (startToken: string): string => hash('sha256', startToken, 'base64url')
