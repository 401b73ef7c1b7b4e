/**
 * Ways to tamper with a published draw: with its files alone, as an outsider can, and with the key that signs it, as the
 * shop can. Each names the faults of which at least one must be found.
 */
import { hexOf } from '../../../core/draw/bytes.ts'
import type { DrawFault, KnownOfDraw } from '../../../core/draw/check-draw.ts'
import { recordBytes } from '../../../core/draw/record.ts'
import type { DrawRules } from '../../../core/draw/rules.ts'
import { sha256 } from '../../../core/draw/sha256.ts'
import {
  type DrawHead,
  type DrawStep,
  headLine,
  lineHash,
  receiptLine,
  stepLine,
} from '../../../core/draw/signed-line.ts'
import {
  type DrawFiles,
  type DrawPlan,
  fileOfLines,
  type PublishedDraw,
  publishDraw,
  signerOf,
  signLine,
} from '../../../proof/draw/publish-draw.ts'
import type { Random } from '../../../proof/simulation/engine/random.ts'

/** A draw to tamper with: it has several heads, records and steps. */
export type Original = PublishedDraw & { plan: DrawPlan }

type Tampered = { files: DrawFiles; known?: KnownOfDraw; faults: readonly DrawFault[] }

type Tampering = (draw: Original, random: Random) => Tampered | Promise<Tampered>

const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
const bytesOf = (text: string) => new TextEncoder().encode(text)

function withFile(draw: Original, path: string, content: Uint8Array | undefined): DrawFiles {
  const files = new Map(draw.files)
  if (content === undefined) files.delete(path)
  else files.set(path, content)
  return files
}

/** A file with one bit of it changed. */
function flipped(bytes: Uint8Array, random: Random, from = 0, to = bytes.length): Uint8Array {
  const changed = new Uint8Array(bytes)
  const at = random.whole(from, to - 1)
  changed[at] = (changed[at] ?? 0) ^ (1 << random.whole(0, 7))
  return changed
}

const tile = (draw: Original) => draw.files.get('tiles/0.bin') ?? new Uint8Array()
const records = (bytes: Uint8Array) =>
  Array.from({ length: bytes.length / recordBytes }, (_, n) => bytes.subarray(n * recordBytes, (n + 1) * recordBytes))
const joined = (parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts))

const payloadOf = (line: string) => JSON.parse(Buffer.from(line.split('.')[1] ?? '', 'base64url').toString())
const unsigned = (line: string, payload: object) => {
  const [header, , signature] = line.split('.')
  return [header, Buffer.from(JSON.stringify(payload)).toString('base64url'), signature].join('.')
}

/** Another value of the same kind. */
function otherThan(value: unknown, random: Random): unknown {
  if (typeof value === 'number') return value + random.whole(1, 5)
  if (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)) return hexOf(sha256(bytesOf(value)))
  if (typeof value === 'string') return `${value}x`
  return Array.isArray(value) ? [...value, { variant: 1, units: random.whole(1, 9) }] : value
}

/** The lines with the payload of one of them changed, all behind it signed anew. */
function rechained<Payload extends DrawHead | DrawStep>(
  draw: Original,
  lines: readonly string[],
  at: number,
  change: (payload: Payload) => Payload,
): string[] {
  const kind = payloadOf(lines[0] ?? '').rules === undefined ? stepLine : headLine
  const changed = lines.slice(0, at)
  for (const [number, line] of lines.entries()) {
    if (number < at) continue
    const payload = payloadOf(line)
    const previous = number === at ? payload.previous : lineHash(changed.at(-1) ?? '')
    const next = { ...payload, previous }
    changed.push(signLine(draw.plan.signer, kind, number === at ? change(next) : next))
  }
  return changed
}

/** Draws again by other entries, with the key of the shop, and everything behind them. */
const redrawn = (draw: Original, change: Partial<DrawPlan>) => publishDraw({ ...draw.plan, ...change })

