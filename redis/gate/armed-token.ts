/**
 * The parameter of a sale that was started and waits for its time (C6). Pages have it before the start, and the gate
 * takes it for a moment in place of the start token, which is public from the start only. It is the hash of that token:
 * so nothing else is kept, and it does not help to find the token.
 */
import { hash } from 'node:crypto'

/** How long after the start the gate takes it, ms: every page has loaded the countdown of the start by then. */
export const armedForMs = 10_000

export const armedTokenOf = (startToken: string): string => hash('sha256', startToken, 'base64url')
