/**
 * The shop's side of a draw: it publishes the rules, adds records to the list, closes it, and offers units, each as a signed
 * line of a static file (docs/reference/draw.md). Before it signs an offer it checks the whole draw as a reader does, so it
 * continues no draw that a reader would reject.
 *
 * Tiles are written before the head that commits to them, so a run that is cut off leaves the list as it was, and the next
 * one writes the same places again. One run at a time: a lock keeps others out, and where it is lost, the files refuse a
 * write of a run that read them before.
 */
import { type DrawOffer, offersHash } from '../../../core/draw/allocation.ts'
import type { BeaconRound } from '../../../core/draw/beacon.ts'
import { roundBytes, roundFile } from '../../../core/draw/beacon-file.ts'
import { compareKeys, hexOf } from '../../../core/draw/bytes.ts'
import type { VerifyRound } from '../../../core/draw/chain.ts'
import { checkDraw } from '../../../core/draw/check-draw.ts'
import { idBytes, type RecordList, recordBytes } from '../../../core/draw/record.ts'
import { type DrawRules, lastHeadAt, readRules, rulesHash } from '../../../core/draw/rules.ts'
import { hashBytes } from '../../../core/draw/sha256.ts'
import {
  type DrawEvent,
  type DrawHead,
  type DrawStep,
  headLine,
  type LineKind,
  lineHash,
  lineTextsOf,
  readLine,
  stepLine,
} from '../../../core/draw/signed-line.ts'
import { rootOfHashes, tileRecords, tilesFrom } from '../../../core/draw/tree.ts'

/**
 * The files of a draw by their paths, such as `tiles/0.bin`. A read sees the last write that was answered. Where several runs
 * may write, a write fails when the file is not as this object read or wrote it last.
 */
export type DrawFiles = {
  read: (path: string) => Promise<Uint8Array | undefined>
  write: (path: string, bytes: Uint8Array) => Promise<void>
}

/** Signs a line with the key of the shop that the rules name. */
export type SignLine = <T extends object>(kind: LineKind<T>, payload: T) => Promise<string>

/** `clock` gives epoch ms. */
export type DrawPorts = { files: DrawFiles; sign: SignLine; clock: () => number; verifyRound: VerifyRound }

