/**
 * The load in a process of its own, the same for every system: each connection sends its next request when the one
 * before was answered. An answer of another kind than the wanted one ends it.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type * as z from 'zod/mini'
import { loopback } from '../../../local/ports.ts'
import { serveParent } from '../../../local/process/rpc.ts'
import { percentiles, spelled } from '../statistics.ts'
import { type Clicked, clicks } from './clicks.ts'
import { firstAnswerIn } from './http-text.ts'

serveParent({ click: (params) => clickAll(clicks.parse(params)) }, async () => {})

/** @throws when an answer is not the wanted one, a connection ends before it, or not all came in time */
async function clickAll({ port, connections, requests, wanted, withinMs }: z.infer<typeof clicks>): Promise<Clicked> {
  const pattern = new RegExp(wanted)
  const tookMs: number[] = []
  const { promise: tooLate, reject: giveUp } = Promise.withResolvers<never>()
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const timer = setTimeout(() => {
    const counts = `${spelled(tookMs.length)} of ${spelled(requests.length)}`
    giveUp(new Error(`${counts} requests were answered within ${withinMs / 1000} s`))
  }, withinMs)
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

/** Resolves when `take` has no more requests and all were answered. */
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
      const first = firstAnswerIn(received + text)
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
