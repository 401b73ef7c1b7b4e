/**
 * A TCP proxy with injectable faults. Without a fault it only forwards bytes; with one it behaves like a faulty
 * network, up to the worst case: the request is executed and the reply is lost.
 */
import { connect, createServer, type Socket } from 'node:net'
import { listen } from '../listen.ts'
import { loopback } from '../ports.ts'
import { defaultLatencyMs, type FaultSettings, type FaultyConnection, openFaultSwitch } from './faults.ts'

export type FaultProxyOptions = {
  targetPort: number
  /** Default 127.0.0.1. */
  targetHost?: string
  /** 0, the default, takes a free port. */
  port?: number
  /**
   * Closes connections that are idle for longer; the local DynamoDB closes none. Each function of a process has its own
   * pool of up to 50 connections (the SDK's default), and without this limit all of them stay open.
   */
  idleMs?: number
  /** Returns numbers in [0, 1), for a fault's `rate`. Default Math.random. */
  random?: () => number
}

/**
 * Starts the proxy.
 * @throws PortTaken
 */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultyConnection> {
  const { targetPort, targetHost = loopback, port = 0, idleMs = 20_000, random = Math.random } = options
  const lines = new Set<Line>()
  const resetAll = () => {
    for (const line of [...lines]) line.reset()
  }
  const faults = openFaultSwitch((fault) => {
    if (fault?.mode === 'down') resetAll()
    if (fault?.mode !== 'blackhole') for (const line of [...lines]) line.resetIfSwallowed()
  }, random)

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const line = openLine(client, { host: targetHost, port: targetPort }, faults.nextFault)
    lines.add(line)
    client.setTimeout(idleMs, line.endIfIdle)
    client.once('close', () => lines.delete(line))
  })
  const listening = await listen(server, port)

  return {
    port: listening.port,
    set: faults.set,
    async stop() {
      faults.close()
      const closed = listening.stop()
      resetAll()
      await closed
    },
  }
}

type Line = { reset(): void; resetIfSwallowed(): void; endIfIdle(): void }

/** Connects a client to the target. */
function openLine(client: Socket, target: { host: string; port: number }, nextFault: () => FaultSettings | null): Line {
  const upstream = connect({ ...target, allowHalfOpen: true, noDelay: true })
  let swallowed = false
  let loseReply = false
  let late: Promise<void> | undefined

  const reset = () => {
    if (!client.destroyed) client.resetAndDestroy()
    upstream.destroy()
  }
  const forward = (from: Socket, to: Socket, chunk: Buffer) => {
    if (to.destroyed || to.write(chunk)) return
    from.pause()
    to.once('drain', () => from.resume())
  }
  /** Runs `act` after the delay, and after earlier delayed work, so that bytes keep their order. */
  const delay = (latencyMs: number, act: () => void) => {
    const due = new Promise<void>((resolve) => setTimeout(resolve, latencyMs))
    const queued: Promise<void> = Promise.all([late, due]).then(() => {
      act()
      if (late === queued) late = undefined
    })
    late = queued
  }

  client.on('data', (chunk) => {
    if (swallowed) return
    const fault = nextFault()
    if (fault?.mode === 'down') return reset()
    if (fault?.mode === 'blackhole') {
      swallowed = true
      return
    }
    if (fault?.mode === 'lost-reply') loseReply = true
    const latencyMs = fault?.mode === 'slow' ? (fault.latencyMs ?? defaultLatencyMs) : 0
    if (latencyMs > 0 || late !== undefined) delay(latencyMs, () => forward(client, upstream, chunk))
    else forward(client, upstream, chunk)
  })
  upstream.on('data', (chunk) => {
    // Replies to requests before the black hole are lost too.
    if (nextFault()?.mode === 'blackhole') swallowed = true
    if (swallowed) return
    // "100 Continue" only requests the body; the real reply follows.
    if (loseReply && !chunk.subarray(0, 12).equals(invitation)) reset()
    else forward(upstream, client, chunk)
  })
  client.on('end', () => {
    if (late === undefined) upstream.end()
    else delay(0, () => upstream.end())
  })
  upstream.on('end', () => {
    if (!swallowed) client.end()
  })
  for (const socket of [client, upstream]) socket.on('error', reset)
  client.once('close', () => upstream.destroy())
  if (nextFault()?.mode === 'down') reset()

  return {
    reset,
    resetIfSwallowed() {
      if (swallowed) reset()
    },
    endIfIdle() {
      if (swallowed || late !== undefined) return
      client.end()
      upstream.end()
    },
  }
}

const invitation = Buffer.from('HTTP/1.1 100')