/** What the draw does not allow now; the message says why, and what to do. */
class DrawRefused extends Error {
  override name = 'DrawRefused'
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** The rules as they are published. */
const fileOf = (rules: DrawRules) => bytesOf(`${JSON.stringify(rules, undefined, 2)}\n`)

/**
 * Publishes the rules and the first head, of an empty list. Safe to repeat with the same rules.
 * @throws DrawRefused when other rules are published, or for rules that no reader accepts
 */
export async function openDraw({ files, sign, clock }: DrawPorts, rules: DrawRules): Promise<void> {
  const file = fileOf(rules)
  const read = readRules(file)
  if (!read.ok) throw new DrawRefused(`the rules cannot be published: ${read.detail}`)
  if (lastHeadAt(rules) <= rules.closesAt)
    throw new DrawRefused('the round comes too soon after the close: allow more seconds for the list')
  const published = await files.read('draw.json')
  if (published !== undefined && hexOf(published) !== hexOf(file))
    throw new DrawRefused('other rules are published, and rules never change: use another folder')
  const heads = await files.read('heads.txt')
  if (published !== undefined && heads !== undefined) return
  const hash = hexOf(rulesHash(file))
  const { sale, round } = rules
  const first = {
    sale,
    number: 0,
    previous: hash,
    rules: hash,
    at: clock(),
    count: 0,
    root: hexOf(rootOfHashes(new Uint8Array())),
    round,
  }
  await files.write('heads.txt', bytesOf(`${await sign(headLine, first)}\n`))
  // Last: a reader begins with the rules, and finds no draw before they are there.
  if (published === undefined) await files.write('draw.json', file)
}

/** A draw as it is published: `last` is the last head, `lines` are all of them. */
export type PublishedDraw = { rules: DrawRules; lines: readonly string[]; last: DrawHead; isClosed: boolean }

/** @throws DrawRefused when there is no draw, or its files are not those of one */
export async function readDraw({ files }: Pick<DrawPorts, 'files'>): Promise<PublishedDraw> {
  const [file, heads] = [await files.read('draw.json'), await files.read('heads.txt')]
  if (file === undefined) throw new DrawRefused('there is no draw: open it first')
  const read = readRules(file)
  if (!read.ok) throw new DrawRefused(`draw.json cannot be read: ${read.detail}`)
  const rules = read.value
  const lines = lineTextsOf(heads) ?? []
  const last = readLine(headLine, lines.at(-1) ?? '', rules.keys)?.payload
  if (last === undefined) throw new DrawRefused('heads.txt has no head at its end: open the draw again')
  return { rules, lines, last, isClosed: last.at >= rules.closesAt }
}

/** All records that the last head commits to. @throws DrawRefused when a tile is missing */
export async function readRecords(
  { files }: Pick<DrawPorts, 'files'>,
  { last: { count } }: PublishedDraw,
): Promise<RecordList> {
  const bytes = new Uint8Array(count * recordBytes)
  for (let first = 0; first < count; first += tileRecords) {
    const tile = await files.read(tilePath(first / tileRecords))
    const wanted = Math.min(tileRecords, count - first) * recordBytes
    if (tile === undefined || tile.length < wanted)
      throw new DrawRefused(`${tilePath(first / tileRecords)} is missing or cut off: restore it from a copy`)
    // A run that was cut off may have written more than its head commits to.
    bytes.set(tile.subarray(0, wanted), first * recordBytes)
  }
  return { bytes, count }
}

const tilePath = (tile: number) => `tiles/${tile}.bin`
const rootsPath = 'tiles/roots.bin'

/**
 * Adds records as the next batch, and signs the head of the longer list. Records of one id keep their order. A caller that
 * chose the records by a list that it read gives that draw as `known`.
 * @throws DrawRefused before the entries open, from the close on, and when another run has added records to `known`
 */
export async function addRecords(
  ports: DrawPorts,
  records: readonly Uint8Array[],
  known?: PublishedDraw,
): Promise<DrawHead> {
  const draw = await readAgain(ports, known)
  const now = ports.clock()
  const { opensAt, closesAt } = draw.rules
  if (now < opensAt || now >= closesAt)
    throw new DrawRefused(now < opensAt ? 'entries are not open yet' : 'entries are closed')
  return extend(ports, draw, records, now)
}

/** The draw as it is now. @throws DrawRefused when it has more heads than `known`, whose list would have records twice */
async function readAgain(ports: DrawPorts, known: PublishedDraw | undefined): Promise<PublishedDraw> {
  const draw = await readDraw(ports)
  if (known !== undefined && draw.lines.length !== known.lines.length)
    throw new DrawRefused('another run has added records meanwhile: read the list again')
  return draw
}

/**
 * Signs the closing head. `records` are entries that came before the close and are in no batch yet, of the list of `known`
 * as for `addRecords`. Safe to repeat: a draw that is closed stays as it is.
 * @throws DrawRefused before the close, when it is too late for a head before the round, and as `addRecords` for `known`
 */
export async function closeDraw(
  ports: DrawPorts,
  records: readonly Uint8Array[] = [],
  known?: PublishedDraw,
): Promise<DrawHead> {
  const draw = await readAgain(ports, known)
  if (draw.isClosed) return draw.last
  const now = ports.clock()
  if (now < draw.rules.closesAt) throw new DrawRefused('entries are still open')
  if (now > lastHeadAt(draw.rules))
    throw new DrawRefused(
      'the round is too near or past: readers would reject this list, so the draw is void. Open another one',
    )
  return extend(ports, draw, records, now)
}

async function extend(
  ports: DrawPorts,
  draw: PublishedDraw,
  records: readonly Uint8Array[],
  now: number,
): Promise<DrawHead> {
  const { files } = ports
  const batch = [...records].sort((a, b) => compareKeys(keyOf(a), 0, keyOf(b), 0))
  const { count } = draw.last
  const [whole, rest] = [Math.floor(count / tileRecords), (count % tileRecords) * recordBytes]
  const found: (Uint8Array | undefined)[] = []
  for (let tile = whole; tile * tileRecords < count + batch.length; tile += 1)
    found.push(await files.read(tilePath(tile)))
  const roots = [...chunks((await files.read(rootsPath)) ?? new Uint8Array()).slice(0, whole)]
  const kept = found[0]?.subarray(0, rest) ?? new Uint8Array()
  if (kept.length !== rest || roots.length !== whole)
    throw new DrawRefused('the last tile or tiles/roots.bin is missing or cut off: restore it from a copy')
  // Another run has written here, was cut off, and may still sign its batch. After one more head it cannot.
  const isWritten = found.some((tile, n) => (tile?.length ?? 0) > (n === 0 ? rest : 0))
  const isRoom = draw.last.at + 1 < draw.rules.closesAt
  const before = isWritten && isRoom ? await addHead(ports, draw, draw.last, draw.last.at + 1) : draw
  for await (const { number, records: tile, root } of tilesFrom(count, kept, batch)) {
    await files.write(tilePath(number), tile)
    roots[number] = root
  }
  const all = Buffer.concat(roots)
  await files.write(rootsPath, all)
  const list = { count: count + batch.length, root: hexOf(rootOfHashes(all)) }
  return (await addHead(ports, before, list, now)).last
}

/** Signs the next head, of a list that is written. */
async function addHead(
  { files, sign }: DrawPorts,
  { rules, lines, last }: PublishedDraw,
  { count, root }: Pick<DrawHead, 'count' | 'root'>,
  now: number,
): Promise<PublishedDraw> {
  const head: DrawHead = {
    ...{ sale: rules.sale, number: last.number + 1, previous: lineHash(lines.at(-1) ?? '') },
    ...{ rules: last.rules, at: Math.max(now, last.at + 1), count, root, round: rules.round },
  }
  const longer = [...lines, await sign(headLine, head)]
  await files.write('heads.txt', bytesOf([...longer, ''].join('\n')))
  return { rules, lines: longer, last: head, isClosed: head.at >= rules.closesAt }
}

const keyOf = (bytes: Uint8Array) => ({ bytes, stride: 0, keyBytes: idBytes })

function chunks(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: bytes.length / hashBytes }, (_, n) => bytes.subarray(n * hashBytes, (n + 1) * hashBytes))
}

