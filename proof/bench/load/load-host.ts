/**
 * Sends the load from a separate process, the same for every system: each connection sends its next request after the
 * answer to the last one. An unexpected answer stops the load.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type * as z from 'zod/mini'
import { loopback } from '../../../local/ports.ts'
import { serveParent } from '../../../local/process/rpc.ts'
import { formatCount, percentiles } from '../statistics.ts'
import { clicks, type LoadResult } from './clicks.ts'
import { parseFirstAnswer } from './http-text.ts'

serveParent({ click: (params) => clickAll(clicks.parse(params)) }, async () => {})

/** @throws when an answer does not match, a connection closes before its answer, or not all arrive in time */
async function clickAll({
  port,
  connections,
  requests,
  expected,
  timeoutMs,
}: z.infer<typeof clicks>): Promise<LoadResult> {
  const pattern = new RegExp(expected)
  const tookMs: number[] = []
  const { promise: tooLate, reject: giveUp } = Promise.withResolvers<never>()
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const timer = setTimeout(() => {
    const counts = `${formatCount(tookMs.length)} of ${formatCount(requests.length)}`
    giveUp(new Error(`${counts} requests were answered within ${timeoutMs / 1000} s`))
  }, timeoutMs)
  try {
    const queue = requests.values()
    const take = () => queue.next().value
    const judge = (answer: string, ms: number) => {
      if (!pattern.test(answer)) {
        const text = Buffer.from(answer, 'latin1').toString()
        throw new Error(`a request was answered ${text.slice(0, 300)}`)
      }
      tookMs.push(ms)
    }
    const [startedAt, from] = [Date.now(), performance.now()]
    const all = Promise.all(sockets.map((socket) => clickOn(socket, take, judge)))
    await Promise.race([all, tooLate])
    return { startedAt, seconds: (performance.now() - from) / 1000, ...percentiles(tookMs) }
  } finally {
    clearTimeout(timer)
    for (const socket of sockets) socket.destroy()
  }
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ host: loopback, port, noDelay: true })
  await once(socket, 'connect')
  // A character for each byte: lengths count bytes.
  return socket.setEncoding('latin1')
}

/** Resolves when `take` returns no more requests and all were answered. */
function clickOn(
  socket: Socket,
  take: () => string | undefined,
  judge: (answer: string, ms: number) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let [received, sentAt] = ['', 0]
  const send = () => {
    const request = take()
    if (request === undefined) return resolve()
    sentAt = performance.now()
    socket.write(request)
  }
  socket.on('data', (text: string) => {
    try {
      const first = parseFirstAnswer(received + text)
      received = first?.rest ?? received + text
      if (first === undefined) return
      judge(first.answer, performance.now() - sentAt)
      send()
    } catch (failure) {
      reject(failure)
    }
  })
  socket.once('error', reject)
  socket.once('close', () => reject(new Error('a connection was closed before its request was answered')))
  send()
  return promise
}
