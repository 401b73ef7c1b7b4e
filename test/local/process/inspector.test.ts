import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'sluice-inspector-'))
afterEach(() => rmSync(folder, { recursive: true }))

/** Opens the inspector for `reserve`, loads two functions, and prints what a debugger learns about each. */
const program = `
  import { Session, url } from 'node:inspector'
  import { openInspector } from '${join(process.cwd(), 'local/process/inspector.ts')}'
  openInspector('${folder}/reserve', 0)
  const session = new Session()
  session.connect()
  const maps = {}
  session.on('Debugger.scriptParsed', ({ params }) => {
    const [, name] = /(reserve|orders)\\.mjs/.exec(params.url) ?? []
    if (name !== undefined) maps[name] = params.sourceMapURL
  })
  session.post('Debugger.enable')
  await import('${folder}/reserve/reserve.mjs?instance=1')
  await import('${folder}/orders.mjs')
  console.log(JSON.stringify({ url: url(), maps }))
  process.exit()
`

it('opens the inspector, and gives the one function its source map', () => {
  mkdirSync(join(folder, 'reserve'))
  for (const file of ['reserve/reserve.mjs', 'orders.mjs'])
    writeFileSync(join(folder, file), 'export const handler = 1')
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(JSON.parse(printed)).toEqual({
    url: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\//),
    maps: { reserve: 'reserve.mjs.map', orders: '' },
  })
})
