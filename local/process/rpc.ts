/**
 * RPC between the main process and the hosts that it forks: numbered messages over Node's IPC channel. The channel
 * closes when either side dies in any way, and a host whose channel closed exits.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'

/** The cache folder for compiled code. */
export const compileCache = fileURLToPath(new URL('../../.cache/compile', import.meta.url))

const call = z.object({ id: z.number(), method: z.string(), params: z.unknown() })
const reply = z.object({ id: z.number(), value: z.optional(z.unknown()), failure: z.optional(z.string()) })
/** Reports why a line of the output was lost. */
const lostLine = z.object({ lost: z.string() })

export type Host = {
  /**
   * Calls the host's method `start`. A restarted host gets the same settings, with the first answer as `before`, so
   * that it listens at the same addresses.
   */
  start<S extends z.ZodMiniType>(settings: object, schema: S): Promise<z.output<S>>
  /** Calls a method of the host; validates the answer with `schema`. Rejects with the host's error message. */
  call<S extends z.ZodMiniType>(method: string, params: unknown, schema: S): Promise<z.output<S>>
  /** Closes the channel, kills the host after `patienceMs`, and waits until it has ended. */
  stop(patienceMs: number): Promise<void>
}

/** Where a host's output goes: to this process's own outputs, or to an open file. */
export type HostOutput = 'inherit' | number

/**
 * Forks `entry` (a file of this folder, or the URL of another one). `ended` is called with the reason if it ends before
 * `stop`; its second argument restarts it. `lostLine` is called with the reason when the output file cannot be written.
 */
export function startHost(
  entry: string,
  output: HostOutput,
  ended: (why: string, restart: () => Promise<void>) => void,
  lostLine: (why: string) => void = () => {},
): Host {
  let stopping = false
  let restarting = false
  let settings: object | undefined
  let before: unknown
  const run = (): Channel =>
    openChannel(entry, output, {
      ended(why) {
        // The end of a host during a restart is a failed start, which `restart` reports.
        if (!stopping && !restarting) ended(why, restart)
      },
      lostLine,
    })
  const restart = async () => {
    restarting = true
    channel = run()
    try {
      // A host that ended before `start` gets its settings from the caller later.
      if (settings !== undefined) await channel.call('start', { ...settings, before })
    } catch (failure) {
      await channel.stop(0)
      throw failure
    } finally {
      restarting = false
    }
  }
  let channel = run()
  return {
    async start(given, schema) {
      const answer = await channel.call('start', given)
      settings = given
      before = answer
      return schema.parse(answer)
    },
    call: async (method, params, schema) => schema.parse(await channel.call(method, params)),
    async stop(patienceMs) {
      stopping = true
      await channel.stop(patienceMs)
    },
  }
}

/** One process of a host. */
type Channel = { call(method: string, params: unknown): Promise<unknown>; stop(patienceMs: number): Promise<void> }

type ChannelEvents = { ended(why: string): void; lostLine(why: string): void }

function openChannel(entry: string, output: HostOutput, events: ChannelEvents): Channel {
  const child = fork(fileURLToPath(new URL(entry, import.meta.url)), {
    // Its own process group: Ctrl-C in the terminal reaches the main process alone, which stops the
    // parts in order.
    detached: true,
    stdio: ['ignore', output, output, 'ipc'],
    execArgv: ['--max-semi-space-size=32'],
    // The bundles are large and tests start often, so compiled code is cached.
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0
  child.on('message', (message) => {
    const read = z.union([reply, lostLine]).parse(message)
    if ('lost' in read) return events.lostLine(read.lost)
    const { id, value, failure } = read
    if (failure === undefined) waiting.get(id)?.resolve(value)
    else waiting.get(id)?.reject(new Error(failure))
    waiting.delete(id)
  })
  const exited = once(child, 'exit').then(([code, signal]) => {
    for (const { reject } of waiting.values()) reject(new Error(`${entry} has ended`))
    waiting.clear()
    events.ended(signal === null ? `exit code ${code}` : String(signal))
  })
  return {
    async call(method, params) {
      if (!child.connected) throw new Error(`${entry} has ended`)
      const answer = Promise.withResolvers<unknown>()
      lastId += 1
      waiting.set(lastId, answer)
      child.send({ id: lastId, method, params }, (failure) => {
        if (failure !== null) answer.reject(new Error(`${entry} has ended`, { cause: failure }))
      })
      return answer.promise
    },
    stop: (patienceMs) => leave(child, exited, patienceMs),
  }
}

async function leave(child: ChildProcess, exited: Promise<void>, patienceMs: number): Promise<void> {
  const force = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  if (child.connected) child.disconnect()
  await exited
  clearTimeout(force)
}

/**
 * Serves calls from the parent process. When the channel closes, because the parent called `stop` or died, it runs
 * `leave` and exits, at the latest after `leaveMs` (default two seconds).
 */
export function serveParent(
  methods: Record<string, (params: unknown) => Promise<unknown>>,
  leave: () => Promise<void>,
  leaveMs = 2000,
): void {
  const send = process.send?.bind(process)
  if (send === undefined) throw new Error('This file is started by local/stack.ts, not by hand.')
  process.on('message', async (message) => {
    const { id, method, params } = call.parse(message)
    try {
      const value = await methods[method]?.(params)
      if (process.connected) send({ id, value })
    } catch (failure) {
      if (process.connected) send({ id, failure: failure instanceof Error ? failure.stack : String(failure) })
    }
  })
  outliveFullDisk((lost) => process.connected && send({ lost }))
  process.on('disconnect', () => {
    // Without a parent to kill this process, leaving needs a limit of its own.
    setTimeout(() => process.exit(1), leaveMs).unref()
    leave().finally(() => process.exit(0))
  })
}

/** A full disk loses many lines, so they are reported at this interval. */
const reportEveryMs = 60_000

/** Keeps this process alive when its output file cannot be written, as on a full disk; Node would exit. */
function outliveFullDisk(report: (why: string) => void): void {
  let reportedAt = Number.NEGATIVE_INFINITY
  const outputs: (Writable & { fd: number })[] = [process.stdout, process.stderr]
  for (const output of outputs.filter((one) => !(one instanceof Socket))) {
    output._write = (line: Buffer, _, done) => {
      try {
        writeSync(output.fd, line)
      } catch (failure) {
        if (performance.now() - reportedAt >= reportEveryMs) {
          reportedAt = performance.now()
          report(String(failure))
        }
      }
      done()
    }
  }
}
