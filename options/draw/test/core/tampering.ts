/**
 * Ways to tamper with a published draw: with its files alone, as an outsider can, and with the key that signs it, as the
 * shop can. Each names the faults of which at least one must be found.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Random } from '../../../../proof/simulation/engine/random.ts'
import {
  type DrawFault,
  type KnownOfDraw,
  listFile,
  roundFile,
  signedListFile,
  stepsFile,
} from '../../core/check-draw.ts'
import { recordOf } from '../../core/list.ts'
import { type DrawStep, lineHash, listLine, receiptLine, rulesFile, stepLine } from '../../core/rules.ts'
import {
  type DrawFiles,
  fileOfLines,
  idOfEntrant,
  type PublishedDraw,
  publishDraw,
  sha256,
  signerOf,
  signLine,
  textBytes,
} from './published-draw.ts'

type Tampered = { files: DrawFiles; known?: KnownOfDraw; faults: readonly DrawFault[] }

type Tampering = (draw: PublishedDraw, random: Random) => Tampered

function withFile(draw: PublishedDraw, path: string, content: Uint8Array | undefined): DrawFiles {
  const files = new Map(draw.files)
  if (content === undefined) files.delete(path)
  else files.set(path, content)
  return files
}

const fileOf = (draw: PublishedDraw, path: string) => draw.files.get(path) ?? new Uint8Array()

/** A file with one bit of it changed. */
function flipped(bytes: Uint8Array, random: Random): Uint8Array {
  const changed = new Uint8Array(bytes)
  const at = random.whole(0, bytes.length - 1)
  changed[at] = (changed[at] ?? 0) ^ (1 << random.whole(0, 7))
  return changed
}

const payloadOf = (line: string) => JSON.parse(Buffer.from(line.split('.')[1] ?? '', 'base64url').toString())

/** The steps with one of them changed, all behind it signed anew. */
function rechained(draw: PublishedDraw, at: number, change: (step: DrawStep) => DrawStep): DrawFiles {
  const steps = draw.kept.steps.slice(0, at)
  for (const line of draw.kept.steps.slice(at)) {
    const step: DrawStep = payloadOf(line)
    const next = step.number === at ? change(step) : { ...step, previous: lineHash(steps.at(-1) ?? '') }
    steps.push(signLine(draw.plan.signer, stepLine, next))
  }
  return withFile(draw, stepsFile, fileOfLines(steps))
}

const lastStep = ({ kept }: PublishedDraw) => kept.steps.length - 1

/** The list signed anew with other facts. */
function relisted(draw: PublishedDraw, changes: object): DrawFiles {
  const line = signLine(draw.plan.signer, listLine, { ...payloadOf(draw.kept.lists[0] ?? ''), ...changes })
  return withFile(draw, signedListFile, fileOfLines([line]))
}

/** Published again by other entries, with the key of the shop, and everything behind them. */
const redrawn = (draw: PublishedDraw, changes: Partial<PublishedDraw['plan']>) =>
  publishDraw({ ...draw.plan, ...changes }).files

/** One bit of a file is changed. */
const bitOf = (path: string, ...faults: DrawFault[]): Tampering => {
  return (draw, random) => ({
    files: withFile(draw, path, flipped(fileOf(draw, path), random)),
    known: draw.kept,
    faults,
  })
}

/** Without what is known of the draw, as most readers are. */
const published = (fault: DrawFault, filesOf: (draw: PublishedDraw, random: Random) => DrawFiles): Tampering => {
  return (draw, random) => ({ files: filesOf(draw, random), faults: [fault] })
}

/** Published again with other records, and read by those who know that part of the first publication. */
const recorded = (
  fault: DrawFault,
  known: (keyof PublishedDraw['kept'])[],
  recordsOf: (records: readonly Uint8Array[], random: Random) => readonly Uint8Array[],
): Tampering => {
  return (draw, random) => ({
    files: redrawn(draw, { records: [...recordsOf(draw.plan.records, random)], steps: [] }),
    known: Object.fromEntries(known.map((part) => [part, draw.kept[part]])),
    faults: [fault],
  })
}

const otherRules: Tampering = (draw, random) => {
  const units = draw.plan.rules.variants.map((variant) => ({ ...variant, units: variant.units + 1 }))
  const changes = random.pick([{ variants: units }, { claimWindowSeconds: 1 }, { commitSeconds: 300 }])
  const rules = { ...draw.plan.rules, ...changes }
  return {
    files: withFile(draw, rulesFile, textBytes(JSON.stringify(rules))),
    faults: ['list-other-draw', 'rules-round'],
  }
}

const oneMore = (variant: number) => recordOf({ id: sha256('one more'), change: 1, variant })
const otherHash = bytesToHex(sha256('other'))

