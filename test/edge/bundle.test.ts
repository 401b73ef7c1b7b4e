import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { edgeBundle, edgeBundleLimitBytes } from '../../build.ts'

type EdgeWeight = {
  bytes: number
  /** Bytes by library, `own` for the project's files. */
  parts: readonly [name: string, bytes: number][]
  /** Source files with code in the bundle, relative to the project's root. */
  files: readonly string[]
  /** Bytes of each of these files. */
  fileBytes: Readonly<Record<string, number>>
}

const library = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//

/** Builds with the settings of `npm run build`, without writing files. */
async function weighBundle(): Promise<EdgeWeight> {
  const { outputFiles, metafile } = await build({ ...edgeBundle, outfile: 'handler.mjs', write: false, metafile: true })
  const code = outputFiles.find(({ path }) => path.endsWith('.mjs'))
  const output = metafile.outputs['handler.mjs']
  if (code === undefined || output === undefined) throw new Error('the build made no handler.mjs')
  const parts = new Map<string, number>()
  const shipped = Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0)
  for (const [file, { bytesInOutput }] of shipped) {
    const part = library.exec(file)?.[1] ?? 'own'
    parts.set(part, (parts.get(part) ?? 0) + bytesInOutput)
  }
  return {
    bytes: code.contents.length,
    parts: [...parts],
    files: shipped.map(([file]) => file),
    fileBytes: Object.fromEntries(shipped.map(([file, { bytesInOutput }]) => [file, bytesInOutput])),
  }
}

let weight: EdgeWeight
beforeAll(async () => {
  weight = await weighBundle()
})

describe('the edge bundle', () => {
  it('is at most 140 kB', () => {
    expect(weight.bytes).toBeGreaterThan(30_000)
    expect(weight.bytes).toBeLessThanOrEqual(edgeBundleLimitBytes)
    expect(edgeBundleLimitBytes).toBe(140_000)
  })

  it('contains the two scripts it runs, no function and no SDK', () => {
    const unexpected = /\.lua$|^functions\/|^local\/|@aws-sdk|@upstash|lru-cache|\/jose\//
    expect(weight.files.filter((name) => unexpected.test(name)).toSorted()).toEqual([
      'redis/gate/admit.lua',
      'redis/gate/count-demand.lua',
    ])
  })

  it('contains none of Hono’s form readers and mounting, which the gate never calls', () => {
    const parts = ['body', 'mount'].map((name) => `node_modules/hono/dist/utils/${name}.js`)
    const shipped = Object.fromEntries(weight.parts)
    expect(shipped.hono, 'Hono itself is there').toBeGreaterThan(8000)
    expect(parts.filter((file) => (weight.fileBytes[file] ?? 0) > 150)).toEqual([])
  })

  it('contains no Lambda@Edge adapter of Hono, which its next major version removes', () => {
    const ofHono = weight.files.filter((name) => name.startsWith('node_modules/hono/'))
    expect(ofHono).not.toEqual([])
    expect(ofHono.filter((name) => name.includes('lambda-edge'))).toEqual([])
  })
})
