/** What CloudFront asks of its functions' files, which it would only say when one is published. */
import { readFileSync } from 'node:fs'
import { transform } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { dist, viewerFunctionLimitBytes } from '../../build.ts'

describe.each(['pre-gate.js', 'site-paths.js'])('edge/%s', (name) => {
  const shipped = readFileSync(`${dist}/edge/${name}`, 'utf8')

  it('fits CloudFront: no larger than it takes, and none of the words it has no meaning for', () => {
    expect(Buffer.byteLength(shipped)).toBeLessThanOrEqual(viewerFunctionLimitBytes)
    expect(viewerFunctionLimitBytes).toBe(10_000)
    expect(shipped).not.toMatch(/\b(?:import|export|require|await|fetch|setTimeout|eval|process)\b[^.\n]*\(/)
  })

  it('is written in the JavaScript of cloudfront-js-2.0: ES 5.1 and these later forms', async () => {
    const supported = { 'const-and-let': true, arrow: true, 'template-literal': true }
    // `{ a }` and `{ a: a }` are one and the same to the compiler, so these two it cannot tell
    // apart.
    const asWritten = await transform(shipped, {
      target: 'esnext',
      supported: { 'object-extensions': false },
    })
    // Any other form that is not known is refused here, or written in another way.
    const asUnderstood = await transform(shipped, { target: 'es5', supported })
    expect(asUnderstood.code).toBe(asWritten.code)
  })
})
