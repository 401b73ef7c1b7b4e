/** Starts a program that listens on a port and waits until it does, or reports why it does not. */
import { type ChildExit, type GuardedChild, spawnChild } from './child.ts'
import { PortTaken } from './listen.ts'
import { acceptsConnections, freePort, loopback, waitUntilListening } from './ports.ts'

export type ListeningChild = { port: number } & Pick<GuardedChild, 'stop' | 'kill' | 'exited'>

export type ListeningChildOptions = {
  /** The program's name in messages. */
  name: string
  command: string
  args(port: number): string[]
  env: NodeJS.ProcessEnv
  niceness?: number
  /** 0 takes a free port. */
  port: number
  /** Called if the program ends by itself after it started to listen. */
  onExit?: ((exit: ChildExit) => void) | undefined
}

const startLimitMs = 15_000

/**
 * Starts the program.
 * @throws PortTaken, or an error with the program's last lines
 */
export async function startListeningChild(options: ListeningChildOptions): Promise<ListeningChild> {
  if (options.port !== 0 && (await acceptsConnections(options.port))) throw new PortTaken(options.port)
  // Another program may take a free port before this one listens, so two more ports are tried.
  let attemptsLeft = options.port === 0 ? 3 : 1
  for (;;) {
    const port = options.port === 0 ? await freePort() : options.port
    const started = await startOnce(options, port)
    if (typeof started !== 'string') return started
    attemptsLeft -= 1
    if (attemptsLeft === 0) throw new Error(`${options.name} did not start on ${loopback}:${port}: ${started}`)
  }
}

/** Returns the running child, or why it does not run. */
async function startOnce(options: ListeningChildOptions, port: number): Promise<ListeningChild | string> {
  let listening = false
  const child = spawnChild({
    command: options.command,
    args: options.args(port),
    env: options.env,
    ...(options.niceness !== undefined && { niceness: options.niceness }),
    onExit: (exit) => {
      if (listening) options.onExit?.(exit)
    },
  })
  const outcome = await waitUntilListening(port, child.exited, startLimitMs)
  if (outcome === 'ready') {
    listening = true
    return { port, stop: child.stop, kill: child.kill, exited: child.exited }
  }
  await child.stop()
  const { lastLines } = await child.exited
  const words = lastLines.slice(-3).join(' / ')
  return outcome === 'timeout' ? `no answer within ${startLimitMs / 1000} s. ${words}` : words
}