export const tamperings: Readonly<Record<string, Tampering>> = {
  'a bit of the list': bitOf(listFile, 'root-wrong'),
  'a bit of the signed list': bitOf(signedListFile, 'list-unreadable', 'list-signature', 'list-replaced'),
  'a bit of the steps': bitOf(stepsFile, 'step-unreadable', 'step-signature', 'step-replaced'),
  'a bit of the rules': bitOf(rulesFile, 'rules-unreadable', 'rules-round', 'list-other-draw'),
  'a bit of the beacon': bitOf(
    roundFile,
    ...(['beacon-unreadable', 'beacon-round', 'beacon-randomness', 'beacon-signature'] as const),
  ),
  'a spare bit of the last signature': published('step-signature', (draw) => {
    const text = String(Buffer.from(fileOf(draw, stepsFile)))
    const next = (last: string) => String.fromCharCode(last.charCodeAt(0) + 1)
    return withFile(draw, stepsFile, textBytes(text.replace(/[AQgw]\n$/, (end) => `${next(end)}\n`)))
  }),
  'a beacon that two readers read differently': published('beacon-unreadable', (draw, random) => {
    const text = String(Buffer.from(fileOf(draw, roundFile)))
    const written = ['"round":1,"round":$1', '"round":$1.0', '"\\u0072ound":$1']
    const changed = text.replace(/"round":(\d+)/, random.pick(written))
    return withFile(draw, roundFile, textBytes(random.pick([changed, `\ufeff${text}`, text + ' '.repeat(65_536)])))
  }),
  'other rules': otherRules,
  'a file that is missing': (draw, random) => {
    const path = random.pick([rulesFile, listFile, signedListFile])
    return { files: withFile(draw, path, undefined), faults: ['rules-unreadable', 'list-missing'] }
  },
  'a list that is cut off': published('list-missing', (draw) =>
    withFile(draw, listFile, fileOf(draw, listFile).subarray(0, -34)),
  ),
  'another key': published('list-signature', (draw) => redrawn(draw, { signer: signerOf('another') })),
  'two signed lists': published('list-unreadable', (draw) =>
    withFile(draw, signedListFile, fileOfLines([...draw.kept.lists, ...draw.kept.lists])),
  ),
  'a list before the close': published('list-early', (draw) =>
    redrawn(draw, { listedAt: draw.plan.rules.closesAt - 1 }),
  ),
  'a list when the number is known': published('list-late', (draw) =>
    redrawn(draw, { listedAt: draw.plan.rules.closesAt + 100_000 }),
  ),
  'a list with another count': published('list-missing', (draw, random) =>
    relisted(draw, { count: draw.list.count + random.whole(1, 5) }),
  ),
  'a list with another root': published('root-wrong', (draw) => relisted(draw, { root: otherHash })),
  'a list of another draw': published('list-other-draw', (draw) => relisted(draw, { rules: otherHash })),
  'rules that were published anew': (draw) => ({
    files: redrawn(draw, { rules: { ...draw.plan.rules, claimWindowSeconds: 1 }, steps: [] }),
    known: { receipts: draw.kept.receipts },
    faults: ['rules-changed'],
  }),
  'an entry that is left out': recorded('receipt-excluded', ['receipts'], (records, random) =>
    records.toSpliced(random.whole(0, records.length - 1), 1),
  ),
  'an entry with another variant': recorded('receipt-excluded', ['receipts'], (records, random) => {
    const at = random.whole(0, records.length - 1)
    return records.map((record, n) => (n === at ? turned(record) : record))
  }),
  'a change that is ignored': (draw, random) => {
    const { signer, rules } = draw.plan
    const id = bytesToHex(idOfEntrant(random.whole(0, draw.plan.records.length - 1)))
    const change = { sale: rules.sale, rules: payloadOf(draw.kept.receipts[0] ?? '').rules, at: rules.opensAt + 2 }
    const receipt = signLine(signer, receiptLine, { ...change, id, change: 9, variant: 0 })
    return { files: draw.files, known: { receipts: [receipt] }, faults: ['receipt-excluded'] }
  },
  'an entry that is there twice': recorded('record-order', [], (records, random) => [...records, random.pick(records)]),
  'an entry without its variant': recorded('record-unreadable', [], (records) => [...records, oneMore(25)]),
  'a list that was replaced': recorded('list-replaced', ['lists'], (records) => [...records, oneMore(1)]),
  'a step that is left out': published('step-chain', (draw) =>
    withFile(draw, stepsFile, fileOfLines(draw.kept.steps.slice(1))),
  ),
  'a last step that is left out': (draw) => ({
    files: withFile(draw, stepsFile, fileOfLines(draw.kept.steps.slice(0, -1))),
    known: { steps: draw.kept.steps },
    faults: ['step-replaced'],
  }),
  'other offers': published('offers-wrong', (draw, random) =>
    rechained(draw, random.whole(0, lastStep(draw)), (step) => ({
      ...step,
      offered: step.offered.map((count) => count + 1),
    })),
  ),
  'a step of another number': published('step-chain', (draw) =>
    rechained(draw, lastStep(draw), (step) => ({ ...step, number: step.number + 1 })),
  ),
  'a step before its time': published('step-order', (draw) =>
    rechained(draw, lastStep(draw), (step) => ({ ...step, at: draw.plan.rules.closesAt })),
  ),
  'a unit that comes back twice': published('step-event', (draw) =>
    rechained(draw, lastStep(draw), (step) => ({ ...step, events: [...step.events, ...step.events] })),
  ),
  'an offer that ends too early': published('step-early', (draw) => {
    const { rules } = draw.plan
    const plan = { ...draw.plan, rules: { ...rules, claimWindowSeconds: 1_000_000 }, steps: [] }
    const short = publishDraw(plan)
    const winnersOf = ({ queues }: PublishedDraw) =>
      queues.flatMap((queue, n) => ((rules.variants[n]?.units ?? 0) > 0 ? [...queue.subarray(0, 1)] : []))
    const [entry = winnersOf(draw)[0] ?? 0] = winnersOf(short)
    const [decided = ''] = short.kept.steps
    const step: DrawStep = {
      ...{ number: 1, previous: lineHash(decided), at: rules.closesAt + 1000 * rules.commitSeconds + 1000 },
      ...{ events: [{ entry, reason: 'unclaimed' }], offered: payloadOf(decided).offered },
    }
    return withFile(short, stepsFile, fileOfLines([...short.kept.steps, signLine(plan.signer, stepLine, step)]))
  }),
}

/** The record of the same change with another variant. */
function turned(record: Uint8Array): Uint8Array {
  const changed = new Uint8Array(record)
  changed[33] = changed[33] === 0 ? 1 : 0
  return changed
}
