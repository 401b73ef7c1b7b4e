/**
 * `/api/control/blocklist`: a marketer blocks shoppers, members of staff, addresses or keys, or unblocks them (R8).
 * Safe to repeat (I5).
 */
import type { BlockTerms } from '../../core/api/blocks.ts'
import type { BlockEntry } from '../../core/api/control-answers.ts'
import { controlOperations } from '../../core/api/control-requests.ts'
import { type Block, type BlockKind, blockField, isWide, parseBlock, shortestPrefix } from '../../core/gate/block.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import { sessionKeyHeader } from '../../core/people/session.ts'
import { setBlocked } from '../../redis/gate/shared-lists.ts'
import { type HttpAnswer, invalid, notFound } from '../lib/http/answer.ts'
import { repeatUntilStable, retryAtMost } from '../lib/retry.ts'
import type { GatePorts } from '../lib/shop/shop.ts'
import type { Actor } from '../sales/audit.ts'
import { allBlocks, changeBlocks, findBlock, maxBlocks, maxEntriesPerTransaction } from '../table/gate/blocklist.ts'
import { refusal } from './answers.ts'
import { onControl } from './staff.ts'

const hasTerms = ({ reason, until }: BlockTerms, entry: BlockTerms) => entry.reason === reason && entry.until === until

const termsOf = ({ reason, until }: BlockTerms) => ({ ...(reason && { reason }), ...(until && { until }) })

/**
 * Publishes one block, or its removal, to the gate. Reads the table again afterwards, so that the last writer wins with the
 * latest state. Safe to repeat.
 */
async function publishBlock({ gate, table, clock }: GatePorts, blocked: Block): Promise<void> {
  await repeatUntilStable(
    async () => (await findBlock(table, blocked)) !== undefined,
    (isBlocked) => setBlocked(gate, blockField(blocked), isBlocked, clock()),
  )
}

/** How often a call reads the block list again when others change it meanwhile. */
const maxTries = 3

/**
 * Blocks and returns the entry. An earlier block keeps its author unless `terms` name another reason or end. Without `terms` it
 * stays as it is.
 * @throws when a part is unavailable, or others keep changing the entry
 */
function block(ports: GatePorts, actor: Actor, blocked: Block, terms: BlockTerms): Promise<BlockEntry | HttpAnswer> {
  const { table, clock } = ports
  const when = clock()
  const after = { ...blocked, ...terms }
  const entry = { ...after, who: actor.who, when }
  return retryAtMost(maxTries, blocked.value, async () => {
    const former = await findBlock(table, blocked)
    const isUnchanged = former !== undefined && (Object.keys(terms).length === 0 || hasTerms(terms, former))
    if (!isUnchanged) {
      const before = former === undefined ? null : { ...blocked, ...termsOf(former) }
      const audit = { ...actor, what: 'block' as const, saleId: null, when, before, after }
      if ((await changeBlocks(table, [{ entry, former }], audit)) === 'refused') {
        return former === undefined && (await findBlock(table, blocked)) === undefined ? blocklistFull() : undefined
      }
    }
    await publishBlock(ports, blocked)
    return isUnchanged ? former : entry
  })
}

/** A range of addresses takes two segments of a path. */
const path = controlOperations.block.path.replace(':value', ':value{.+}')

const names: Readonly<Record<string, string>> = {
  shopper: 'shopper ID',
  'session-key': 'ID of a session key',
  'shop-key': 'name of a shop key',
} satisfies Record<Exclude<BlockKind, 'ip'>, string>

/** Reads the entry that a path names. */
function readEntry(parts: { kind: string; value: string }): Block | HttpAnswer {
  const { kind } = parts
  const [value = '', prefix, ...more] = parts.value.split('/').map(decodePart)
  const isValidPath =
    kind === 'ip' ? more.length === 0 && prefix !== '' : Object.hasOwn(names, kind) && prefix === undefined
  if (!isValidPath) return notFound()
  const found = parseBlock(kind, prefix === undefined ? value : `${value}/${prefix}`)
  if (found !== undefined) return found
  if (kind !== 'ip') return invalid('value', `value is not a valid ${names[kind]}`)
  return parseBlock(kind, value) === undefined
    ? invalid('address', 'address is not a valid IPv4 or IPv6 address')
    : invalid('prefix', 'prefix is not valid for this address')
}

