/**
 * Chooses the Redis to run. The Lua scripts decide which shopper gets a unit, so they run in a real Redis wherever
 * possible. A JavaScript replacement is used, with a warning, only when there is neither a program nor apt.
 */
import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { loopback } from '../ports.ts'

/** The binary is in redis-tools (redis-server links to it). */
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
 * Returns REDIS_SERVER_BIN, else redis-server on the PATH, else one unpacked from the distribution, else the
 * replacement.
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
      'install redis-server, or set REDIS_SERVER_BIN, for real use.',
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

const run = promisify(execFile)

/**
 * A program and the folder of its shared libraries, unpacked without root from the distribution's package into a folder
 * of the project: apt stores its lists and downloads there, and dpkg only extracts. Nothing else on the machine
 * changes.
 */
type UnpackedProgram = { binary: string; libraryPath: string }

/**
 * `packages` contain the program; the libraries of `linked` are unpacked too. `version` is the option that prints the
 * version, to test the unpacked program.
 */
type ProgramPackage = { name: string; packages: readonly string[]; linked: string; version: string }

const aptGet = '/usr/bin/apt-get'
const aptCache = '/usr/bin/apt-cache'
const dpkg = '/usr/bin/dpkg'

/** A separate PATH, on which dpkg finds tar and its helpers. */
const systemPath = '/usr/sbin:/usr/bin:/sbin:/bin'

/** Debian's library folders by architecture. */
const libraryFolder: Record<string, string> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }

/**
 * Returns the program under `cacheDir`; unpacks it if it is missing (Redis: about two seconds, 5 MB over the network).
 * Undefined where there is no apt. Two processes may do this at once: each unpacks into its own folder, and the first
 * rename wins.
 * @throws when apt exists but the package cannot be downloaded, for instance without a network
 */
export async function unpackedProgram(
  cacheDir: string,
  program: ProgramPackage,
  log: (line: string) => void,
): Promise<UnpackedProgram | undefined> {
  const folder = libraryFolder[process.arch]
  if (process.platform !== 'linux' || folder === undefined) return undefined
  const at = (root: string): UnpackedProgram => ({
    binary: join(root, 'usr/bin', program.name),
    libraryPath: join(root, 'usr/lib', folder),
  })

  const home = join(cacheDir, 'root')
  if (existsSync(at(home).binary)) return at(home)
  if (![aptGet, aptCache, dpkg].every((tool) => existsSync(tool))) return undefined

  log(`No ${program.name} on this machine: unpacking one into the project (first time only, no root needed) …`)
  await mkdir(cacheDir, { recursive: true })
  await removeLeftovers(cacheDir)
  const work = await mkdtemp(join(cacheDir, 'unpacking-'))
  try {
    const root = await unpack(work, program)
    await run(at(root).binary, [program.version], { env: { LD_LIBRARY_PATH: at(root).libraryPath } })
    await rename(root, home).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster; its copy is equivalent.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return at(home)
}

async function unpack(work: string, { packages, linked }: ProgramPackage): Promise<string> {
  const state = join(work, 'state')
  const lists = join(work, 'lists')
  const cache = join(work, 'cache')
  const debs = join(work, 'debs')
  const root = join(work, 'root')
  for (const folder of [state, join(lists, 'partial'), join(cache, 'archives/partial'), debs, root]) {
    await mkdir(folder, { recursive: true })
  }
  const status = join(state, 'status')
  await writeFile(status, '')
  const settings = [
    `Dir::State=${state}`,
    `Dir::State::status=${status}`,
    `Dir::State::lists=${lists}`,
    `Dir::Cache=${cache}`,
    'APT::Sandbox::User=',
    'Acquire::Languages=none',
    'Acquire::Retries=1',
    'Acquire::http::Timeout=15',
  ].flatMap((setting) => ['-o', setting])
  const options = { cwd: debs, env: { ...process.env, PATH: systemPath, LC_ALL: 'C' }, timeout: 120_000 }

  await run(aptGet, [...settings, 'update', '-qq'], options)
  // Libraries differ by release, so apt lists them; libc is on every machine.
  const { stdout } = await run(aptCache, [...settings, 'depends', linked], options)
  const libraries = [...stdout.matchAll(/^\s*\|?Depends: ((?:lib|lua)\S+)$/gm)].flatMap(([, name]) =>
    name === undefined || name === 'libc6' ? [] : [name],
  )
  await run(aptGet, [...settings, 'download', '-qq', ...packages, ...libraries], options)
  for (const file of await readdir(debs)) await run(dpkg, ['-x', file, root], options)
  return root
}

/** Deletes folders of interrupted runs; one younger than ten minutes may still be in use. */
async function removeLeftovers(cacheDir: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    if (!name.startsWith('unpacking-')) continue
    const folder = join(cacheDir, name)
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > 600_000) await rm(folder, { recursive: true, force: true })
  }
}
