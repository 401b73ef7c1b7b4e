/** How answers to API calls are sent. */
import type { ServerResponse } from 'node:http'

/** Above this, copying a body costs more than sending it apart from its headers. */
const onePieceBytes = 16 * 1024

/**
 * Sends an answer; `pairs` are names and values of headers, and `body` is bytes, also as a text in latin1. Answers of one turn
 * of the event loop leave together: the first write wakes a client's process that sleeps, for which the kernel takes longer
 * than for the write, and the others find it awake.
 * @throws for headers that Node refuses
 */
export function sendAnswer(
  response: ServerResponse,
  status: number,
  pairs: string[],
  body: Buffer | string = '',
): void {
  response.writeHead(status, pairs)
  // Node sends a text in one piece with the headers.
  const sent = typeof body === 'string' || body.length > onePieceBytes ? body : body.toString('latin1')
  setImmediate(() => response.end(sent, 'latin1'))
}