export const blocklistRoutes = [
  onControl(controlOperations.listBlocks, async ({ table }: GatePorts) => ({ entries: await allBlocks(table) })),
  // When others keep changing the entries, some may be changed although the call fails.
  onControl(controlOperations.importBlocks, async (ports: GatePorts, { actor, body, headers }) => {
    const { entries: requested, dryRun = false } = body
    const { table, clock } = ports
    const when = clock()
    for (const [at, entry] of requested.entries()) {
      const path = `entries.${at}.`
      if (isWide(entry)) return invalid(`${path}value`, tooWide(entry))
      const fault = findEntryFault(entry, { by: actor.who, headers, now: when, path })
      if (fault !== undefined) return fault
    }
    const entries = new Map(requested.map((one) => [blockField(one), { ...one, who: actor.who, when }]))
    let changed = 0
    return retryAtMost(maxTries, 'the block list', async () => {
      const listed = new Map((await allBlocks(table)).map((entry) => [blockField(entry), entry]))
      const changes = [...entries].flatMap(([field, entry]) => {
        const former = listed.get(field)
        return former !== undefined && hasTerms(entry, former) ? [] : [{ entry, former }]
      })
      const added = changes.filter(({ former }) => former === undefined).length
      if (listed.size + added > maxBlocks) return blocklistFull()
      if (dryRun) return { changed: changes.length, same: requested.length - changes.length }
      let isRefused = false
      for (const some of slicesOf(changes, maxEntriesPerTransaction)) {
        const after = { entries: some.map(({ entry }) => blockField(entry)) }
        const audit = { ...actor, what: 'import-blocks' as const, saleId: null, when, before: null, after }
        if ((await changeBlocks(table, some, audit)) === 'written') changed += some.length
        else isRefused = true
      }
      if (isRefused) return undefined
      // Publish all of them: an earlier call may have ended before it wrote to the gate.
      for (const some of slicesOf([...entries.values()], maxEntriesPerTransaction))
        await Promise.all(some.map((entry: BlockEntry) => publishBlock(ports, entry)))
      return { changed, same: requested.length - changed }
    })
  }),
  onControl({ ...controlOperations.block, path }, async (ports: GatePorts, call) => {
    const { actor, params, query, headers, body } = call
    const found = readEntry(params)
    if ('statusCode' in found) return found
    if (isWide(found) && query.force === undefined) return invalid('prefix', tooWide(found))
    const fault = findEntryFault({ ...found, ...body }, { by: actor.who, headers, now: ports.clock() })
    return fault ?? block(ports, actor, found, body)
  }),
  onControl({ ...controlOperations.unblock, path }, async (ports: GatePorts, { actor, params }) => {
    const found = readEntry(params)
    if ('statusCode' in found) return found
    const { table, clock } = ports
    const audit = { ...actor, what: 'unblock' as const, saleId: null, when: clock(), before: found, after: null }
    return retryAtMost(maxTries, found.value, async () => {
      const former = await findBlock(table, found)
      if (former !== undefined && (await changeBlocks(table, [{ former }], audit)) === 'refused') return undefined
      await publishBlock(ports, found)
      return found
    })
  }),
]

const blocklistFull = () => refusal({ reason: 'blocklist-full', values: { limit: maxBlocks } })

type EntryContext = {
  by: string
  headers: Readonly<Record<string, string | undefined>>
  now: number
  /** The place of the entry in the body. */
  path?: string
}

/** Returns why the entry cannot be set. A marketer who is the only one could lock out all staff by mistake. */
function findEntryFault({ kind, value, until }: Block & BlockTerms, { by, headers, now, path = '' }: EntryContext) {
  if (until !== undefined && until <= now) return invalid(`${path}until`, 'until must be in the future')
  if (kind === 'shopper' && value === by) return refusal({ reason: 'own-block' })
  if (kind === 'session-key' && value === headers[sessionKeyHeader]) return refusal({ reason: 'own-session-key' })
  return undefined
}

function tooWide({ value }: Block): string {
  return (
    `${value} is wider than /${shortestPrefix[4]} (IPv4) or /${shortestPrefix[6]} (IPv6) and would block many ` +
    'honest shoppers. To block it all the same, add ?force=true.'
  )
}

/** Decodes a part of a path. Returns a part with a wrong encoding unchanged, which no value matches. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
