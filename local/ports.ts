/**
 * Ports on the loopback interface: picking a free one, and waiting until a program answers on it.
 */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

export const loopback = '127.0.0.1'

/**
 * A port that is free at this moment. Another process may take it before we do, so be ready to
 * retry.
 */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, loopback)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  return address.port
}

/** Whether a program accepts TCP connections there. */
export function answers(port: number, host = loopback): Promise<boolean> {
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
 * Resolves when the port accepts connections, or with `gone`'s value if that comes first, or with
 * 'timeout'.
 * @param gone settles when the program that should listen has ended
 */
export async function untilItAnswers<T>(
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
    if (await answers(port)) return 'ready'
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return 'timeout'
}
