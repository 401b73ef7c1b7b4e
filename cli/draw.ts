/**
 * `npm run draw -- <command>`: a draw whose entrants come from files. It writes the public files of the draw
 * (docs/reference/draw.md) into one folder, to be uploaded as they are, and keeps in another one what only the shop may see.
 * A command that was cut off is repeated.
 */
import { fileURLToPath } from 'node:url'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { type Beacon, quicknet, verifyRound } from '../core/draw/beacon.ts'
import { hexOf, maxGroupMembers } from '../core/draw/bytes.ts'
import { timeOfRound } from '../core/draw/chain.ts'
import { type LocalBeacon, localBeacon } from '../core/draw/local-beacon.ts'
import { idOf, recordAt, sortRecords } from '../core/draw/record.ts'
import { type DrawRules, roundOfDraw } from '../core/draw/rules.ts'
import { receiptLine, returnReasons } from '../core/draw/signed-line.ts'
import { leafHash } from '../core/draw/tree.ts'
import { parseSaleId, parseShopperId, type ShopperId } from '../core/ids.ts'
import { type CsvLine, readCsv } from '../core/lib/csv-file.ts'
import { drandBeacon, drandMirrors } from '../functions/entries/adapters/beacon.drand.ts'
import {
  type Entrant,
  entrantId,
  isTooLarge,
  recordsOfEntering,
  recordsOfLeaving,
  standingRecord,
} from '../functions/sales/draw/entrants.ts'
import {
  addRecords,
  closeDraw,
  type DrawPorts,
  decideDraw,
  openDraw,
  type PublishedDraw,
  readDecided,
  readDraw,
  readRecords,
  returnUnits,
} from '../functions/sales/draw/keep-draw.ts'
import { type DrawBook, type HandedOut, openBook } from './draw/book.ts'
import { folderFiles } from './draw/folder.ts'
import { type StartStep, startStep } from './progress.ts'
import { readAmount } from './sale/amount.ts'
import { csvFaultText, readCsvBytes } from './sale/csv-fault.ts'
import { readTime, showTime } from './sale/time.ts'

/** `now` gives epoch ms. */
export type DrawSurroundings = {
  print(line: string): void
  complain(line: string): void
  startStep: StartStep
  now(): number
  /** The beacon of drand. */
  drand: Beacon
}

/** Runs one command and returns the exit code: 0, or 1 after the error was printed with `complain`. */
export async function runDrawCli(args: string[], around: DrawSurroundings): Promise<number> {
  try {
    await drawProgram(around).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    around.complain(error instanceof Error ? error.message : String(error))
    return 1
  }
}

type OpenFlags = {
  book: string
  sale: string
  units?: number
  variant?: string[]
  opens?: string
  closes: string
  listWithin: number
  claimHours: number
  group: number
  odds?: string
  prizeValue?: DrawRules['prizeValue']
  localBeacon?: true
}
type BookFlag = { book: string }
type FileFlags = BookFlag & { csv: string }

const whole = (from: number, to: number) => (text: string) => {
  const number = Number(text)
  if (Number.isInteger(number) && number >= from && number <= to) return number
  throw new InvalidArgumentError(`must be a whole number from ${from} to ${to}`)
}
function readMoney(text: string): DrawRules['prizeValue'] {
  const [, amount = '', currency] = /^(\S+) ([A-Z]{3})$/.exec(text) ?? []
  if (currency === undefined) throw new InvalidArgumentError('must be an amount and its currency, such as "499.00 CNY"')
  return { amount: readAmount(amount, currency), currency }
}

const more = (text: string, before: string[] = []) => [...before, text]

