import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { folderFiles } from '../../cli/draw/folder.ts'
import { runDrawCli } from '../../cli/draw.ts'
import type { Beacon } from '../../core/draw/beacon.ts'
import { verifyRound } from '../../core/draw/beacon.ts'
import { checkDraw } from '../../core/draw/check-draw.ts'

const start = Date.UTC(2026, 11, 1, 12)
const minute = 60_000
const hour = 60 * minute

let folder: string
let now: number
let drand: Beacon

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'draw-'))
  now = start
  drand = { round: async () => ({ kind: 'late', reasons: ['no relay answered'] }) }
})
afterEach(() => rm(folder, { recursive: true }))

const publicFolder = () => join(folder, 'public')
const bookFile = (name: string) => readFile(join(folder, 'book', name), 'utf8')

async function draw(command: string, ...flags: string[]) {
  const printed: string[] = []
  const complaints: string[] = []
  const code = await runDrawCli([command, publicFolder(), '--book', join(folder, 'book'), ...flags], {
    print: (line) => printed.push(line),
    complain: (line) => complaints.push(line),
    startStep: () => ({ to: () => undefined, end: () => undefined }),
    now: () => now,
    drand,
  })
  return { code, said: [...printed, ...complaints].join('\n') }
}

async function drawWith(command: string, ...lines: string[]) {
  const csv = join(folder, 'some.csv')
  await writeFile(csv, `${lines.join('\n')}\n`)
  return draw(command, '--csv', csv)
}

async function open(...flags: string[]) {
  const opened = await draw('open', '--sale', 'sneaker', '--closes', '+1h', '--local-beacon', ...flags)
  return opened
}

/** What a reader finds. */
const check = () =>
  checkDraw(folderFiles(publicFolder()).read, {
    verifyRound,
  })

const shoppers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `shopper-${from + n}`)

async function decided(...flags: string[]) {
  await open('--units', '3', ...flags)
  now += minute
  await drawWith('enter', 'shopperId', ...shoppers(1, 10))
  now = start + hour
  await draw('close')
  now += 5 * minute
  return draw('decide')
}

const holders = async () =>
  (await bookFile('sneaker.offers.csv'))
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split(',')[0] ?? '')

describe('a draw from files', () => {
  it('is one that a reader accepts, from its rules to units that came back', async () => {
    expect(await decided()).toMatchObject({ code: 0, said: expect.stringContaining('3 offers') })
    const first = await holders()
    expect(new Set(first).size).toBe(3)
    now += minute
    const back = await drawWith('return', 'shopperId,reason', `${first[0]},cancelled`)
    expect(back).toMatchObject({
      code: 0,
      said: expect.stringContaining('1 units came back, 1 offered again'),
    })
    const second = await holders()
    expect(second).toHaveLength(3)
    expect(second.slice(0, 2)).toEqual(first.slice(1))
    expect(first).not.toContain(second[2])
    expect(await check()).toMatchObject({ faults: [], state: 'drawn' })
  })

  it('hands out a receipt of each entry, which the reader finds in the list', async () => {
    await decided()
    const [, ...lines] = (await bookFile('sneaker.entrants.csv')).trimEnd().split('\n')
    const receipts = lines.map((line) => line.split(',')[2] ?? '')
    expect(receipts).toHaveLength(10)
    const found = await checkDraw(folderFiles(publicFolder()).read, {
      known: { receipts },
      verifyRound,
    })
    expect(found.faults).toEqual([])
  })

  it('publishes odds and the value of a unit with its rules', async () => {
    const odds = ['--units', '3', '--odds', 'About one in ten.']
    expect(await open(...odds, '--prize-value', '499.00')).toMatchObject({
      ...{ code: 1, said: expect.stringContaining('such as "499.00 CNY"') },
    })
    expect(await open(...odds, '--prize-value', '499.00 CNY')).toMatchObject({ code: 0 })
    expect((await check()).rules).toMatchObject({
      odds: 'About one in ten.',
      prizeValue: { amount: 49_900, currency: 'CNY' },
    })
  })

  it('lets entrants change their choices, and leave', async () => {
    await open('--variant', 'red=1', '--variant', 'blue=1')
    now += minute
    await drawWith('enter', 'shopperId,choices', 'ann,red blue', 'bea,red', 'cid,blue')
    now += minute
    await drawWith('enter', 'shopperId,choices', 'ann,red blue', 'bea,blue')
    expect((await drawWith('leave', 'shopperId', 'ann', 'ann', 'dan')).said).toContain(
      '1 records added; the list has 5',
    )
    now = start + hour
    await draw('close')
    now += 5 * minute
    await draw('decide')
    // Ann has left, bea and cid want the same one.
    expect(await holders()).toHaveLength(1)
    expect(await check()).toMatchObject({ faults: [], state: 'drawn' })
  })

  it('gives a group its units together', async () => {
    await open('--units', '3', '--group', '3')
    now += minute
    await drawWith('enter', 'shopperId,group', ...shoppers(1, 3).map((id) => `${id},friends`))
    const tooMany = await drawWith('enter', 'shopperId,group', 'shopper-4,friends')
    expect(tooMany).toMatchObject({ code: 1, said: expect.stringContaining('more than 3 members') })
    now = start + hour
    await draw('close')
    now += 5 * minute
    await draw('decide')
    expect((await holders()).sort()).toEqual(shoppers(1, 3))
  })
})

