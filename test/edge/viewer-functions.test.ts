/**
 * CloudFront's rules for its functions' files, which it would otherwise check only on publishing.
 */
import { readFileSync } from 'node:fs'
import { transform } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { dist, viewerFunctionLimitBytes } from '../../build.ts'

describe.each(['pre-gate.js', 'site-paths.js'])('edge/%s', (name) => {
  const shipped = readFileSync(`${dist}/edge/${name}`, 'utf8')

  it('fits CloudFront: within its size limit, and without words that it does not support', () => {
    expect(Buffer.byteLength(shipped)).toBeLessThanOrEqual(viewerFunctionLimitBytes)
    expect(viewerFunctionLimitBytes).toBe(10_000)
    expect(shipped).not.toMatch(/\b(?:import|export|require|await|fetch|setTimeout|eval|process)\b[^.\n]*\(/)
  })

  it('is written in the JavaScript of cloudfront-js-2.0: ES 5.1 and these later forms', async () => {
    const supported = { 'const-and-let': true, arrow: true, 'template-literal': true }
    // The compiler does not distinguish `{ a }` from `{ a: a }`, so these two forms are allowed
    // together.
    const asWritten = await transform(shipped, {
      target: 'esnext',
      supported: { 'object-extensions': false },
    })
    // Any other form is refused here, or written in another way.
    const asUnderstood = await transform(shipped, { target: 'es5', supported })
    expect(asUnderstood.code).toBe(asWritten.code)
  })
})
