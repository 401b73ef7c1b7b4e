/** The event of CloudFront's viewer-side functions, and the globals where they run. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadViewerFunction, type Viewer, viewerEvent } from '../../local/cdn/viewer-function.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-viewer-'))
})
afterAll(() => rm(folder, { recursive: true }))

let files = 0
/** The result of a function with this body for the viewer. */
async function run(body: string, change: Partial<Viewer> = {}) {
  files += 1
  const file = join(folder, `${files}.js`)
  await writeFile(file, `function handler(event) { ${body} }`)
  const viewer = { ip: '203.0.113.7', method: 'GET', url: '/api/orders', rawHeaders: [], ...change }
  return (await loadViewerFunction(file))(viewerEvent(viewer))
}

describe('the event of a viewer function', () => {
  it('has the client and the request', async () => {
    const seen = await run(
      'return JSON.stringify([event.version, event.context, event.viewer, event.request])',
      {
        method: 'POST',
        url: '/api/x?a=1',
      },
    )
    const [version, context, viewer, request] = JSON.parse(String(seen))
    expect([version, context.eventType, viewer]).toEqual(['1.0', 'viewer-request', { ip: '203.0.113.7' }])
    expect(request).toMatchObject({ method: 'POST', uri: '/api/x' })
  })

  it('has headers under their lower-case names, each with all its values, and cookies separately', async () => {
    const rawHeaders = [
      ...['Content-Type', 'application/json', 'X-Two', 'a', 'x-two', 'b', 'constructor', 'c'],
      ...['Cookie', 'a=1; b=x=y', 'cookie', 'a=2;flag'],
    ]
    expect(await run('return event.request.headers', { rawHeaders })).toEqual({
      'content-type': { value: 'application/json' },
      'x-two': { value: 'a', multiValue: [{ value: 'a' }, { value: 'b' }] },
      constructor: { value: 'c' },
    })
    expect(await run('return event.request.cookies', { rawHeaders })).toEqual({
      a: { value: '1', multiValue: [{ value: '1' }, { value: '2' }] },
      b: { value: 'x=y' },
      flag: { value: '' },
    })
  })

  it('has the raw query, still encoded', async () => {
    const url = '/orders?id=a%26b&x=1&x=2&flag&'
    expect(await run('return event.request.querystring', { url })).toEqual({
      id: { value: 'a%26b' },
      x: { value: '1', multiValue: [{ value: '1' }, { value: '2' }] },
      flag: { value: '' },
    })
    expect(await run('return event.request.querystring')).toEqual({})
  })
})

describe('a viewer function', () => {
  it('has no globals of Node and cannot turn text into code', async () => {
    const names = ['process', 'require', 'module', 'Buffer', 'fetch', 'setTimeout', 'URL']
    expect(await run(`return [${names.map((name) => `typeof ${name}`)}].join()`)).toBe(
      names.map(() => 'undefined').join(),
    )
    await expect(run("return eval('1')")).rejects.toThrow('Code generation from strings disallowed')
  })

  it('must be called handler, as CloudFront expects', async () => {
    const file = join(folder, 'nameless.js')
    await writeFile(file, 'function handle(event) { return event.request }')
    await expect(loadViewerFunction(file)).rejects.toThrow('no function named handler')
  })
})