function drawProgram(around: DrawSurroundings): Command {
  const program = new Command('draw')
    .description('Hold a draw over entrants from files, so that all of them can recompute its result.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => around.print(text.trimEnd()),
      writeErr: (text) => around.complain(text.trimEnd()),
    })
  const command = (name: string, description: string) =>
    program
      .command(`${name} <folder>`)
      .description(description)
      .requiredOption('--book <folder>', 'where the keys, entrants and offers are kept: for the shop alone')
  command('open', 'publish the rules, which never change')
    .requiredOption('--sale <id>', 'id of the sale')
    .option('--units <n>', 'units, where the sale has no variants', whole(1, 10_000_000))
    .option('--variant <id=units>', 'a variant and its units; once for each', more)
    .option('--opens <time>', 'first entry: now, +90s, +5m, or ISO 8601 with a time zone', 'now')
    .requiredOption('--closes <time>', 'last entry')
    .option('--list-within <seconds>', 'how long after the close the number is drawn', whole(30, 86_400), 120)
    .option('--claim-hours <n>', 'how long an offer is kept', whole(1, 8760), 24)
    .option('--group <n>', 'the most members of a group', whole(1, maxGroupMembers), 1)
    .option('--odds <text>', 'what the law asks to say of the chances')
    .option('--prize-value <amount>', 'what a unit is worth, where the law asks for it: 499.00 CNY', readMoney)
    .option('--local-beacon', 'for a trial: this machine draws the number, which proves nothing')
    .action((folder: string, flags: OpenFlags) => open(around, folder, flags))
  command('enter', 'add the entrants of a file, as one batch; a later line of one shopper replaces an earlier one')
    .requiredOption('--csv <file>', 'columns shopperId; choices: variants, the preferred one first; group: its name')
    .action((folder: string, flags: FileFlags) => enter(around, folder, flags))
  command('leave', 'take the entrants of a file out again')
    .requiredOption('--csv <file>', 'column shopperId')
    .action((folder: string, flags: FileFlags) => leave(around, folder, flags))
  command('close', 'commit to the list; after the close, and before the number is drawn').action(
    (folder: string, flags: BookFlag) => close(around, folder, flags),
  )
  command('decide', 'fetch the number, rank the entrants, and offer the units').action(
    (folder: string, flags: BookFlag) => decide(around, folder, flags),
  )
  command('return', 'take units back, and offer them to the next ranks')
    .requiredOption('--csv <file>', `columns shopperId and reason: ${returnReasons.join(', ')}`)
    .action((folder: string, flags: FileFlags) => takeBack(around, folder, flags))
  return program
}

/** A draw at the command line: its files, its book, and its beacon. */
type Drawing = DrawPorts & { book: DrawBook; around: DrawSurroundings }

async function drawing(around: DrawSurroundings, folder: string, bookFolder: string, make = false): Promise<Drawing> {
  const book = await openBook(bookFolder, { make })
  return {
    files: folderFiles(folder),
    sign: book.sign,
    clock: around.now,
    verifyRound,
    book,
    around,
  }
}

/** A round in each three seconds, as drand has them. */
const beaconOf = ({ beaconSeed }: DrawBook, around: DrawSurroundings, genesis: number): LocalBeacon =>
  localBeacon({ seed: beaconSeed, period: quicknet.period, genesis, clock: around.now })

async function open(around: DrawSurroundings, folder: string, flags: OpenFlags): Promise<void> {
  const sale = parseSaleId(flags.sale)
  if (sale === undefined) throw new RangeError(`${flags.sale} is not a sale id`)
  const draw = await drawing(around, folder, flags.book, true)
  const now = around.now()
  const [opensAt, closesAt] = [readTime(flags.opens ?? 'now', now), readTime(flags.closes, now)]
  const chain = flags.localBeacon ? beaconOf(draw.book, around, Math.floor(now / 1000)).chain : quicknet
  const times = { closesAt, commitSeconds: flags.listWithin, beacon: chain }
  const rules: DrawRules = {
    ...{ version: 1, sale, opensAt, ...times, round: roundOfDraw(times), lateBeacon: 'wait' },
    variants: variantsIn(flags),
    ...{ claimWindowSeconds: 3600 * flags.claimHours, mostInGroup: flags.group, mostTries: 1 },
    ...{ earlier: [], ties: 'lowest-id', groups: 'skip', keys: [draw.book.publicKey] },
    ...(flags.odds !== undefined && { odds: flags.odds }),
    ...(flags.prizeValue && { prizeValue: flags.prizeValue }),
  }
  await openDraw(draw, rules)
  around.print(`draw of ${sale} opened; entries until ${showTime(closesAt)}, then round ${rules.round} decides`)
  if (chain.isLocal) around.print('this machine draws the number: for a trial only, it proves nothing')
  const { last } = await readDraw(draw)
  around.print(`upload ${folder} as it is, and tell your shoppers the hash of its rules: ${last.rules}`)
}