describe('a command that is repeated', () => {
  it('changes nothing', async () => {
    await decided()
    const [one] = await holders()
    await drawWith('return', 'shopperId,reason', `${one},left`)
    const paths = ['draw.json', 'heads.txt', 'tiles/0.bin', 'tiles/roots.bin', 'beacon.json', 'allocation.txt']
    const read = () => Promise.all(paths.map((path) => readFile(join(publicFolder(), path), 'utf8')))
    const before = [...(await read()), await bookFile('sneaker.offers.csv')]
    expect((await draw('close')).code).toBe(0)
    expect((await draw('decide')).said).toContain('was decided before')
    expect((await drawWith('return', 'shopperId,reason', `${one},left`)).said).toContain('taken back before')
    expect([...(await read()), await bookFile('sneaker.offers.csv')]).toEqual(before)
  })

  it('finishes an entry that was cut off before its head, and hands out the receipts that are missing', async () => {
    await open('--units', '1')
    now += minute
    await drawWith('enter', 'shopperId', 'ann')
    const heads = await readFile(join(publicFolder(), 'heads.txt'))
    const roots = await readFile(join(publicFolder(), 'tiles/roots.bin'))
    await drawWith('enter', 'shopperId', 'bea')
    // As if the run had ended when the tile was written.
    await writeFile(join(publicFolder(), 'heads.txt'), heads)
    await writeFile(join(publicFolder(), 'tiles/roots.bin'), roots)
    await writeFile(join(folder, 'book', 'sneaker.entrants.csv'), 'shopperId,leaf,receipt\nann,')
    now += minute
    await drawWith('enter', 'shopperId', 'ann', 'cid')
    const entrants = (await bookFile('sneaker.entrants.csv')).split('\n').map((line) => line.split(',')[0])
    expect(entrants).toEqual(expect.arrayContaining(['ann', 'cid']))
    const found = await check()
    expect(found.faults).toEqual([])
    expect(found.heads?.at(-1)?.count).toBe(2)
  })
})

describe('what a draw refuses', () => {
  it.each([
    ['other rules in the same folder', () => open('--units', '4'), 'rules never change'],
    ['the list before its close', () => draw('close'), 'still open'],
    ['the number before the list', () => draw('decide'), 'not there yet'],
    [
      'an entry before the first',
      async () => {
        now = start - minute
        return drawWith('enter', 'shopperId', 'ann')
      },
      'not open yet',
    ],
    [
      'an entry after the close',
      async () => {
        now = start + hour
        return drawWith('enter', 'shopperId', 'ann')
      },
      'entries are closed',
    ],
    [
      'a list after the number can be known',
      async () => {
        now = start + hour + 3 * minute
        return draw('close')
      },
      'the draw is void',
    ],
    ['a variant that it does not have', () => drawWith('enter', 'shopperId,choices', 'ann,green'), 'line 2: choices'],
    ['an id that is not one', () => drawWith('enter', 'shopperId', 'a b'), 'line 2: shopperId'],
    ['a group where it has none', () => drawWith('enter', 'shopperId,group', 'ann,us'), 'no groups'],
    ['a file without shoppers', () => drawWith('enter', 'name', 'ann'), 'column shopperId is missing'],
  ])('is %s', async (_what, attempt, why) => {
    await open('--units', '3')
    expect(await attempt()).toMatchObject({ code: 1, said: expect.stringContaining(why) })
    expect(await check()).toMatchObject({ faults: [], state: 'open' })
  })

  it.each([
    ['an offer that is not over', 'unclaimed', 'is kept until'],
    ['a reason that is not one', 'bored', 'reason must be'],
  ])('is to take back %s', async (_what, reason, why) => {
    await decided('--claim-hours', '24')
    const [one] = await holders()
    expect(await drawWith('return', 'shopperId,reason', `${one},${reason}`)).toMatchObject({
      code: 1,
      said: expect.stringContaining(why),
    })
  })

  it('is a unit of an entrant who was offered none', async () => {
    await decided()
    const held = await holders()
    const loser = shoppers(1, 10).find((one) => !held.includes(one))
    expect((await drawWith('return', 'shopperId,reason', `${loser},left`)).said).toContain('was never offered')
    expect((await drawWith('return', 'shopperId,reason', 'zoe,left')).said).toContain('zoe is not in the draw')
  })

  it('is to go on with files that a reader rejects', async () => {
    await decided()
    const file = join(publicFolder(), 'tiles/0.bin')
    const tile = await readFile(file)
    // In the group of the first record, not in an id, which may be that of the holder.
    tile[40] = (tile[40] ?? 0) ^ 1
    await writeFile(file, tile)
    const [one] = await holders()
    expect((await drawWith('return', 'shopperId,reason', `${one},left`)).said).toContain('a reader rejects this draw: ')
  })

  it('is another number while drand has none for its round', async () => {
    await draw('open', '--sale', 'sneaker', '--closes', '+1h', '--units', '3')
    now = start + hour
    await draw('close')
    now += 5 * minute
    expect(await draw('decide')).toMatchObject({
      code: 1,
      said: expect.stringContaining('no relay answered'),
    })
  })
})
