import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build, type Metafile } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { edgeBundle } from '../../build.ts'

let folder = ''
let file = ''
let bundle: Metafile

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-edge-'))
  file = path.join(folder, 'handler.mjs')
  bundle = (await build({ ...edgeBundle, outfile: file, metafile: true })).metafile
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** Bytes in the bundle by the file they come from. */
function shipped(): [file: string, bytes: number][] {
  const code = Object.entries(bundle.outputs).filter(([name]) => name.endsWith('.mjs'))
  return code.flatMap(([, { inputs }]) =>
    Object.entries(inputs)
      .map(([name, { bytesInOutput }]): [string, number] => [name, bytesInOutput])
      .filter(([, bytes]) => bytes > 0),
  )
}
const bytesOf = (pattern: RegExp) =>
  shipped().reduce((sum, [name, bytes]) => (pattern.test(name) ? sum + bytes : sum), 0)
const allBytes = () => Object.entries(bundle.outputs).find(([name]) => name.endsWith('.mjs'))?.[1].bytes ?? 0

describe('the edge bundle', () => {
  it('is small: at most 60 kB, and 100 kB with the verifier of challenges', () => {
    const verifier = bytesOf(/node_modules\/altcha-lib\/|^edge\/challenge\.ts$/)
    expect(verifier).toBeGreaterThan(1000)
    expect(allBytes() - verifier).toBeGreaterThan(30_000)
    expect(allBytes() - verifier).toBeLessThanOrEqual(60_000)
    expect(allBytes()).toBeLessThanOrEqual(100_000)
  })

  it('holds the two scripts it runs, no function, no SDK and no schema library', () => {
    const strangers = /\.lua$|^functions\/|^local\/|@aws-sdk|@upstash|node_modules\/zod\/|lru-cache|\/jose\//
    const found = shipped().map(([name]) => name)
    expect(found.filter((name) => strangers.test(name)).toSorted()).toEqual([
      'redis/accuse.lua',
      'redis/admit.lua',
    ])
  })

  it('does without Hono’s Lambda@Edge adapter, which leaves Hono with its next major version', () => {
    const users = Object.entries(bundle.inputs)
      .filter(([name]) => name.startsWith('edge/'))
      .filter(([, { imports }]) => imports.some(({ original }) => original === 'hono/lambda-edge'))
      .map(([name]) => name)
    expect(users).toEqual([])
  })
})