/**
 * Publishes the round of the beacon, and makes the first offers. Safe to repeat: a draw that is decided stays as it is, and
 * `step` is missing.
 * @throws DrawRefused before the close, for another round, and for a draw with a fault
 */
export async function decideDraw(
  ports: DrawPorts,
  round: BeaconRound,
): Promise<{ decided: DecidedDraw; step?: DrawStep }> {
  const { files } = ports
  const { rules, isClosed } = await readDraw(ports)
  if (!isClosed) throw new DrawRefused('the draw is not closed: the list comes before the number that decides')
  if (round.round !== rules.round) throw new DrawRefused(`round ${rules.round} decides, not ${round.round}`)
  if ((await files.read(roundFile)) === undefined) await files.write(roundFile, roundBytes(round))
  const decided = await readDecided(ports)
  if (decided.steps.length > 0) return { decided }
  return { decided, step: await publishStep(ports, decided, [], decided.allocation.first) }
}

/**
 * Takes units back, and offers them to the next ranks that fit. Entries that have given theirs back before are left out, so
 * it is safe to repeat without added units; undefined says that none is new. A caller that has the draw as it is now gives it as `known`, and
 * reads it again after a failure.
 * @throws DrawRefused before the first offers, for an entry that was never offered a unit or whose time is not over, and for a draw with a fault
 */
export async function returnUnits(
  ports: DrawPorts,
  returns: readonly DrawEvent[],
  known?: DecidedDraw,
): Promise<DrawStep | undefined> {
  const decided = known ?? (await readDecided(ports))
  const { allocation, offeredAt, rules, steps } = decided
  if (steps.length === 0) throw new DrawRefused('no unit is offered yet: decide the draw first')
  const now = ports.clock()
  for (const event of returns) {
    if (!('entry' in event)) continue
    const { entry, reason } = event
    if (!allocation.wasOffered(entry)) throw new DrawRefused(`entry ${entry} was never offered a unit`)
    const until = (offeredAt.get(entry) ?? 0) + 1000 * rules.claimWindowSeconds
    if (reason === 'unclaimed' && allocation.heldBy(entry) !== undefined && now < until)
      throw new DrawRefused(`the offer of entry ${entry} is kept until ${new Date(until).toISOString()}`)
  }
  const events: DrawEvent[] = []
  const offers: DrawOffer[] = []
  for (const event of returns) {
    const made = 'entry' in event ? allocation.giveBack(event.entry) : allocation.add(event.variant, event.units)
    if (made === undefined) continue
    events.push(event)
    offers.push(...made)
  }
  return events.length === 0 ? undefined : publishStep(ports, decided, events, offers)
}

/** The whole draw as a reader finds it, after all steps so far. @throws DrawRefused before the round, and for a draw with a fault */
export async function readDecided(ports: Pick<DrawPorts, 'files' | 'verifyRound'>) {
  const { files, verifyRound } = ports
  const { lines } = await readDraw(ports)
  const { faults, rules, result, records } = await checkDraw(files.read, { verifyRound })
  const [fault] = faults
  if (fault !== undefined) throw new DrawRefused(`a reader rejects this draw: ${fault.fault}, ${fault.detail}`)
  if (rules === undefined || result === undefined || records === undefined)
    throw new DrawRefused('the draw is not decided: the round of the beacon is missing')
  const steps = lineTextsOf(await files.read('allocation.txt')) ?? []
  const { offers, offeredAt } = result
  const made = { offers: [...offers], offeredAt: new Map(offeredAt) }
  return { ...result, ...made, rules, records, steps, closingHead: lines.at(-1) ?? '' }
}

/** A decided draw; a step that is published is added to it. */
export type DecidedDraw = Awaited<ReturnType<typeof readDecided>>

async function publishStep(
  { files, sign, clock }: DrawPorts,
  { rules, allocation, steps, closingHead, ...made }: DecidedDraw,
  events: readonly DrawEvent[],
  offers: readonly DrawOffer[],
): Promise<DrawStep> {
  const before = steps.at(-1)
  const earlier =
    before === undefined
      ? readLine(headLine, closingHead, rules.keys)?.payload.at
      : readLine(stepLine, before, rules.keys)?.payload.at
  const step: DrawStep = {
    sale: rules.sale,
    number: steps.length,
    previous: lineHash(before ?? closingHead),
    at: Math.max(clock(), (earlier ?? 0) + 1),
    events: [...events],
    offers: offers.length,
    offersHash: offersHash(offers),
    threshold: allocation.threshold(),
  }
  const line = await sign(stepLine, step)
  await files.write('allocation.txt', bytesOf([...steps, line, ''].join('\n')))
  steps.push(line)
  // The first offers are those of the ranking itself.
  if (step.number > 0) made.offers.push(...offers)
  for (const { entry } of offers) made.offeredAt.set(entry, step.at)
  return step
}
