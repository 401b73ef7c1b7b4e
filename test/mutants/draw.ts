/**
 * Draws mutants by a seed. A mutant's lot follows from its own text and line, not from its position,
 * so one seed draws the same mutants before and after a change of other lines.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { candidatesIn as candidatesInLua } from './in-lua.ts'
import { candidatesIn as candidatesInTypeScript } from './in-typescript.ts'
import type { Candidate, Mutant } from './mutant.ts'
import { namedMutants } from './named.ts'

/** The parts of the product that are tried, each with its own share of the mutants. */
export const folders = ['core', 'edge', 'redis', 'functions', 'options'] as const

/** The tiers of an option that are tried as well. */
const isDeployed = /^options\/[^/]+\/(?:core|redis|functions)\//

const root = path.join(import.meta.dirname, '../..')

export function sourceOf(file: string): string {
  return readFileSync(path.join(root, file), 'utf8')
}

export type Draw = { seed: string; count: number; only: string | undefined }

/**
 * `count` mutants, spread over the folders by their lines, with no fewer than a tenth for each
 * folder and for the scripts of Redis; and the named ones. With `only`, those of one file.
 */
export function drawMutants({ seed, count, only }: Draw): Mutant[] {
  const pools = only === undefined ? poolsOf(folders.flatMap(filesIn)) : [[only]]
  const lines = pools.map((files) => files.reduce((sum, file) => sum + sourceOf(file).split('\n').length, 0))
  const all = lines.reduce((sum, some) => sum + some, 0)
  const shares = lines.map((some) => (only === undefined ? Math.max(1 / 10, some / all) : 1))
  const whole = shares.reduce((sum, share) => sum + share, 0)
  const drawn = pools.flatMap((files, at) => drawFrom(files, seed, Math.round((count * (shares[at] ?? 0)) / whole)))
  return [...named(only), ...drawn].map((mutant, id) => ({ ...mutant, id }))
}

/** The files of each folder; the scripts of Redis apart. */
function poolsOf(files: readonly string[]): string[][] {
  const poolOf = (file: string) => (file.endsWith('.lua') ? 'lua' : file.split('/')[0])
  return [...Map.groupBy(files, poolOf).values()]
}

function filesIn(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join(folder, file))
    .filter((file) => /\.(ts|lua)$/.test(file) && !file.endsWith('.d.ts'))
    .filter((file) => folder !== 'options' || isDeployed.test(file))
    .toSorted()
}

type Drawn = Omit<Mutant, 'id'>

function drawFrom(files: readonly string[], seed: string, count: number): Drawn[] {
  return files
    .flatMap((file) => withLots(file, seed))
    .toSorted((a, b) => a.lot.localeCompare(b.lot))
    .slice(0, count)
    .map(({ lot, ...mutant }) => mutant)
}

function withLots(file: string, seed: string): (Drawn & { lot: string })[] {
  const source = sourceOf(file)
  const seen = new Map<string, number>()
  return candidatesOf(file, source).map((candidate) => {
    const { start, end } = candidate.span
    const line = source.slice(source.lastIndexOf('\n', start) + 1).split('\n', 1)[0]
    const own = [file, line?.trim(), source.slice(start, end), candidate.text].join('\n')
    const nth = seen.get(own) ?? 0
    seen.set(own, nth + 1)
    const lot = createHash('sha256').update(`${seed}\n${nth}\n${own}`).digest('hex')
    return { ...candidate, file, lot }
  })
}

const known = new Map<string, readonly Candidate[]>()

function candidatesOf(file: string, source: string): readonly Candidate[] {
  const candidatesIn = file.endsWith('.lua') ? candidatesInLua : candidatesInTypeScript
  const found = known.get(file) ?? candidatesIn(source)
  known.set(file, found)
  return found
}

/** @throws when the text of a named mutant is not in its file exactly once */
function named(only: string | undefined): Drawn[] {
  return namedMutants
    .filter(({ file }) => only === undefined || file === only)
    .map(({ name, file, search, replacement }) => {
      const source = sourceOf(file)
      const start = source.indexOf(search)
      if (start === -1 || source.includes(search, start + 1)) {
        throw new Error(`${file} must have the text of "${name}" exactly once: bring named.ts up to date`)
      }
      return { name, file, span: { start, end: start + search.length }, text: replacement, probe: undefined }
    })
}
