import { beforeAll, describe, expect, it } from 'vitest'
import { edgeBundleLimitBytes } from '../../build.ts'
import { type EdgeWeight, weighBundle } from '../../proof/bench/edge/bundle.ts'

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
