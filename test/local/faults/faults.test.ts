/** Faults between two parts: every kind, in front of a program and of an HTTP server. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import { startFaultProxy } from '../../../local/faults/fault-proxy.ts'
import type { FaultyConnection } from '../../../local/faults/faults.ts'
import { listen } from '../../../local/listen.ts'
import { useStops } from '../../stops.ts'

let dice = 0
beforeEach(() => {
  dice = 0
})
const stops = useStops()

/** A part that answers in capitals and records the requests, behind `faults`. */
type Broken = {
  faults: FaultyConnection
  received: string[]
  /** The reply to `text`, or the code of the error instead. */
  ask: (text: string) => Promise<string>
}

async function behindProxy(): Promise<Broken & { open: () => Socket }> {
  const received: string[] = []
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      received.push(chunk.toString())
      socket.write(chunk.toString().toUpperCase())
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const faults = await startFaultProxy({ targetPort: address.port, random: () => dice })
  stops.push(() => new Promise((resolve) => server.close(resolve)), faults.stop)
  const open = () => {
    const socket = connect(faults.port, '127.0.0.1')
    stops.push(() => socket.destroy())
    return socket
  }
  return { faults, received, open, ask: (text) => askOn(open(), text) }
}

/** The whole reply, which is as long as `text`. */
function askOn(socket: Socket, text: string): Promise<string> {
  const outcome = new Promise<string>((resolve) => {
    let reply = ''
    socket.on('data', (chunk) => {
      reply += chunk
      if (reply.length >= text.length) resolve(reply)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    socket.once('close', () => resolve('closed'))
  })
  socket.write(text)
  return outcome
}

async function beforeHttp(): Promise<Broken> {
  const received: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push(body)
    response.writeHead(200).end(body.toUpperCase())
  })
  const { port, stop } = await listen(server, 0)
  const faults = await startFaultProxy({ targetPort: port, random: () => dice })
  stops.push(stop, faults.stop)
  const ask = async (text: string): Promise<string> => {
    try {
      return await (await fetch(`http://127.0.0.1:${faults.port}/`, { method: 'POST', body: text })).text()
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } }
      return cause?.code ?? String(error)
    }
  }
  return { faults, received, ask }
}

/** Longer than a connection takes on a busy machine: a request that has not arrived would look swallowed. */
const silence = () => new Promise<string>((resolve) => setTimeout(() => resolve('silence'), 500))

describe.each<[string, () => Promise<Broken>]>([
  ['a program', behindProxy],
  ['an HTTP server', beforeHttp],
])('the fault proxy before %s', (_, start) => {
  it('passes requests and replies on without a fault, also large ones', async () => {
    const { ask } = await start()
    expect(await ask('hello')).toBe('HELLO')
    expect(await ask('x'.repeat(3_000_000))).toHaveLength(3_000_000)
  })

  it('resets connections when down, and serves again after the fault', async () => {
    const { faults, ask, received } = await start()
    expect(await ask('a')).toBe('A')
    faults.set({ mode: 'down' })
    expect(await ask('b')).toBe('ECONNRESET')
    faults.set(null)
    expect(await ask('c')).toBe('C')
    expect(received).toEqual(['a', 'c'])
  })

  it('executes the request whose reply is lost (I5), and loses only the given share', async () => {
    const { faults, ask, received } = await start()
    faults.set({ mode: 'lost-reply' })
    expect(await ask('take one')).toBe('ECONNRESET')
    faults.set({ mode: 'lost-reply', rate: 0.5 })
    dice = 0.7
    expect(await ask('take two')).toBe('TAKE TWO')
    dice = 0.3
    expect(await ask('take three')).toBe('ECONNRESET')
    expect(received).toEqual(['take one', 'take two', 'take three'])
  })

  it('delays requests when slow', async () => {
    const { faults, ask, received } = await start()
    faults.set({ mode: 'slow', latencyMs: 1000 })
    const reply = ask('late')
    expect(await Promise.race([reply, silence()])).toBe('silence')
    expect(received).toEqual([])
    expect(await reply).toBe('LATE')
  })

  it('swallows everything as a black hole, and resets it after the fault', async () => {
    const { faults, ask, received } = await start()
    faults.set({ mode: 'blackhole' })
    const lost = ask('a')
    expect(await Promise.race([lost, silence()])).toBe('silence')
    faults.set(null)
    expect(await lost).toBe('ECONNRESET')
    expect(received).toEqual([])
    expect(await ask('b')).toBe('B')
  })

  it('ends the fault after the given time', async () => {
    const { faults, ask } = await start()
    faults.set({ mode: 'down', forMs: 3000 })
    expect(await ask('a')).toBe('ECONNRESET')
    await expect.poll(() => ask('b')).toBe('B')
  })
})

