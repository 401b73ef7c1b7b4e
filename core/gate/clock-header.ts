/**
 * The header in which an answer carries the shop's time, epoch ms: answers of the pointer, added
 * by `edge/clock.js`, and answers of functions that are no problems. So a page needs no request of its own for the time.
 */
export const clockHeader = 'x-sluice-now'
