/**
 * Reads of the key-value store of the CloudFront Functions, and calls of its API. Tests count those of
 * `edge/site-paths.js`, `edge/pre-gate.js`, `functions/sales/publishing/edge-entries.ts` and
 * `functions/repair/gate/pass-keys.ts`.
 */

/** Reads for the objects of a sale: its page and countdown, which a later load has; the pointer needs none. */
export const objectReads = { firstLoad: 2, laterLoad: 1, flip: 1 } as const

/**
 * One publisher reads the state of the store and the entry, and writes; the other, `control` or
 * `reconcile`, reads both and finds them published.
 */
export const callsPerChange = 3 + 2

/**
 * Changes of the entry in the life of a sale, generously: created, warmed, started, ended, archived,
 * edits and pauses; sold out, again after units came back, and every five minutes while it lasts.
 */
export const changesOfSale = 30

/** New keys of passes: the state of the store, the present keys, and the write. */
export const callsPerPassKeys = 3
