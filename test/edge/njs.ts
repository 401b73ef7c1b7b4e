/**
 * The njs of NGINX, on which CloudFront's runtime 2.0 is based: from the PATH, else unpacked from the
 * distribution's package, as Redis is.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod/mini'
import { dist } from '../../build.ts'
import { onPath, unpackedProgram } from '../../local/redis/redis-program.ts'

type Njs = { command: string; env: NodeJS.ProcessEnv }

const cacheDir = join(import.meta.dirname, '../../.cache/njs')
const njsPackage = { name: 'njs', packages: ['njs'], linked: 'njs', version: '-v' }

/** The program, or why there is none. */
export async function findNjs(): Promise<Njs | { missing: string }> {
  const command = onPath('njs', process.env.PATH ?? '')
  if (command !== undefined) return { command, env: process.env }
  try {
    const unpacked = await unpackedProgram(cacheDir, njsPackage, () => {})
    if (unpacked === undefined) return { missing: 'there is no njs and no apt' }
    return { command: unpacked.binary, env: { LD_LIBRARY_PATH: unpacked.libraryPath } }
  } catch (error) {
    return { missing: `njs could not be unpacked: ${error instanceof Error ? error.message.trim() : error}` }
  }
}

/** `store` is what the function's key-value store has, `now` its clock, epoch ms. */
export type NjsWorld = { store: ReadonlyMap<string, string>; now: number }

const output = z.object({ answers: z.array(z.unknown()), microseconds: z.number() })

/**
 * Runs the shipped file `name` of the edge for each event, and then `rounds` times for the last one.
 * `microseconds` is the mean time of these in the fastest tenth, because the machine may be busy with something else.
 */
export async function runInNjs(
  { command, env }: Njs,
  name: string,
  events: readonly unknown[],
  { store, now }: NjsWorld,
  rounds: number,
): Promise<z.infer<typeof output>> {
  const folder = await mkdtemp(join(tmpdir(), 'njs-'))
  try {
    await writeFile(join(folder, 'cloudfront'), moduleText(store))
    const shipped = await readFile(join(dist, 'edge', name), 'utf8')
    const script = join(folder, 'function.js')
    const result = join(folder, 'result.json')
    await writeFile(script, `import fs from 'fs'\n${shipped}\n${driverText(events, now, rounds, result)}`)
    const { stdout } = await promisify(execFile)(command, ['-p', folder, script], { env })
    if (stdout.startsWith('failed: ')) throw new Error(stdout)
    return z.parse(output, JSON.parse(await readFile(result, 'utf8')))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** CloudFront's module, in the JavaScript of njs. */
const moduleText = (store: ReadonlyMap<string, string>) => `
const values = ${JSON.stringify(Object.fromEntries(store))}
const has = (key) => Object.keys(values).indexOf(key) >= 0
const handle = {
  get: async function (key) { if (has(key)) return values[key]; throw new Error('KeyNotFound') },
  exists: async function (key) { return has(key) },
}
export default { kvs: function () { return handle } }
`

/** The result goes into a file, because njs wraps long lines of its output. */
const driverText = (events: readonly unknown[], now: number, rounds: number, result: string) => `
const clock = Date.now
Date.now = () => ${now}
const events = JSON.parse(${JSON.stringify(JSON.stringify(events))})
async function drive() {
  const answers = []
  let i
  for (i = 0; i < events.length; i++) {
    const answer = await handler(JSON.parse(JSON.stringify(events[i])))
    answers.push(answer)
  }
  let microseconds = 0
  for (let part = 0; part < (${rounds} === 0 ? 0 : 10); part++) {
    const before = clock()
    for (i = 0; i < ${rounds} / 10; i++) {
      const answer = await handler(events[events.length - 1])
    }
    const mean = ((clock() - before) * 10000) / ${rounds}
    microseconds = part === 0 ? mean : Math.min(microseconds, mean)
  }
  fs.writeFileSync(${JSON.stringify(result)}, JSON.stringify({ answers: answers, microseconds: microseconds }))
}
drive().catch((error) => { console.log('failed: ' + error.message) })
`
