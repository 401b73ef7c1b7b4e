/** Writes and parses HTTP/1.1 as text: a client library would use more of the machine than the measured systems. */
import { loopback } from '../../../local/ports.ts'

/** Returns a POST over a keep-alive connection to `port` of this machine; all text is ASCII. */
export function postText(
  port: number,
  { path, headers, body = '' }: { path: string; headers: Readonly<Record<string, string>>; body?: string },
): string {
  const all = { host: `${loopback}:${port}`, ...headers, 'content-length': String(body.length) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** `answer` is the status, a space and the body; `rest` is what was received after it. */
type FirstAnswer = { answer: string; rest: string }

/**
 * Parses the first answer in `received`, which has one character for each byte; undefined while a part is missing.
 * @throws when the answer does not state its length
 */
export function parseFirstAnswer(received: string): FirstAnswer | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = received.slice(0, headEnd)
  const from = headEnd + 4
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined && !/\r\ntransfer-encoding: *chunked/i.test(head)) {
    throw new Error(`the answer has no length: ${head}`)
  }
  const found = length === undefined ? chunksIn(received, from) : bytesIn(received, from, Number(length))
  return found && { answer: `${head.slice(9, 12)} ${found.body}`, rest: received.slice(found.to) }
}

type Body = { body: string; to: number }

function bytesIn(received: string, from: number, length: number): Body | undefined {
  const to = from + length
  return received.length < to ? undefined : { body: received.slice(from, to), to }
}

function chunksIn(received: string, from: number): Body | undefined {
  let body = ''
  for (let at = from; ; ) {
    const lineEnd = received.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const bytes = Number.parseInt(received.slice(at, lineEnd), 16)
    const to = lineEnd + 2 + bytes + 2
    if (received.length < to) return undefined
    if (bytes === 0) return { body, to }
    body += received.slice(lineEnd + 2, to - 2)
    at = to
  }
}
