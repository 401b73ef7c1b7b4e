/** Ports on the loopback interface: finds a free one, and waits until a program listens on it. */
import { connect, createServer } from 'node:net'

export const loopback = '127.0.0.1'

/** Returns the port of `url`, where a part listened before; 0 (any free port) for a first start. */
export const portOf = (url: string | undefined): number => (url === undefined ? 0 : Number(new URL(url).port))

/** Below the ephemeral ports of outgoing connections. */
const firstPort = 12_000
const portsPerProcess = 50
const processes = 400

let chosen = 0

/**
 * Returns a port that is free at this moment. Each process chooses from its own range: if two processes chose the same
 * port, both would reach the program that listens first. Another program may take the port before the caller listens,
 * so the caller must be ready to retry.
 */
export async function freePort(): Promise<number> {
  const first = firstPort + (process.pid % processes) * portsPerProcess
  for (let tries = 0; tries < portsPerProcess; tries += 1) {
    const port = first + (chosen % portsPerProcess)
    chosen += 1
    if (await isFree(port)) return port
  }
  throw new Error(`Other programs use all ports from ${first} to ${first + portsPerProcess - 1}.`)
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, loopback, () => server.close(() => resolve(true)))
  })
}

/** True when a program accepts TCP connections there. */
export function acceptsConnections(port: number, host = loopback): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host })
    const end = (result: boolean) => {
      socket.destroy()
      resolve(result)
    }
    socket.setTimeout(1000, () => end(false))
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}

/**
 * Resolves with 'ready' when the port accepts connections, with `gone`'s value if that settles first, or with
 * 'timeout'.
 * @param gone settles when the program that should listen has ended
 */
export async function waitUntilListening<T>(
  port: number,
  gone: Promise<T>,
  timeoutMs: number,
): Promise<'ready' | 'timeout' | T> {
  let ended: { value: T } | undefined
  void gone.then((value) => {
    ended = { value }
  })
  const deadline = Date.now() + timeoutMs
  while (Date.now() < deadline) {
    if (ended !== undefined) return ended.value
    if (await acceptsConnections(port)) return 'ready'
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return 'timeout'
}
