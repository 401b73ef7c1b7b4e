/** Which files a test file runs code of, and how near they are. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { sourceOf } from './draw.ts'

const statement = /^(?:import|export)\s+(?!type\b)[^'"`;]*?from\s+'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm

const known = new Map<string, readonly string[]>()

function importsOf(file: string): readonly string[] {
  const found = known.get(file) ?? read(file)
  known.set(file, found)
  return found
}

function read(file: string): string[] {
  return [...sourceOf(file).matchAll(statement)]
    .map(([, from, on]) => path.posix.join(path.posix.dirname(file), from ?? on ?? ''))
    .filter((one) => /\.(ts|lua)$/.test(one) && existsSync(one))
}

/** Every file that `file` imports, with the number of imports on the shortest way to it. */
export function distancesFrom(file: string): ReadonlyMap<string, number> {
  const distances = new Map([[file, 0]])
  // A map visits what is added during the visit.
  for (const [at, distance] of distances) {
    for (const next of importsOf(at)) if (!distances.has(next)) distances.set(next, distance + 1)
  }
  return distances
}