describe('a connection through the fault proxy', () => {
  it('that is open is reset when it is down, and swallows what is sent into a black hole', async () => {
    const { faults, open, received } = await behindProxy()
    const [old, other] = [open(), open()]
    expect([await askOn(old, 'a'), await askOn(other, 'b')]).toEqual(['A', 'B'])
    const broken = once(old, 'error')
    faults.set({ mode: 'blackhole' })
    other.write('lost')
    expect(await Promise.race([once(other, 'data'), silence()])).toBe('silence')
    faults.set({ mode: 'down' })
    expect((await broken)[0]).toMatchObject({ code: 'ECONNRESET' })
    expect(received).toEqual(['a', 'b'])
  })

  it('passes the end of a side on', async () => {
    const socket = (await behindProxy()).open()
    expect(await askOn(socket, 'bye')).toBe('BYE')
    socket.end()
    await once(socket, 'close')
  })

  it('does not mistake "100 Continue" for the reply that is to be lost', async () => {
    const { faults, open, received } = await behindProxy()
    faults.set({ mode: 'lost-reply' })
    const socket = open()
    expect(await askOn(socket, 'http/1.1 100 continue')).toBe('HTTP/1.1 100 CONTINUE')
    expect(await askOn(socket, 'the rest')).toBe('ECONNRESET')
    expect(received).toEqual(['http/1.1 100 continue', 'the rest'])
  })

  it('keeps the order of what was delayed', async () => {
    const { faults, open, received } = await behindProxy()
    const socket = open()
    faults.set({ mode: 'slow', latencyMs: 60 })
    const first = askOn(socket, 'one')
    // Its first bytes are at the proxy.
    await silence()
    faults.set(null)
    socket.write(' two')
    expect(await first).toMatch(/^ONE/)
    await expect.poll(() => received.join('')).toBe('one two')
  })

  it('ignores the timer of a fault that was replaced', async () => {
    const { faults, ask } = await behindProxy()
    faults.set({ mode: 'slow', forMs: 20 })
    faults.set({ mode: 'down' })
    await silence()
    expect(await ask('a')).toBe('ECONNRESET')
  })

  it('closes a connection that has been idle, at both ends, and not one that is silenced', async () => {
    const target = createTcpServer().listen(0, '127.0.0.1')
    await once(target, 'listening')
    const { port } = target.address() as { port: number }
    const short = await startFaultProxy({ targetPort: port, idleMs: 50 })
    stops.push(() => new Promise((resolve) => target.close(resolve)), short.stop)
    const accepted = once(target, 'connection')
    const idle = connect(short.port, '127.0.0.1').resume()
    const [behind] = (await accepted) as [Socket]
    await Promise.all([once(idle, 'close'), once(behind.resume(), 'close')])

    short.set({ mode: 'blackhole' })
    const silenced = connect(short.port, '127.0.0.1').resume()
    silenced.write('a')
    await silence()
    await silence()
    expect(silenced.readyState).toBe('open')
    silenced.destroy()
  })

  it('resets the client when the target does not listen', async () => {
    const nowhere = await startFaultProxy({ targetPort: 1 })
    stops.push(nowhere.stop)
    const [error] = await once(connect(nowhere.port, '127.0.0.1'), 'error')
    expect(error).toMatchObject({ code: 'ECONNRESET' })
  })
})
