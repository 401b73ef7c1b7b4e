import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'

let bundle: Metafile

beforeAll(async () => {
  const result = await build({
    absWorkingDir: fileURLToPath(new URL('../..', import.meta.url)),
    entryPoints: ['edge/handler.ts'],
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    loader: { '.lua': 'text' },
    outdir: 'unwritten',
    write: false,
    metafile: true,
  })
  bundle = result.metafile
})

/** The files whose code is really in the bundle. */
const shipped = () =>
  Object.values(bundle.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([file]) => file),
  )

describe('the edge bundle', () => {
  it('is small enough to start in a blink: under 200 kB', () => {
    const bytes = Object.values(bundle.outputs).reduce((sum, output) => sum + output.bytes, 0)
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThan(200_000)
  })

  it('holds no script, no function, no AWS SDK and not the large schema library', () => {
    const strangers = /\.lua$|^functions\/|^local\/|@aws-sdk|zod\/v4\/classic/
    expect(shipped().filter((file) => strangers.test(file))).toEqual([])
  })

  it('does without Hono’s Lambda@Edge adapter, which leaves Hono with its next major version', () => {
    const users = Object.entries(bundle.inputs)
      .filter(([file]) => file.startsWith('edge/'))
      .filter(([, { imports }]) => imports.some(({ original }) => original === 'hono/lambda-edge'))
      .map(([file]) => file)
    expect(users).toEqual([])
  })
})
