/**
 * Ways to tamper with a published draw: with its files alone, as an outsider can, and with the key that signs it, as the
 * shop can. Each names the faults of which at least one must be found.
 */

import { bytesToHex } from '@noble/hashes/utils.js'
import {
  type DrawFault,
  type KnownOfDraw,
  listFile,
  roundFile,
  signedListFile,
  stepsFile,
} from '../../../core/draw/check-draw.ts'
import { recordOf } from '../../../core/draw/list.ts'
import { type DrawStep, lineHash, listLine, receiptLine, rulesFile, stepLine } from '../../../core/draw/rules.ts'
import type { Random } from '../../../proof/simulation/engine/random.ts'
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

const anyFault = (draw: PublishedDraw, path: string, faults: readonly DrawFault[]): Tampering => {
  return (_, random) => ({ files: withFile(draw, path, flipped(fileOf(draw, path), random)), known: draw.kept, faults })
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

export const tamperings: Readonly<Record<string, Tampering>> = {
  'a bit of the list': (draw, random) => anyFault(draw, listFile, ['root-wrong'])(draw, random),
  'a bit of the signed list': (draw, random) =>
    anyFault(draw, signedListFile, ['list-unreadable', 'list-signature', 'list-replaced'])(draw, random),
  'a bit of the steps': (draw, random) =>
    anyFault(draw, stepsFile, ['step-unreadable', 'step-signature', 'step-replaced'])(draw, random),
  'a bit of the rules': (draw, random) =>
    anyFault(draw, rulesFile, ['rules-unreadable', 'rules-round', 'list-other-draw'])(draw, random),
  'a bit of the beacon': (draw, random) =>
    anyFault(draw, roundFile, ['beacon-unreadable', 'beacon-round', 'beacon-randomness', 'beacon-signature'])(
      draw,
      random,
    ),
  'other rules': otherRules,
  'a file that is missing': (draw, random) => {
    const path = random.pick([rulesFile, listFile, signedListFile])
    return { files: withFile(draw, path, undefined), faults: ['rules-unreadable', 'list-missing'] }
  },
  'a list that is cut off': (draw) => ({
    files: withFile(draw, listFile, fileOf(draw, listFile).subarray(0, -34)),
    faults: ['list-missing'],
  }),
  'another key': (draw) => ({
    files: publishDraw({ ...draw.plan, signer: signerOf('another') }).files,
    faults: ['list-signature'],
  }),
  'two signed lists': (draw) => ({
    files: withFile(draw, signedListFile, fileOfLines([...draw.kept.lists, ...draw.kept.lists])),
    faults: ['list-unreadable'],
  }),
  'a list before the close': (draw) => ({
    files: redrawn(draw, { listedAt: draw.plan.rules.closesAt - 1 }),
    faults: ['list-early'],
  }),
  'a list when the number is known': (draw) => ({
    files: redrawn(draw, { listedAt: draw.plan.rules.closesAt + 100_000 }),
    faults: ['list-late'],
  }),
  'a list with another count': (draw, random) => ({
    files: relisted(draw, { count: draw.list.count + random.whole(1, 5) }),
    faults: ['list-missing'],
  }),
  'a list with another root': (draw) => ({
    files: relisted(draw, { root: bytesToHex(sha256('other')) }),
    faults: ['root-wrong'],
  }),
  'a list of another draw': (draw) => ({
    files: relisted(draw, { rules: bytesToHex(sha256('other')) }),
    faults: ['list-other-draw'],
  }),
  'rules that were published anew': (draw) => ({
    files: publishDraw({ ...draw.plan, rules: { ...draw.plan.rules, claimWindowSeconds: 1 }, steps: [] }).files,
    known: { receipts: draw.kept.receipts },
    faults: ['rules-changed'],
  }),
  'an entry that is left out': (draw, random) => {
    const out = random.whole(0, draw.plan.records.length - 1)
    const records = draw.plan.records.filter((_, n) => n !== out)
    return {
      files: redrawn(draw, { records, steps: [] }),
      known: { receipts: draw.kept.receipts },
      faults: ['receipt-excluded'],
    }
  },
  'an entry with another variant': (draw, random) => {
    const at = random.whole(0, draw.plan.records.length - 1)
    const records = draw.plan.records.map((record, n) => (n === at ? turned(record) : record))
    return {
      files: redrawn(draw, { records, steps: [] }),
      known: { receipts: draw.kept.receipts },
      faults: ['receipt-excluded'],
    }
  },
  'a change that is ignored': (draw, random) => {
    const { signer, rules } = draw.plan
    const id = bytesToHex(idOfEntrant(random.whole(0, draw.plan.records.length - 1)))
    const rulesOf = payloadOf(draw.kept.receipts[0] ?? '').rules
    const receipt = signLine(signer, receiptLine, {
      sale: rules.sale,
      rules: rulesOf,
      at: rules.opensAt + 2,
      id,
      change: 9,
      variant: 0,
    })
    return { files: draw.files, known: { receipts: [receipt] }, faults: ['receipt-excluded'] }
  },
  'an entry that is there twice': (draw, random) => {
    const records = [...draw.plan.records, random.pick(draw.plan.records)]
    return { files: redrawn(draw, { records, steps: [] }), faults: ['record-order'] }
  },
  'an entry without its variant': (draw) => {
    const records = [...draw.plan.records, recordOf({ id: sha256('one more'), change: 1, variant: 25 })]
    return { files: redrawn(draw, { records, steps: [] }), faults: ['record-unreadable'] }
  },
  'a list that was replaced': (draw) => {
    const records = [...draw.plan.records, recordOf({ id: sha256('one more'), change: 1, variant: 1 })]
    return {
      files: redrawn(draw, { records, steps: [] }),
      known: { lists: draw.kept.lists },
      faults: ['list-replaced'],
    }
  },
  'a step that is left out': (draw) => ({
    files: withFile(draw, stepsFile, fileOfLines(draw.kept.steps.slice(1))),
    faults: ['step-chain'],
  }),
  'a last step that is left out': (draw) => ({
    files: withFile(draw, stepsFile, fileOfLines(draw.kept.steps.slice(0, -1))),
    known: { steps: draw.kept.steps },
    faults: ['step-replaced'],
  }),
  'other offers': (draw, random) => ({
    files: rechained(draw, random.whole(0, lastStep(draw)), (step) => ({
      ...step,
      offered: step.offered.map((count) => count + 1),
    })),
    faults: ['offers-wrong'],
  }),
  'a step of another number': (draw) => ({
    files: rechained(draw, lastStep(draw), (step) => ({ ...step, number: step.number + 1 })),
    faults: ['step-chain'],
  }),
  'a step before its time': (draw) => ({
    files: rechained(draw, lastStep(draw), (step) => ({ ...step, at: draw.plan.rules.closesAt })),
    faults: ['step-order'],
  }),
  'a unit that comes back twice': (draw) => ({
    files: rechained(draw, lastStep(draw), (step) => ({ ...step, events: [...step.events, ...step.events] })),
    faults: ['step-event'],
  }),
  'an offer that ends too early': (draw) => {
    const [entry = 0] = draw.queues.flatMap((queue, n) =>
      (draw.plan.rules.variants[n]?.units ?? 0) > 0 ? [...queue.subarray(0, 1)] : [],
    )
    const { rules } = draw.plan
    const plan = { ...draw.plan, rules: { ...rules, claimWindowSeconds: 1_000_000 }, steps: [] }
    const short = publishDraw(plan)
    const winner = short.queues.flatMap((queue, n) =>
      (rules.variants[n]?.units ?? 0) > 0 ? [...queue.subarray(0, 1)] : [],
    )
    const [first = entry] = winner
    const at = rules.closesAt + 1000 * rules.commitSeconds + 1000
    const step: DrawStep = {
      number: 1,
      previous: lineHash(short.kept.steps[0] ?? ''),
      at,
      events: [{ entry: first, reason: 'unclaimed' }],
      offered: payloadOf(short.kept.steps[0] ?? '').offered,
    }
    const steps = [...short.kept.steps, signLine(plan.signer, stepLine, step)]
    return { files: withFile(short, stepsFile, fileOfLines(steps)), faults: ['step-early'] }
  },
}

/** The record of the same change with another variant. */
function turned(record: Uint8Array): Uint8Array {
  const changed = new Uint8Array(record)
  changed[33] = changed[33] === 0 ? 1 : 0
  return changed
}
