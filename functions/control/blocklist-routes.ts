/** `/api/control/blocklist`: the list, and one entry of it by its own address. */
import { controlApi } from '../../core/api/control.ts'
import { controlRoutes } from '../../core/api/control-routes.ts'
import { type Block, isWide, parseBlock, shortestPrefix } from '../../core/gate/block.ts'
import { sessionKeyHeader } from '../../core/people/session-key.ts'
import type { Role } from '../../core/roles.ts'
import { answerOf, type HttpAnswer, invalid } from '../lib/http/answer.ts'
import type { HttpRequest } from '../lib/http/request.ts'
import type { PathParts, PathRoute } from '../lib/http/routes.ts'
import type { BlocklistPorts } from '../repair/gate/compare-blocklist.ts'
import type { Actor } from '../sales/audit.ts'
import { maxBlocks } from '../table/gate/blocklist.ts'
import { refusal } from './answers.ts'
import { block, unblock } from './blocklist.ts'

type Context = { ports: BlocklistPorts; request: HttpRequest; actor: Actor }

type BlocklistRoute = PathRoute<Context> & { roles: readonly Role[] }

type Read = { ok: true; block: Block } | { ok: false; field: string; detail: string }

const list = controlApi.listBlocks.path

/** Where an entry has its address, and how that is read. */
const kinds: readonly { path: string; read: (parts: PathParts) => Read }[] = [
  {
    path: `${list}/shopper/:value`,
    read: ({ value }) => asBlock('shopper', decoded(value), 'value', 'value is not a valid shopper ID'),
  },
  {
    path: `${list}/session-key/:value`,
    read: ({ value }) =>
      asBlock('session-key', decoded(value), 'value', 'value is not a valid ID of a session key'),
  },
  {
    path: `${list}/shop-key/:value`,
    read: ({ value }) =>
      asBlock('shop-key', decoded(value), 'value', 'value is not a valid name of a shop key'),
  },
  { path: `${list}/ip/:address`, read: ({ address }) => readAddress(address) },
  { path: `${list}/ip/:address/:prefix`, read: ({ address, prefix }) => readRange(address, prefix) },
]

export const blocklistRoutes: readonly BlocklistRoute[] = [
  {
    ...controlApi.listBlocks,
    run: async ({ ports }) => answerOf(controlApi.listBlocks, { entries: await ports.blocklist.entries() }),
  },
  ...kinds.flatMap(({ path, read }): BlocklistRoute[] => [
    {
      ...controlRoutes.block,
      path,
      run: (context, parts) => on(read(parts), (found) => shutOut(context, found)),
    },
    {
      ...controlRoutes.unblock,
      path,
      run: (context, parts) => on(read(parts), (found) => letIn(context, found)),
    },
  ]),
]

async function shutOut({ ports, request, actor }: Context, found: Block): Promise<HttpAnswer> {
  const force = request.query.get('force')
  if (force !== null && force !== 'true') return invalid('force', 'force must be true, or left out')
  if (isWide(found) && force === null) return invalid('prefix', tooWide(found))
  // So no marketer is the last one and locks everyone out by a slip.
  if (found.kind === 'shopper' && found.value === actor.who) return refusal({ reason: 'own-block' })
  if (found.kind === 'session-key' && found.value === request.headers[sessionKeyHeader])
    return refusal({ reason: 'own-session-key' })
  const added = await block(ports, actor, found)
  if (added.kind !== 'full') return answerOf(controlApi.block, added.entry)
  return refusal({ reason: 'blocklist-full', values: { limit: maxBlocks } })
}

function tooWide({ value }: Block): string {
  return (
    `${value} is wider than /${shortestPrefix[4]} (IPv4) or /${shortestPrefix[6]} (IPv6) and would block many ` +
    'honest shoppers. To block it all the same, add ?force=true.'
  )
}

async function letIn({ ports, actor }: Context, found: Block): Promise<HttpAnswer> {
  await unblock(ports, actor, found)
  return answerOf(controlApi.unblock, found)
}

async function on(read: Read, run: (found: Block) => Promise<HttpAnswer>): Promise<HttpAnswer> {
  return read.ok ? run(read.block) : invalid(read.field, read.detail)
}

function readAddress(address: string | undefined): Read {
  return asBlock('ip', decoded(address), 'address', 'address is not a valid IPv4 or IPv6 address')
}

function readRange(address: string | undefined, prefix: string | undefined): Read {
  const plain = readAddress(address)
  const range = `${decoded(address)}/${decoded(prefix)}`
  return plain.ok ? asBlock('ip', range, 'prefix', 'prefix is not valid for this address') : plain
}

function asBlock(kind: Block['kind'], value: string, field: string, detail: string): Read {
  const found = parseBlock(kind, value)
  return found === undefined ? { ok: false, field, detail } : { ok: true, block: found }
}

/** A part of a path as it was meant; what is encoded wrong stays as it came, which no value is. */
function decoded(part = ''): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
