/** `verify-draw`, from a folder and from an address, and as the one file that runs anywhere. */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { bytesToHex } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import { dist } from '../../../../build.ts'
import { listen } from '../../../../local/listen.ts'
import { openRandom } from '../../../../proof/simulation/engine/random.ts'
import { newFolder } from '../../../../test/folders.ts'
import { useStops } from '../../../../test/stops.ts'
import { runVerifyDraw } from '../../cli/verify-draw.program.ts'
import type { VerifyRound } from '../../core/check-draw.ts'
import { rulesHash } from '../../core/rules.ts'
import { type DrawFiles, randomDraw, textBytes, verifyTestRound } from '../core/published-draw.ts'

const folder = newFolder('draw')
const draw = randomDraw(openRandom(5), 30)
const place = join(folder, 'a-draw')

const stops = useStops()

function* endless() {
  for (;;) yield Buffer.alloc(1_000_000, '1')
}

async function put(sale: string, files: DrawFiles): Promise<void> {
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, sale, path)), { recursive: true })
    await writeFile(join(folder, sale, path), content)
  }
}

await put('a-draw', draw.files)

async function runWith(verify: VerifyRound, args: string[], clock = () => 0): Promise<{ code: number; text: string }> {
  const lines: string[] = []
  const startStep = () => ({ to: () => undefined, end: () => undefined })
  const print = (line: string) => lines.push(line)
  const code = await runVerifyDraw(args, { print, startStep, verifyRound: verify, clock })
  return { code, text: lines.join('\n') }
}
const run = (...args: string[]) => runWith(verifyTestRound, args)

describe('verify-draw', () => {
  it('verifies a draw in a folder, with the lines that its reader kept', async () => {
    const kept = join(folder, 'kept.txt')
    const lines = [...draw.kept.lists, draw.kept.steps[0], draw.kept.receipts[3], ''].join('\r\n')
    await writeFile(kept, Buffer.from(`\ufeff${lines}`, 'utf16le'))
    const rules = bytesToHex(rulesHash(draw.files.get('draw.json') ?? new Uint8Array())).toUpperCase()
    const { code, text } = await run(place, '--known', kept, '--rules', rules, '--winners')
    expect(text).toContain('✓ The draw is as published.')
    const offers = Number(/^offers {6}(\d+)$/m.exec(text)?.[1])
    expect(offers).toBeGreaterThan(0)
    expect(text.match(/^offered {5}[0-9a-f]{64} \d+$/gm)).toHaveLength(offers)
    expect(text).toContain('beacon      run by the shop itself')
    expect(code).toBe(0)
  })

  it('names what differs from what the reader knows', async () => {
    const kept = join(folder, 'other.txt')
    const other = randomDraw(openRandom(6), 3)
    await writeFile(kept, `${other.kept.lists[0]}\n${other.kept.receipts[0]}`)
    const { code, text } = await run(place, '--known', kept, '--rules', '0'.repeat(64))
    expect(text).toMatch(/✗ rules-changed: .*\n✗ list-replaced: /)
    expect(code).toBe(1)
  })

  it('reads a draw from an address', async () => {
    const all = new Map([['a-draw', draw.files]])
    const server = createServer(({ url = '' }, response) => {
      const [, sale = '', path = ''] = /^\/draws\/([^/]+)\/(.+)$/.exec(url) ?? []
      const file = all.get(sale)?.get(path)
      response.writeHead(sale === 'broken' ? 500 : file === undefined ? 404 : 200).end(file)
    })
    const { url, stop } = await listen(server, 0)
    stops.push(stop)
    const address = `${url}/draws`
    expect(await run(`${address}/a-draw`)).toMatchObject({ code: 0 })
    expect(await run(`${address}/missing/`)).toMatchObject({
      code: 1,
      text: expect.stringContaining('✗ rules-unreadable'),
    })
    expect(await run(`${address}/broken`)).toMatchObject({ code: 2, text: expect.stringContaining('answers 500') })
    await stop()
    expect(await run(`${address}/a-draw`)).toMatchObject({ code: 2 })
  })

  it('says that a draw is not drawn yet, and how it is used', async () => {
    const { files } = randomDraw(openRandom(7), 3)
    files.delete('beacon.json')
    await put('waiting', files)
    expect(await run(join(folder, 'waiting'))).toMatchObject({ code: 3 })
    for (const args of [[], ['a', 'b'], ['--unknown']]) expect(await run(...args)).toMatchObject({ code: 2 })
    expect(await run(place, '--known', join(folder, 'missing.txt'))).toMatchObject({ code: 2 })
    expect(await run(place, '--rules', 'abc')).toMatchObject({ code: 2 })
  })

  it('says that a draw is open, or void', async () => {
    const rules = new Map([...randomDraw(openRandom(7), 9).files].filter(([path]) => path === 'draw.json'))
    await put('open', rules)
    const readAt = (time: number) => runWith(verifyTestRound, [join(folder, 'open')], () => time)
    expect(await readAt(0)).toMatchObject({ code: 3, text: expect.stringContaining('The draw is open') })
    expect(await readAt(2e12)).toMatchObject({ code: 4, text: expect.stringContaining('The draw is void') })
  })

  it('prints no control characters or claims of a file, and names a missing one', async () => {
    await put('hostile', new Map([['draw.json', textBytes('{"\\n✓ The draw is as published.\\u001b[2J": 1}')]]))
    expect((await run(join(folder, 'hostile'))).text).toMatch(/^[^\p{Cc}✓]+$/u)
    expect((await run(join(folder, 'nowhere'))).text).toBe('✗ rules-unreadable: draw.json is missing')
  })

  it.each(['draw.json', 'list.txt', 'list.bin', 'beacon.json'])(
    'refuses a file without an end, and one that is cut off: %s',
    async (path) => {
      let isCut = false
      const server = createServer((request, response) => {
        const file = draw.files.get(request.url?.slice(1) ?? '')
        if (request.url !== `/${path}`) return void response.writeHead(file === undefined ? 404 : 200).end(file)
        if (isCut) return void response.writeHead(200, { 'content-length': 9 }).write('1', () => response.destroy())
        Readable.from(endless()).pipe(response)
        return undefined
      })
      const { url, stop } = await listen(server, 0)
      stops.push(stop)
      expect(await run(url)).toMatchObject({ code: 1, text: expect.stringMatching(/✗ .*(?:unreadable|missing): /) })
      isCut = true
      expect(await run(url)).toMatchObject({ code: 2, text: `${path} cannot be fetched from ${url}/` })
    },
  )

  it('is a single file without dependencies', async () => {
    const { files } = randomDraw(openRandom(8), 3)
    files.delete('beacon.json')
    await put('alone', files)
    const program = join(folder, 'verify-draw.mjs')
    await copyFile(join(dist, 'verify-draw.mjs'), program)
    // The folder of temporary files is a link on some systems.
    await symlink(folder, `${folder}-link`)
    stops.push(() => rm(`${folder}-link`))
    const linked = join(`${folder}-link`, 'verify-draw.mjs')
    const ended = promisify(execFile)(process.execPath, [linked, join(folder, 'alone')])
    await expect(ended).rejects.toMatchObject({ code: 3, stdout: expect.stringContaining('No fault so far.') })
  })
})
