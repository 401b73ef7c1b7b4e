/**
 * Runs another project in this process: it starts the project's programs and stores, empties the stores before each
 * round, and pauses the programs while another system is measured. When the measurement ends in any way, it ends all of
 * them and deletes their files.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { type ChildExit, reasonOf, spawnChild } from '../../../local/child.ts'
import { type ListeningChild, startListeningChild } from '../../../local/listening-child.ts'
import { serveParent } from '../../../local/process/rpc.ts'
import { findProcesses, type ProcessParts, readProcessorTime } from '../processor-time.ts'
import { formatCount } from '../statistics.ts'

/** The sources of a project, and a folder for its files. `stopLater` registers a part to be stopped at the end. */
export type PeerContext = { folder: string; dir: string; stopLater<T extends { stop(): Promise<void> }>(part: T): T }

/** `seen` counts the orders of the offer in its database; `lastAt` is the time of the last one, epoch ms. */
type PeerOrders = { seen: number; lastAt: number }

export type PeerSystem = {
  /** The port of its API. */
  port: number
  /** Empties the stores while all programs are paused. */
  empty(): Promise<void>
  /** Puts `stock` units on sale. */
  offer(stock: number): Promise<void>
  orders(): Promise<PeerOrders>
}

const settings = z.object({ folder: z.string() })
const offer = z.object({ stock: z.number(), programs: z.array(z.string()) })
const writing = z.object({ count: z.number(), timeoutMs: z.number() })

/** Each program is killed three seconds after it was asked to end; the files are deleted last. */
export const peerStopMs = 30_000

/** Short compared with a round: polling counts towards the measured time. */
const pollMs = 100

/** Serves one project; `programs` are the parts that run its own code. */
export function servePeer(
  { parts, programs }: { parts: ProcessParts; programs: readonly string[] },
  start: (context: PeerContext) => Promise<PeerSystem>,
): void {
  const running: { stop(): Promise<void> }[] = []
  let system: PeerSystem | undefined
  const started = () => {
    if (system === undefined) throw new Error('the project has not been started')
    return system
  }
  /** Resumes these programs and pauses the others with signals. */
  const run = (names: readonly string[]) => {
    for (const { part, pid } of findProcesses(parts)) {
      if (programs.includes(part)) process.kill(pid, names.includes(part) ? 'SIGCONT' : 'SIGSTOP')
    }
  }
  serveParent(
    {
      async start(params) {
        const { folder } = settings.parse(params)
        const dir = await mkdtemp(join(tmpdir(), 'sluice-peer-'))
        running.push({ stop: () => rm(dir, { recursive: true, force: true }) })
        // A database may have to run as another user.
        await chmod(dir, 0o755)
        system = await start({
          folder,
          dir,
          stopLater: (part) => {
            running.push(part)
            return part
          },
        })
        run([])
        return { port: system.port }
      },
      async offer(params) {
        const { stock, programs: names } = offer.parse(params)
        await started().empty()
        run(names)
        await started().offer(stock)
        return null
      },
      async rest() {
        run([])
        return null
      },
      untilWritten: async (params) => untilWritten(started(), writing.parse(params)),
      processorTime: async () => Object.fromEntries(readProcessorTime(parts)),
    },
    async () => {
      run(programs)
      for (const part of running.toReversed()) await part.stop()
    },
    peerStopMs,
  )
}

async function untilWritten(system: PeerSystem, { count, timeoutMs }: z.infer<typeof writing>): Promise<number> {
  for (const deadline = performance.now() + timeoutMs; ; await sleep(pollMs)) {
    const { seen, lastAt } = await system.orders()
    if (seen >= count) return lastAt
    if (performance.now() > deadline) {
      throw new Error(`${formatCount(seen)} of ${formatCount(count)} orders were written within ${timeoutMs / 1000} s`)
    }
  }
}

/** `args` are those of Node; `cwd` is below the folder of the project. */
type PeerProgram = { name: string; cwd: string; args: readonly string[]; env: Record<string, string> }

// Standard error stays with the starter, which prints its last lines when the program ends.
const script = 'cd "$1" && log="$2" && export PORT="$3" && shift 3 && exec "$@" >"$log"'

const shellArgs = ({ dir }: PeerContext, { name, cwd, args }: PeerProgram, port: number) => [
  ...['-c', script, 'sh', cwd, join(dir, `${name}.log`), String(port)],
  ...[process.execPath, ...args],
]

const withOurs = ({ env }: PeerProgram) => ({ ...process.env, ...env })

/** Ends this process as its parent would, with all its children: without the program there is no measurement. */
const failed = (name: string) => (exit: ChildExit) => {
  console.error(`${name} has ended: ${reasonOf(exit)}`)
  process.disconnect()
}

/** Starts a program that listens on the port in `PORT`. */
export async function startPeerServer(context: PeerContext, program: PeerProgram): Promise<ListeningChild> {
  const { name } = program
  return context.stopLater(
    await startListeningChild({
      name,
      command: '/bin/sh',
      args: (port) => shellArgs(context, program, port),
      env: withOurs(program),
      port: 0,
      onExit: failed(name),
    }),
  )
}

/** Starts a program without a port. */
export function startPeerWorker(context: PeerContext, program: PeerProgram): void {
  const { name } = program
  const args = shellArgs(context, program, 0)
  context.stopLater(spawnChild({ command: '/bin/sh', args, env: withOurs(program), onExit: failed(name) }))
}
