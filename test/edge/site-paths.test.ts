import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createContext, Script } from 'node:vm'
import { describe, expect, it } from 'vitest'

const file = fileURLToPath(new URL('../../edge/site-paths.js', import.meta.url))
const source = readFileSync(file, 'utf8')

type Query = Record<string, { value: string; multiValue?: { value: string }[] }>

/**
 * Runs the deployed file as CloudFront does: without globals, and without turning text into code.
 */
function visit(uri: string, querystring: Query = {}): unknown {
  const context = createContext({}, { codeGeneration: { strings: false, wasm: false } })
  new Script(source, { filename: file }).runInContext(context)
  const request = { method: 'GET', uri, querystring, headers: {}, cookies: {} }
  const call = new Script(`JSON.stringify(handler(${JSON.stringify({ version: '1.0', request })}))`)
  return JSON.parse(String(call.runInContext(context)))
}

describe('the page paths', () => {
  it.each([
    ['/', '/index.html'],
    ['/sales/phone-42/', '/sales/phone-42/index.html'],
    ['/orders/', '/orders/index.html'],
    ['/sales/phone-42/current.json', '/sales/phone-42/current.json'],
    ['/sales/phone-42/countdown.7.js', '/sales/phone-42/countdown.7.js'],
    ['/assets/shop.1f2e3d.css', '/assets/shop.1f2e3d.css'],
  ])('map %s to the object %s (C1, C2)', (uri, stored) => {
    expect(visit(uri)).toMatchObject({ uri: stored })
  })

  it('redirect a page without its slash to the one with it, including the query', () => {
    expect(visit('/sales/phone-42')).toMatchObject({
      statusCode: 301,
      headers: { location: { value: '/sales/phone-42/' } },
    })
    const query = { id: { value: 'a%26b' }, x: { value: '1', multiValue: [{ value: '1' }, { value: '2' }] } }
    expect(visit('/orders', query)).toMatchObject({
      headers: { location: { value: '/orders/?id=a%26b&x=1&x=2' } },
    })
  })

  it.each([
    '//evil.example',
    '//evil.example/sales',
    '/\\evil.example',
    '/%2f/evil',
    '/a//b',
    '/https:evil',
    'evil',
  ])('never redirect to another site, not from %s', (uri) => {
    expect(visit(uri)).not.toHaveProperty('statusCode')
  })
})
