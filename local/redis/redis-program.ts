/**
 * Chooses the Redis to run. The Lua scripts decide which shopper gets a unit, so they run in a real
 * Redis wherever possible; only without a program and without apt a JavaScript replacement is used,
 * with a warning.
 */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { loopback } from '../ports.ts'
import { type ProgramPackage, unpackedProgram } from './distribution-package.ts'

/** The server is in redis-tools (redis-server links to it). */
export const redisPackage: ProgramPackage = {
  name: 'redis-server',
  packages: ['redis-server', 'redis-tools'],
  linked: 'redis-tools',
  version: '--version',
}

export type RedisProgram = {
  kind: 'redis-server' | 'js-redis-server'
  command: string
  /** @param dataDir keeps the data there, synced to disk every second; undefined keeps nothing */
  args(port: number, dataDir: string | undefined): string[]
  env: NodeJS.ProcessEnv
}

/**
 * REDIS_SERVER_BIN, else redis-server on the PATH, else one unpacked from the distribution, else
 * the replacement.
 */
export async function findRedis(
  env: NodeJS.ProcessEnv,
  cacheDir: string,
  log: (line: string) => void,
): Promise<RedisProgram> {
  const command = env.REDIS_SERVER_BIN || onPath('redis-server', env.PATH ?? '')
  if (command) return { kind: 'redis-server', command, args: realArgs, env }
  try {
    const unpacked = await unpackedProgram(cacheDir, redisPackage, log)
    if (unpacked !== undefined) {
      const withLibraries = { ...env, LD_LIBRARY_PATH: unpacked.libraryPath }
      return { kind: 'redis-server', command: unpacked.binary, args: realArgs, env: withLibraries }
    }
  } catch (error) {
    log(`redis-server could not be unpacked: ${error instanceof Error ? error.message.trim() : error}`)
  }
  log(
    'WARNING: using js-redis-server, a JavaScript replacement. It is slow under load and keeps no data: ' +
      'install redis-server, or set REDIS_SERVER_BIN or REDIS_URL, for real use.',
  )
  return { kind: 'js-redis-server', command: process.execPath, args: standInArgs, env }
}

export function onPath(name: string, path: string): string | undefined {
  for (const folder of path.split(delimiter)) {
    if (folder === '') continue
    const file = join(folder, name)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // Not in this folder: try the next.
    }
  }
  return undefined
}

function realArgs(port: number, dataDir: string | undefined): string[] {
  const durable =
    dataDir === undefined
      ? ['--appendonly', 'no']
      : ['--appendonly', 'yes', '--appendfsync', 'everysec', '--dir', dataDir]
  return ['--port', String(port), '--bind', loopback, '--save', '', '--daemonize', 'no', ...durable]
}

function standInArgs(port: number): string[] {
  return [join(import.meta.dirname, 'redis-stand-in.ts'), String(port)]
}
