import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FaultProxy, startFaultProxy } from '../../local/fault-proxy.ts'

/** Answers each line in capitals, and records the requests. */
async function startEcho(): Promise<{ server: Server; port: number; received: string[] }> {
  const received: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      received.push(chunk.toString())
      socket.write(chunk.toString().toUpperCase())
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { server, port: address.port, received }
}

describe('the fault proxy', () => {
  let echo: Awaited<ReturnType<typeof startEcho>>
  let proxy: FaultProxy
  let dice = 0
  const sockets: Socket[] = []

  const open = () => {
    const socket = connect(proxy.port, '127.0.0.1')
    sockets.push(socket)
    return socket
  }
  /** The reply to `text`, or the code of the error instead. */
  const ask = async (text: string, socket = open()): Promise<string> => {
    const outcome = new Promise<string>((resolve) => {
      socket.once('data', (chunk) => resolve(chunk.toString()))
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      socket.once('close', () => resolve('closed'))
    })
    socket.write(text)
    return outcome
  }

  beforeEach(async () => {
    dice = 0
    echo = await startEcho()
    proxy = await startFaultProxy({ targetPort: echo.port, random: () => dice })
  })
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await proxy.stop()
    await new Promise((resolve) => echo.server.close(resolve))
  })

  it('passes bytes both ways, and many of them, without a fault', async () => {
    expect(await ask('hello')).toBe('HELLO')
    const socket = open()
    const big = 'x'.repeat(3_000_000)
    let got = 0
    const done = new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        got += chunk.length
        if (got === big.length) resolve()
      })
    })
    socket.write(big)
    await done
    expect(got).toBe(big.length)
  })

  it('passes the end of a side on', async () => {
    const socket = open()
    expect(await ask('bye', socket)).toBe('BYE')
    socket.end()
    await once(socket, 'close')
  })

  it('resets old and new connections when down, and serves again after the fault', async () => {
    const old = open()
    expect(await ask('a', old)).toBe('A')
    const broken = once(old, 'error')
    proxy.set({ mode: 'down' })
    expect((await broken)[0]).toMatchObject({ code: 'ECONNRESET' })
    expect(await ask('b')).toBe('ECONNRESET')
    proxy.set(null)
    expect(await ask('c')).toBe('C')
    expect(echo.received).toEqual(['a', 'c'])
  })

  it('lets the request reach the target when the reply is lost (I5)', async () => {
    proxy.set({ mode: 'lost-reply' })
    expect(await ask('take one')).toBe('ECONNRESET')
    expect(echo.received).toEqual(['take one'])
  })

  it('loses only the given share of replies', async () => {
    proxy.set({ mode: 'lost-reply', rate: 0.5 })
    dice = 0.7
    expect(await ask('a')).toBe('A')
    dice = 0.3
    expect(await ask('b')).toBe('ECONNRESET')
  })

  it('does not mistake "100 Continue" for the reply that is to be lost', async () => {
    proxy.set({ mode: 'lost-reply' })
    const socket = open()
    expect(await ask('http/1.1 100 continue', socket)).toBe('HTTP/1.1 100 CONTINUE')
    expect(await ask('the rest', socket)).toBe('ECONNRESET')
    expect(echo.received).toEqual(['http/1.1 100 continue', 'the rest'])
  })

  it('delays what clients send when slow, without changing its order', async () => {
    const socket = open()
    proxy.set({ mode: 'slow', latencyMs: 60 })
    const first = ask('one', socket)
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(echo.received).toEqual([])
    proxy.set(null)
    socket.write(' two')
    expect(await first).toMatch(/^ONE/)
    while (echo.received.join('') !== 'one two') await new Promise((resolve) => setTimeout(resolve, 5))
  })

  it('swallows everything as a black hole, and resets it after the fault', async () => {
    const old = open()
    expect(await ask('a', old)).toBe('A')
    proxy.set({ mode: 'blackhole' })
    const lost = [ask('b', old), ask('c')]
    const silence = new Promise((resolve) => setTimeout(() => resolve('silence'), 50))
    expect(await Promise.race([...lost, silence])).toBe('silence')
    proxy.set(null)
    expect(await Promise.all(lost)).toEqual(['ECONNRESET', 'ECONNRESET'])
    expect(echo.received).toEqual(['a'])
    expect(await ask('d')).toBe('D')
  })

  it('ends the fault after the given time', async () => {
    proxy.set({ mode: 'down', forMs: 30 })
    expect(await ask('a')).toBe('ECONNRESET')
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(await ask('b')).toBe('B')
  })

  it('ignores the timer of a fault that was replaced', async () => {
    proxy.set({ mode: 'slow', forMs: 20 })
    proxy.set({ mode: 'down' })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await ask('a')).toBe('ECONNRESET')
  })

  it('resets the client when the target does not listen', async () => {
    const nowhere = await startFaultProxy({ targetPort: 1 })
    const socket = connect(nowhere.port, '127.0.0.1')
    const [error] = await once(socket, 'error')
    expect(error).toMatchObject({ code: 'ECONNRESET' })
    await nowhere.stop()
  })
})
