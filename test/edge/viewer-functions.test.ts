/** CloudFront's rules for its functions' files, which it would otherwise check only on publishing. */
import { readFileSync } from 'node:fs'
import { transform } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { dist, viewerFunctionLimitBytes } from '../../build.ts'

describe.each(['pre-gate.js', 'site-paths.js', 'clock.js'])('edge/%s', (name) => {
  const shipped = readFileSync(`${dist}/edge/${name}`, 'utf8')

  it('fits CloudFront: 1,000 bytes below our limit, 1,240 below its own, and without words that it does not support', () => {
    expect(Buffer.byteLength(shipped)).toBeLessThanOrEqual(viewerFunctionLimitBytes - 1000)
    expect(viewerFunctionLimitBytes).toBe(10_000)
    expect(shipped).not.toMatch(/\b(?:import|export|require|fetch|setTimeout|eval|process)\b[^.\n]*\(/)
  })

  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/async-await-syntax.html
  it('awaits only in statements of its own: no arguments, no closures, no combined promises', async () => {
    // The compiler prints each statement as a line of its own.
    const { code } = await transform(shipped)
    const lines = code.split('\n').filter((line) => /\bawait\b/.test(line))
    expect(lines.length > 0).toBe(/\bawait\b/.test(shipped))
    for (const line of lines)
      expect(line).toMatch(/^\s*(?:const \w+ = |let \w+ = |\w+ = |return )?await [^(]+\([^()]*\);?$/)
    expect(shipped).not.toMatch(/async\s*\(|async\s+\w+\s*=>|\.then\(|\.catch\(|Promise\./)
  })

  it('is written in the JavaScript of cloudfront-js-2.0: ES 5.1 and these later forms', async () => {
    const supported = { 'const-and-let': true, arrow: true, 'template-literal': true, 'async-await': true }
    // The compiler does not distinguish `{ a }` from `{ a: a }`, so these two forms are allowed together.
    const asWritten = await transform(shipped, { target: 'esnext', supported: { 'object-extensions': false } })
    // Any other form is refused here, or written in another way.
    const asUnderstood = await transform(shipped, { target: 'es5', supported })
    expect(asUnderstood.code).toBe(asWritten.code)
  })
})
