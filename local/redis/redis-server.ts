/** Starts a Redis on this machine. */
import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChildExit } from '../child.ts'
import { startListeningChild } from '../listening-child.ts'
import { loopback } from '../ports.ts'
import { openLink, type RedisEndpoint } from '../upstash/link.ts'
import { RedisError } from '../upstash/resp.ts'
import { findRedis, type RedisProgram } from './redis-program.ts'

export type RunningRedis = {
  host: string
  port: number
  /** The Unix socket on which it also listens, if requested. */
  path?: string
  version: string
  kind: RedisProgram['kind']
  stop(): Promise<void>
  /** Kills the server without a clean shutdown, like a crash. */
  kill(): Promise<void>
}

export type RedisOptions = {
  /** 0, the default, takes a free port. */
  port?: number
  /** Stores the data here (append-only file, synced every second); without it the data ends with the server. */
  dataDir?: string
  /** A Unix socket on which a real Redis also listens. */
  path?: string
  /** The cache for an unpacked redis-server. Default `.cache/redis` of this project. */
  cacheDir?: string
  /** The source of REDIS_SERVER_BIN and PATH. Default: this process's environment. */
  env?: NodeJS.ProcessEnv
  log?: (line: string) => void
  /** Called if the server ends by itself. */
  onExit?: (exit: ChildExit) => void
}

/** Deletes the data of a stopped server in `dataDir`. */
export async function deleteRedisData(dataDir: string): Promise<void> {
  await rm(join(dataDir, 'appendonlydir'), { recursive: true, force: true })
}

const defaultCacheDir = join(import.meta.dirname, '../../.cache/redis')

let program: Promise<RedisProgram> | undefined

/** Finds or unpacks the Redis of this machine once; `npm start` calls it while it builds. */
export function findRedisOnce(log: (line: string) => void): Promise<RedisProgram> {
  program ??= findRedis(process.env, defaultCacheDir, log)
  return program
}

/**
 * Resolves once Redis is ready.
 * @throws PortTaken, or an error with the reason why there is no Redis
 */
export async function startRedis(options: RedisOptions = {}): Promise<RunningRedis> {
  const { port = 0, dataDir, path, cacheDir, env = process.env, log = () => {}, onExit } = options
  const isUsual = cacheDir === undefined && options.env === undefined
  const program = await (isUsual ? findRedisOnce(log) : findRedis(env, cacheDir ?? defaultCacheDir, log))
  if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true })
  const hasSocket = path !== undefined && program.kind === 'redis-server'
  const child = await startListeningChild({
    name: 'Redis',
    command: program.command,
    args: (chosen) => [...program.args(chosen, dataDir), ...(hasSocket ? ['--unixsocket', path] : [])],
    env: program.env,
    port,
    onExit,
  })
  const address = { host: loopback, port: child.port }
  try {
    return {
      ...address,
      ...(hasSocket && { path }),
      version: await readyVersion(address),
      kind: program.kind,
      stop: child.stop,
      kill: child.kill,
    }
  } catch (cause) {
    await child.stop()
    // It listens before it opens its file, which fails on a full disk.
    const { lastLines } = await child.exited
    throw new Error(`Redis did not start: ${lastLines.at(-1)}`, { cause })
  }
}

const loadingLimitMs = 60_000

/** Returns the version once Redis has loaded its data; until then it answers LOADING to every command. */
async function readyVersion(address: RedisEndpoint): Promise<string> {
  const link = openLink(address)
  const deadline = Date.now() + loadingLimitMs
  try {
    for (;;) {
      const [pong, info] = await link.send([['PING'], ['INFO', 'server']])
      if (!(pong instanceof RedisError)) return /redis_version:(\S+)/.exec(String(info))?.[1] ?? 'unknown'
      const isLoading = pong.message.startsWith('LOADING') && Date.now() < deadline
      if (!isLoading) throw new Error(`Redis answers ${pong.message}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  } finally {
    link.close()
  }
}