function variantsIn({ units, variant = [] }: OpenFlags): DrawRules['variants'] {
  if ((units === undefined) === (variant.length === 0)) throw new RangeError('give --units, or each --variant')
  if (units !== undefined) return [{ units }]
  return variant.map((text) => {
    const [, id, count] = /^([a-z0-9-]{1,16})=(\d{1,8})$/.exec(text) ?? []
    if (id === undefined) throw new RangeError(`"${text}" is not a variant: use such as red=40`)
    return { id, units: Number(count) }
  })
}

async function enter(around: DrawSurroundings, folder: string, { book, csv }: FileFlags): Promise<void> {
  const draw = await drawing(around, folder, book)
  const published = await readDraw(draw)
  const { rules } = published
  const lines = await linesIn(csv, { choices: rules.variants.length > 1, group: rules.mostInGroup > 1 })
  const entrants = [...new Map(lines.map((line) => entrantIn(line, rules)).map((one) => [one.shopperId, one])).values()]
  const list = await readRecords(draw, published)
  const all = { key: draw.book.idKey, rules, list }
  const records = recordsOfEntering(all, entrants)
  if (isTooLarge(all, records))
    throw new RangeError(`a group would have more than ${rules.mostInGroup} members: nothing is entered`)
  await addBatch(draw, published, records, entrants)
}

async function leave(around: DrawSurroundings, folder: string, { book, csv }: FileFlags): Promise<void> {
  const draw = await drawing(around, folder, book)
  const published = await readDraw(draw)
  const shoppers = (await linesIn(csv, {})).map(shopperIn)
  const list = await readRecords(draw, published)
  const records = recordsOfLeaving({ key: draw.book.idKey, list }, [...new Set(shoppers)])
  await addBatch(draw, published, records, [])
}

type Columns = { choices?: boolean; group?: boolean }
type DrawLine = CsvLine<'shopperId' | 'choices' | 'group' | 'reason'>

/** The lines of a file. @throws RangeError when it cannot be read, or a column is missing */
async function linesIn(
  file: string,
  { choices = false, group = false }: Columns,
  reason = false,
): Promise<readonly DrawLine[]> {
  const need = (isNeeded: boolean) => (isNeeded ? 'needed' : 'optional')
  const columns = {
    shopperId: 'needed',
    choices: need(choices),
    group: need(group),
    reason: need(reason),
  } as const
  const read = readCsv(await readCsvBytes(file), columns)
  if (!read.ok) throw new RangeError(csvFaultText(read.fault))
  return read.lines
}

function shopperIn({ line, cell }: DrawLine): ShopperId {
  const shopperId = parseShopperId(cell('shopperId'))
  if (shopperId === undefined)
    throw new RangeError(`line ${line}: shopperId must be 1 to 128 letters, digits or _ . @ | : + -`)
  return shopperId
}

function entrantIn(line: DrawLine, { variants, mostInGroup }: DrawRules): Entrant {
  const shopperId = shopperIn(line)
  const [choices, group] = [line.cell('choices'), line.cell('group')]
  const numbers = choices
    .split(/[\s+|]+/)
    .filter((id) => id !== '')
    .map((id) => variants.findIndex((one) => one.id === id) + 1)
  if (numbers.includes(0))
    throw new RangeError(`line ${line.line}: choices names a variant that the draw does not have`)
  if (new Set(numbers).size < numbers.length) throw new RangeError(`line ${line.line}: choices names a variant twice`)
  if (variants.length > 1 && numbers.length === 0) throw new RangeError(`line ${line.line}: choices is empty`)
  if (group !== '' && mostInGroup === 1) throw new RangeError(`line ${line.line}: this draw has no groups`)
  return { shopperId, choices: numbers.length === 0 ? [1] : numbers, ...(group !== '' && { group }) }
}

