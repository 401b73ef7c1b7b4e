/**
 * Unpacks a program from the distribution's own package into a folder of the project, without
 * root: apt keeps its lists and downloads in that folder, and dpkg only extracts. Nothing on the
 * machine changes.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A program and the folder of its shared libraries. */
export type UnpackedProgram = { binary: string; libraryPath: string }

/**
 * `packages` hold the program, and the libraries of `linked` are unpacked with them. `version` is the
 * option that prints the version, by which the unpacked program is tried.
 */
export type ProgramPackage = { name: string; packages: readonly string[]; linked: string; version: string }

const aptGet = '/usr/bin/apt-get'
const aptCache = '/usr/bin/apt-cache'
const dpkg = '/usr/bin/dpkg'

/** dpkg finds tar and its helpers by name, on a PATH of their own. */
const systemPath = '/usr/sbin:/usr/bin:/sbin:/bin'

/** Debian's folder name for this machine's libraries. */
const libraryFolder: Record<string, string> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }

/**
 * The unpacked program under `cacheDir`, unpacked now if it is missing (Redis: about two seconds, 5
 * MB over the network), or undefined where there is no apt. Two processes may do this at once: each
 * unpacks into a folder of its own, and one rename decides.
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

/** Folders of interrupted unpackings; one that is younger than ten minutes may still be in use. */
async function removeLeftovers(cacheDir: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    if (!name.startsWith('unpacking-')) continue
    const folder = join(cacheDir, name)
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > 600_000) await rm(folder, { recursive: true, force: true })
  }
}