function pickRecord({ plan: { batches } }: Original, random: Random) {
  const from = random.pick([...batches.keys()].filter((batch) => (batches[batch]?.length ?? 0) > 0))
  const at = random.whole(0, (batches[from]?.length ?? 1) - 1)
  return { from, at }
}

function withRecord(draw: Original, { from, at }: { from: number; at: number }, record: Uint8Array | undefined) {
  return draw.plan.batches.map((batch, number) =>
    number === from
      ? batch.flatMap((one, place) => (place !== at ? [one] : record === undefined ? [] : [record]))
      : batch,
  )
}

/** The receipts of all records, and all lines, as their readers kept them. */
export function keptOf({
  heads,
  steps,
  receiptOf,
  records: { list },
}: PublishedDraw): Required<Omit<KnownOfDraw, 'rules'>> {
  return { heads, steps, receipts: Array.from({ length: list.count }, (_, number) => receiptOf(number)) }
}

const headField = ['sale', 'number', 'previous', 'rules', 'at', 'count', 'root', 'round'] as const
const headFaults: Readonly<Record<(typeof headField)[number], readonly DrawFault[]>> = {
  sale: ['head-other-draw'],
  number: ['head-chain'],
  previous: ['head-chain'],
  rules: ['head-other-draw'],
  at: ['head-replaced'],
  count: ['head-order', 'root-wrong', 'tile-missing'],
  root: ['root-wrong'],
  round: ['head-other-draw'],
}
const stepField = ['sale', 'number', 'previous', 'at', 'events', 'offers', 'offersHash', 'threshold'] as const
const stepFaults: Readonly<Record<(typeof stepField)[number], readonly DrawFault[]>> = {
  sale: ['step-other-draw'],
  number: ['step-chain'],
  previous: ['step-chain'],
  at: ['step-replaced'],
  events: ['step-replaced'],
  offers: ['offers-wrong'],
  offersHash: ['offers-wrong'],
  threshold: ['threshold-wrong'],
}