/** Adds the records, and hands a receipt out to each of `entrants` whose record has none. */
async function addBatch(
  draw: Drawing,
  published: PublishedDraw,
  records: readonly Uint8Array[],
  entrants: readonly Entrant[],
): Promise<void> {
  const { book, around, sign } = draw
  const { sale } = published.rules
  const head = records.length === 0 ? published.last : await addRecords(draw, records)
  const list = await readRecords(draw, await readDraw(draw))
  const sorted = sortRecords(list)
  const known = new Set((await book.entrants(sale)).map(({ leaf }) => leaf))
  const step = around.startStep('receipts', entrants.length)
  const missing: HandedOut[] = []
  for (const [done, { shopperId }] of entrants.entries()) {
    const id = entrantId(book.idKey, shopperId)
    const record = standingRecord(sorted, id)
    if (record === undefined) continue
    const leaf = hexOf(leafHash(recordAt(list, record)))
    if (!known.has(leaf)) {
      const receipt = await sign(receiptLine, { sale, at: head.at, id: hexOf(id), leaf })
      missing.push({ shopperId, leaf, receipt })
    }
    step.to(done + 1)
  }
  step.end()
  if (missing.length > 0) await book.addEntrants(sale, missing)
  around.print(`${records.length} records added; the list has ${head.count}, head ${head.number}`)
}

async function close(around: DrawSurroundings, folder: string, { book }: BookFlag): Promise<void> {
  const draw = await drawing(around, folder, book)
  const { count, number, root } = await closeDraw(draw)
  const { rules } = await readDraw(draw)
  around.print(`closed with ${count} records, head ${number}, root ${root}`)
  around.print(
    `upload ${folder} now; round ${rules.round} decides at ${showTime(timeOfRound(rules.beacon, rules.round))}`,
  )
}

async function decide(around: DrawSurroundings, folder: string, { book }: BookFlag): Promise<void> {
  const draw = await drawing(around, folder, book)
  const { rules } = await readDraw(draw)
  const { beacon, round } = rules
  const answer = await (beacon.isLocal ? beaconOf(draw.book, around, beacon.genesis) : around.drand).round(round)
  if (answer.kind === 'late')
    throw new RangeError(
      `round ${round} is not there yet, and no other takes its place; try again. ${answer.reasons.join('; ')}`,
    )
  const { step } = await decideDraw(draw, answer)
  around.print(
    step === undefined ? 'the draw was decided before' : `${step.offers} offers, threshold ${step.threshold}`,
  )
  await saveOffers(draw, folder)
}

async function takeBack(around: DrawSurroundings, folder: string, { book, csv }: FileFlags): Promise<void> {
  const draw = await drawing(around, folder, book)
  const records = sortRecords(await readRecords(draw, await readDraw(draw)))
  const returns = (await linesIn(csv, {}, true)).map((line) => {
    const reason = returnReasons.find((one) => one === line.cell('reason'))
    if (reason === undefined) throw new RangeError(`line ${line.line}: reason must be ${returnReasons.join(', ')}`)
    const shopperId = shopperIn(line)
    const entry = standingRecord(records, entrantId(draw.book.idKey, shopperId))
    if (entry === undefined) throw new RangeError(`line ${line.line}: ${shopperId} is not in the draw`)
    return { entry, reason }
  })
  const step = await returnUnits(draw, returns)
  around.print(
    step === undefined
      ? 'all of these were taken back before'
      : `${step.events.length} units came back, ${step.offers} offered again; step ${step.number}`,
  )
  await saveOffers(draw, folder)
}

/** Writes who holds an offer now, in the order of the offers. */
async function saveOffers(draw: Drawing, folder: string): Promise<void> {
  const { book, around } = draw
  const { rules, records, offers, allocation, offeredAt } = await readDecided(draw)
  const shopperOf = new Map(
    (await book.entrants(rules.sale)).map(({ shopperId }) => [hexOf(entrantId(book.idKey, shopperId)), shopperId]),
  )
  const lines = offers
    .filter(({ entry }) => allocation.heldBy(entry) !== undefined)
    .map(({ entry, variant }) => [
      shopperOf.get(hexOf(idOf(records.list, entry))) ?? '',
      rules.variants[variant - 1]?.id ?? '',
      new Date((offeredAt.get(entry) ?? 0) + 1000 * rules.claimWindowSeconds).toISOString(),
    ])
  const file = await book.writeOffers(rules.sale, [['shopperId', 'variant', 'until'], ...lines])
  around.print(`${lines.length} shoppers hold an offer: ${file}`)
  around.print(`upload ${folder}, and let them in: npm run sale -- early ${rules.sale} ${file}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await runDrawCli(process.argv.slice(2), {
    print: (line) => console.log(line),
    complain: (line) => console.error(line),
    startStep,
    now: Date.now,
    drand: drandBeacon({ chain: quicknet, mirrors: drandMirrors, clock: Date.now, patienceMs: 5000 }),
  })
}