/** By their names. Those of an insider have the key of the shop. */
export const tamperings: Readonly<Record<string, Tampering>> = {
  'a bit of a record': (draw, random) => ({
    files: withFile(draw, 'tiles/0.bin', flipped(tile(draw), random)),
    faults: ['root-wrong'],
  }),
  'a record left out': (draw, random) => {
    const all = records(tile(draw))
    const left = all.toSpliced(random.whole(0, all.length - 1), 1)
    return { files: withFile(draw, 'tiles/0.bin', joined(left)), faults: ['tile-missing'] }
  },
  'a record added': (draw, random) => {
    const all = records(tile(draw))
    const more = all.toSpliced(random.whole(0, all.length), 0, flipped(all[0] ?? new Uint8Array(64), random))
    return { files: withFile(draw, 'tiles/0.bin', joined(more)), faults: ['tile-missing'] }
  },
  'two records exchanged': (draw, random) => {
    const all = records(tile(draw))
    const one = random.whole(0, all.length - 2)
    const other = random.whole(one + 1, all.length - 1)
    const [a, b] = [all[one], all[other]]
    if (a !== undefined && b !== undefined) [all[one], all[other]] = [b, a]
    return { files: withFile(draw, 'tiles/0.bin', joined(all)), faults: ['root-wrong'] }
  },
  'a root of a tile': (draw, random) => {
    const roots = draw.files.get('tiles/roots.bin') ?? new Uint8Array()
    return { files: withFile(draw, 'tiles/roots.bin', flipped(roots, random)), faults: ['tile-roots-wrong'] }
  },
  'a rule': (draw, random) => {
    const rules = JSON.parse(textOf(draw.files.get('draw.json')))
    const field = random.pick(['closesAt', 'opensAt', 'commitSeconds', 'round', 'claimWindowSeconds', 'units'])
    if (field === 'units') rules.variants[0].units += random.whole(1, 5)
    else rules[field] += random.whole(1, 50)
    return { files: withFile(draw, 'draw.json', bytesOf(JSON.stringify(rules))), faults: ['head-other-draw'] }
  },
  'a byte of the rules': (draw, random) => ({
    files: withFile(draw, 'draw.json', flipped(draw.files.get('draw.json') ?? new Uint8Array(), random)),
    faults: ['rules-unreadable', 'head-other-draw', 'head-unreadable'],
  }),
  'another round of the beacon': (draw, random) => {
    const beacon = JSON.parse(textOf(draw.files.get('beacon.json')))
    const round = beacon.round + random.whole(1, 1000)
    return {
      files: withFile(draw, 'beacon.json', bytesOf(JSON.stringify({ ...beacon, round }))),
      faults: ['beacon-round'],
    }
  },
  'other randomness': (draw, random) => {
    const beacon = JSON.parse(textOf(draw.files.get('beacon.json')))
    const field = random.pick(['randomness', 'signature'])
    beacon[field] = hexOf(flipped(Buffer.from(beacon[field], 'hex'), random))
    return {
      files: withFile(draw, 'beacon.json', bytesOf(JSON.stringify(beacon))),
      faults: [field === 'randomness' ? 'beacon-randomness' : 'beacon-signature'],
    }
  },
  'randomness that fits its signature': (draw, random) => {
    const beacon = JSON.parse(textOf(draw.files.get('beacon.json')))
    const signature = flipped(Buffer.from(beacon.signature, 'hex'), random)
    const other = { ...beacon, signature: hexOf(signature), randomness: hexOf(sha256(signature)) }
    return {
      files: withFile(draw, 'beacon.json', bytesOf(JSON.stringify(other))),
      faults: ['beacon-signature'],
    }
  },
  'a line without its key': (draw, random) => {
    const isHead = random.chance(0.5)
    const lines = [...(isHead ? draw.heads : draw.steps)]
    const at = random.whole(0, lines.length - 1)
    const payload = payloadOf(lines[at] ?? '')
    const field = random.pick(isHead ? headField : stepField)
    lines[at] = unsigned(lines[at] ?? '', { ...payload, [field]: otherThan(payload[field], random) })
    const files = withFile(draw, isHead ? 'heads.txt' : 'allocation.txt', fileOfLines(lines))
    return { files, faults: isHead ? ['head-signature'] : ['step-signature'] }
  },
  'a bit of the lines': (draw, random) => {
    const path = random.pick(['heads.txt', 'allocation.txt'])
    return {
      files: withFile(draw, path, flipped(draw.files.get(path) ?? new Uint8Array(), random)),
      known: keptOf(draw),
      // A line that was not kept may still be readable: then its signature is wrong.
      faults:
        path === 'heads.txt'
          ? ['head-unreadable', 'head-replaced', 'head-signature']
          : ['step-unreadable', 'step-replaced', 'step-signature'],
    }
  },
  'lines in another order, or fewer': (draw, random) => {
    const isHead = random.chance(0.5)
    const lines = isHead ? draw.heads : draw.steps
    const at = random.whole(0, lines.length - 2)
    const [one = '', other = ''] = lines.slice(at)
    const changed = random.pick([
      lines.toSpliced(at, 1),
      lines.toSpliced(at, 2, other, one),
      lines.toSpliced(at, 0, one),
    ])
    const files = withFile(draw, isHead ? 'heads.txt' : 'allocation.txt', fileOfLines(changed))
    return { files, faults: isHead ? ['head-chain'] : ['step-chain'] }
  },
  'lines cut off': (draw, random) => {
    const isHead = random.chance(0.5)
    const lines = isHead ? draw.heads : draw.steps
    const fewer = fileOfLines(lines.slice(0, random.whole(isHead ? 1 : 0, lines.length - 1)))
    return {
      files: withFile(draw, isHead ? 'heads.txt' : 'allocation.txt', fewer),
      known: keptOf(draw),
      faults: isHead ? ['head-replaced'] : ['step-replaced'],
    }
  },
  'a line of another key': (draw, random) => {
    const isHead = random.chance(0.5)
    const lines = [...(isHead ? draw.heads : draw.steps)]
    const at = random.whole(0, lines.length - 1)
    const thief = { ...signerOf(`thief ${random.whole(1, 3)}`), key: draw.plan.signer.key }
    lines[at] = signLine(thief, isHead ? headLine : stepLine, payloadOf(lines[at] ?? ''))
    const files = withFile(draw, isHead ? 'heads.txt' : 'allocation.txt', fileOfLines(lines))
    return { files, faults: isHead ? ['head-signature'] : ['step-signature'] }
  },
  'a missing file': (draw, random) => {
    const faults = {
      'draw.json': 'rules-unreadable',
      'heads.txt': 'head-missing',
      'tiles/0.bin': 'tile-missing',
    } as const
    const path = random.pick(Object.keys(faults) as (keyof typeof faults)[])
    return { files: withFile(draw, path, undefined), faults: [faults[path]] }
  },
  'a head by an insider': (draw, random) => {
    const at = random.whole(0, draw.heads.length - 1)
    const field = random.pick(headField)
    const heads = rechained<DrawHead>(draw, draw.heads, at, (head) => ({
      ...head,
      [field]: otherThan(head[field], random),
    }))
    return {
      files: withFile(draw, 'heads.txt', fileOfLines(heads)),
      known: keptOf(draw),
      faults: headFaults[field],
    }
  },
  'a step by an insider': (draw, random) => {
    const at = random.whole(0, draw.steps.length - 1)
    const field = random.pick(stepField)
    const steps = rechained<DrawStep>(draw, draw.steps, at, (step) => ({
      ...step,
      [field]: otherThan(step[field], random),
    }))
    return {
      files: withFile(draw, 'allocation.txt', fileOfLines(steps)),
      known: keptOf(draw),
      faults: stepFaults[field],
    }
  },
  'an event by an insider': (draw, random) => {
    const at = random.whole(1, draw.steps.length - 1)
    const event = random.pick([
      { entry: draw.records.list.count + random.whole(0, 9), reason: 'left' as const },
      { variant: 1 + draw.plan.rules.variants.length, units: 1 },
    ])
    const steps = rechained<DrawStep>(draw, draw.steps, at, (step) => ({
      ...step,
      events: [...step.events, event],
    }))
    return { files: withFile(draw, 'allocation.txt', fileOfLines(steps)), faults: ['step-event'] }
  },
  'an offer ended too early': (draw, random) => {
    const entry = draw.made[0]?.[0]?.entry ?? 0
    const first = payloadOf(draw.steps[0] ?? '')
    const events = [{ entry, reason: 'unclaimed' as const }]
    const earlyMs = random.whole(1, 1000 * draw.plan.rules.claimWindowSeconds - 1)
    const step = {
      ...first,
      number: 1,
      previous: lineHash(draw.steps[0] ?? ''),
      at: first.at + earlyMs,
      events,
    }
    const steps = [draw.steps[0] ?? '', signLine(draw.plan.signer, stepLine, step)]
    return { files: withFile(draw, 'allocation.txt', fileOfLines(steps)), faults: ['step-early'] }
  },
  'an offer ended in the step that made it': (draw) => {
    const [first = ''] = draw.steps
    const events = [{ entry: draw.made[0]?.[0]?.entry ?? 0, reason: 'unclaimed' as const }]
    const step = signLine(draw.plan.signer, stepLine, { ...payloadOf(first), events })
    return { files: withFile(draw, 'allocation.txt', fileOfLines([step])), faults: ['step-early'] }
  },
  'a closing head that is late': async (draw, random) => {
    const at = draw.heads.length - 1
    const heads = rechained<DrawHead>(draw, draw.heads, at, (head) => ({
      ...head,
      at: head.at + 1000 * draw.plan.rules.commitSeconds + random.whole(0, 1000),
    }))
    return { files: withFile(draw, 'heads.txt', fileOfLines(heads)), faults: ['head-late'] }
  },
  'an entrant left out by an insider': async (draw, random) => {
    const { files } = await redrawn(draw, { batches: withRecord(draw, pickRecord(draw, random), undefined) })
    const { receipts } = keptOf(draw)
    return { files, known: { receipts }, faults: ['receipt-excluded'] }
  },
  'an entry changed by an insider': async (draw, random) => {
    const place = pickRecord(draw, random)
    const record = new Uint8Array(draw.plan.batches[place.from]?.[place.at] ?? new Uint8Array(recordBytes))
    const changed = flipped(record, random, 0, 48)
    const { files } = await redrawn(draw, { batches: withRecord(draw, place, changed) })
    return {
      files,
      known: { receipts: keptOf(draw).receipts },
      faults: ['receipt-excluded', 'record-unreadable'],
    }
  },
  'tries given by an insider': async (draw, random) => {
    const place = pickRecord(draw, random)
    const record = new Uint8Array(draw.plan.batches[place.from]?.[place.at] ?? new Uint8Array(recordBytes))
    record[48] = random.whole(2, 6)
    record[49] ||= 1
    const rules: DrawRules = { ...draw.plan.rules, mostTries: 6 }
    const { files } = await redrawn(draw, { rules, batches: withRecord(draw, place, record) })
    return { files, faults: ['tries-wrong'] }
  },
  'an invented entrant behind a head that was seen': async (draw, random) => {
    const record = new Uint8Array(draw.plan.batches.flat()[0] ?? new Uint8Array(recordBytes))
    record.set(sha256(bytesOf(`invented ${random.fraction()}`)))
    const [first = [], ...others] = draw.plan.batches
    const { files } = await redrawn(draw, { batches: [[...first, record], ...others] })
    return { files, known: { heads: draw.heads.slice(0, 1) }, faults: ['head-replaced'] }
  },
  'rules published anew by an insider': async (draw, random) => {
    const rules: DrawRules = { ...draw.plan.rules, claimWindowSeconds: random.whole(700, 9000) }
    const { files } = await redrawn(draw, { rules })
    const known = { rules: hexOf(sha256(draw.files.get('draw.json') ?? new Uint8Array())) }
    return { files, known, faults: ['rules-changed'] }
  },
  'a round chosen by an insider': async (draw, random) => {
    const rules: DrawRules = { ...draw.plan.rules, round: draw.plan.rules.round + random.whole(1, 1000) }
    return { files: (await redrawn(draw, { rules })).files, faults: ['rules-round'] }
  },
  'a group that is too large': async (draw) => {
    const group = sha256(bytesOf('a crowd')).subarray(0, 16)
    const crowd = Array.from({ length: draw.plan.rules.mostInGroup + 1 }, (_, n) => {
      const record = new Uint8Array(recordBytes)
      record.set(sha256(bytesOf(`of a crowd ${n}`)))
      record.set(group, 32)
      record.set([1, 1], 48)
      return record
    })
    const [first = [], ...others] = draw.plan.batches
    const { files } = await redrawn(draw, { batches: [[...first, ...crowd], ...others] })
    return { files, faults: ['group-too-large', 'record-unreadable'] }
  },
  'a receipt that is forged': (draw, random) => {
    const receipt = draw.receiptOf(random.whole(0, draw.records.list.count - 1))
    const thief = { ...signerOf('a forger'), key: draw.plan.signer.key }
    const changed = { ...payloadOf(receipt), id: hexOf(sha256(bytesOf(String(random.fraction())))) }
    return {
      files: draw.files,
      known: {
        receipts: [random.pick([unsigned(receipt, changed), signLine(thief, receiptLine, payloadOf(receipt))])],
      },
      faults: ['receipt-signature'],
    }
  },
  'a receipt of another draw': (draw, random) => {
    const receipt = payloadOf(draw.receiptOf(random.whole(0, draw.records.list.count - 1)))
    const other = signLine(draw.plan.signer, receiptLine, { ...receipt, sale: 'another-draw' })
    return { files: draw.files, known: { receipts: [other] }, faults: ['receipt-other-draw'] }
  },
  'another line as a receipt': (draw, random) => ({
    files: draw.files,
    known: { receipts: [random.pick([...draw.heads, ...draw.steps])] },
    faults: ['receipt-unreadable'],
  }),
}
