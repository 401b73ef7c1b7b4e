/**
 * The table in memory behind the document client: our stores run on it as on DynamoDB, each command at once and
 * in whole. It has what they use of DynamoDB, with its limits, and refuses everything else.
 */
import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  IdempotentParameterMismatchException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb'
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { Table } from '../../../functions/lib/shop/shop.ts'
import { dynamoOrderWriter } from '../../../functions/table/orders/order-writer.ts'
import { attributesOf, TransactionRequest } from '../../../functions/table/transaction.ts'
import { itemOf } from '../../../functions/table/wire-items.ts'
import { tableDefinition } from '../../../system/table.ts'
import { conditionOf, keyConditionOf, type Placeholders, projectionOf, Refused, updateOf } from './expression.ts'
import { bytesOf, compareTexts, copyOfMap, type Item, storedCopy, type Value } from './values.ts'

export type MemoryTableOptions = {
  /** Epoch ms. Default: the machine's clock. */
  now?: () => number
  /** Bytes of a page of a query. Default: 1 MB, as in DynamoDB. */
  pageBytes?: number
  /** The moment whose state the index shows to a query, epoch ms. Default: now. */
  indexedAt?: () => number
  /** Changes each request of a transaction before it is carried out: for a program with a deliberate defect. */
  edit?: ((kind: WriteKind, request: TransactionPart) => TransactionPart) | undefined
}

/** A request of a transaction, its values as the document client has them. */
export type TransactionPart = Readonly<Record<string, unknown>> & {
  Key?: Item
  Item?: Item
  ConditionExpression?: string
}

export type MemoryTable = {
  client: Pick<DynamoDBDocumentClient, 'send'>
  /** Every item, those of one partition in the order in which they came. */
  items: (pk?: string) => Iterable<Item>
}

/** The only table there is. */
export const tableName = 'sluice'

/** An index of the table: its keys, and the other attributes that it shows. */
type IndexShape = { hash: string; range: string; shown: readonly string[] }

const indexShapes: ReadonlyMap<string, IndexShape> = new Map(
  tableDefinition.GlobalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }) => {
    const [hash = '', range = ''] = KeySchema.map(({ AttributeName }) => AttributeName)
    return [IndexName, { hash, range, shown: Projection.NonKeyAttributes ?? [] }]
  }),
)
const ownKeys: IndexShape = { hash: 'pk', range: 'sk', shown: [] }

const maxItemBytes = 400 * 1024
const maxPageBytes = 1024 * 1024
const maxTransactionBytes = 4 * maxPageBytes
const maxTransactionItems = 100
const maxBatchReads = 100
const maxBatchWrites = 25
/** How long the token of a transaction names its first request, ms. */
const tokenLifeMs = 10 * 60_000
/** No index lags for longer. */
const longestLagMs = 60_000

type Input = Readonly<Record<string, unknown>>
type ItemKey = { pk: string; sk: string }
/** A write of one item: what there is and what shall be, once its condition held. */
type Write = { key: ItemKey; before: Item | undefined; holds: boolean; after: () => Item | undefined }

export function memoryTable({
  now = Date.now,
  pageBytes = maxPageBytes,
  indexedAt,
  edit = (_, request) => request,
}: MemoryTableOptions = {}): MemoryTable {
  const partitions = new Map<string, Map<string, Item>>()
  const indexes = new Map([...indexShapes].map(([name, shape]) => [name, openIndex(shape, now)]))
  const tokens = new Map<string, { body: string; until: number }>()

  const find = ({ pk, sk }: ItemKey) => partitions.get(pk)?.get(sk)
  const put = ({ pk, sk }: ItemKey, after: Item | undefined) => {
    const partition = partitions.get(pk) ?? new Map<string, Item>()
    partitions.set(pk, partition)
    for (const index of indexes.values()) index.change({ pk, sk }, partition.get(sk), after)
    if (after === undefined) partition.delete(sk)
    else partition.set(sk, after)
  }
  const inOrder = (pk: string) =>
    [...(partitions.get(pk) ?? [])].sort(([a], [b]) => compareTexts(a, b)).map(([, item]) => item)

  const writeOne = (kind: WriteKind, input: Input) => {
    const { ReturnValuesOnConditionCheckFailure: wanted, ReturnValues = 'NONE', ...rest } = input
    const { key, before, holds, after } = writeOf(kind, rest, find)
    if (!holds) {
      const Item = wanted === 'ALL_OLD' && before ? { Item: attributesOf(before) } : {}
      throw new ConditionalCheckFailedException({ ...refusal('The conditional request failed'), ...Item } as never)
    }
    const next = after()
    put(key, next)
    if (ReturnValues === 'ALL_NEW' && kind === 'Update' && next) return { Attributes: copyOfMap(next) }
    if (ReturnValues !== 'NONE') throw invalid(`ReturnValues ${String(ReturnValues)} is not known here`)
    return {}
  }

  const transact = (body: string) => {
    const { TransactItems, ClientRequestToken: token } = JSON.parse(body) as {
      TransactItems: Record<WriteKind, Input>[]
      ClientRequestToken: string
    }
    const known = tokens.get(token)
    if (known !== undefined && known.until > now()) {
      if (known.body === body) return {}
      throw new IdempotentParameterMismatchException(refusal('the token is of another request'))
    }
    const writes = TransactItems.map((entry) => {
      const [[kind, input] = []] = Object.entries(entry) as [WriteKind, Input][]
      if (kind === undefined || input === undefined || Object.keys(entry).length !== 1)
        throw invalid('an item of a transaction has one request')
      const { ReturnValuesOnConditionCheckFailure: wanted, ...rest } = input
      return { wanted, ...writeOf(kind, edit(kind, unwired(rest)), find) }
    })
    limitTransaction(writes.map(({ key }) => key))
    if (body.length > maxTransactionBytes) throw invalid('a transaction has at most 4 MB')
    if (writes.some(({ holds }) => !holds)) throw cancelled(writes)
    const changes = writes.map(({ key, after }) => ({ key, next: after() }))
    for (const { key, next } of changes) put(key, next)
    tokens.set(token, { body, until: now() + tokenLifeMs })
    return {}
  }

  const query = (input: Input) => {
    const { IndexName, ConsistentRead, KeyConditionExpression, FilterExpression, ProjectionExpression, ...some } =
      ofOneTable(input)
    const { Limit, ScanIndexForward = true, ExclusiveStartKey, ...rest } = some
    const { given, check } = placeholdersIn(rest)
    const index = IndexName === undefined ? undefined : indexes.get(String(IndexName))
    const shape = IndexName === undefined ? ownKeys : indexShapes.get(String(IndexName))
    if (shape === undefined || (index !== undefined && ConsistentRead === true))
      throw invalid('there is no such index, or it is read consistently')
    const { partition, has } = refusing(() => keyConditionOf(String(KeyConditionExpression), shape, given))
    const wanted = FilterExpression === undefined ? undefined : refusing(() => conditionOf(String(FilterExpression)))
    // A partition may be empty, and the placeholders of the filter are used all the same.
    wanted?.(undefined, given)
    const all = index === undefined ? inOrder(partition) : index.entries(partition, indexedAt?.() ?? now())
    const found = all.filter((item) => has(item, given))
    const shown = wantedOf(ProjectionExpression, given)
    check()
    if (ScanIndexForward === false) found.reverse()
    const following = behind(found, ExclusiveStartKey, [shape.range, 'pk', 'sk'], ScanIndexForward !== false)
    const { page, isLast } = pageOf(following, pageBytes, Limit as number | undefined)
    const last = page.at(-1)
    // A filter leaves out items of a page that was read.
    const kept = wanted === undefined ? page : page.filter((item) => wanted(item, given))
    return {
      Items: kept.map(shown),
      Count: kept.length,
      ...(last !== undefined && !isLast && { LastEvaluatedKey: keyOfPlace(last, shape) }),
    }
  }

  const commands: Record<string, (input: Input) => object> = {
    GetCommand(input) {
      const { ConsistentRead: _, ProjectionExpression, ...rest } = input
      const { key, ...others } = keyIn(rest)
      const { given, check } = placeholdersIn(others)
      const shown = wantedOf(ProjectionExpression, given)
      check()
      const item = find(key)
      return item === undefined ? {} : { Item: shown(item) }
    },
    PutCommand: (input) => writeOne('Put', input),
    UpdateCommand: (input) => writeOne('Update', input),
    DeleteCommand: (input) => writeOne('Delete', input),
    QueryCommand: query,
    BatchGetCommand({ RequestItems, ...rest }) {
      nothingElse(rest)
      const {
        Keys = [],
        ConsistentRead: _,
        ...others
      } = ofTheTable<{ Keys?: object[]; ConsistentRead?: boolean }>(RequestItems)
      nothingElse(others)
      const keys = Keys.map(keyFrom)
      if (keys.length === 0 || keys.length > maxBatchReads) throw invalid('a batch reads 1 to 100 items')
      noneTwice(keys)
      const found = keys.map(find).filter((item) => item !== undefined)
      return { Responses: { [tableName]: found.map(copyOfMap) }, UnprocessedKeys: {} }
    },
    BatchWriteCommand({ RequestItems, ...rest }) {
      nothingElse(rest)
      type Request = { PutRequest?: { Item: object }; DeleteRequest?: { Key: object } }
      const requests = ofTheTable<readonly Request[]>(RequestItems)
      if (requests.length === 0 || requests.length > maxBatchWrites) throw invalid('a batch writes 1 to 25 items')
      const writes = requests.map(({ PutRequest, DeleteRequest }) =>
        PutRequest === undefined
          ? { key: keyFrom(DeleteRequest?.Key ?? {}), next: undefined }
          : newItem(PutRequest.Item),
      )
      noneTwice(writes.map(({ key }) => key))
      for (const { key, next } of writes) put(key, next)
      return { UnprocessedItems: {} }
    },
    TransactGetCommand({ TransactItems, ...rest }) {
      nothingElse(rest)
      const keys = (TransactItems as { Get: Input }[]).map(({ Get }) => {
        const { key, ...others } = keyIn(Get)
        nothingElse(others)
        return key
      })
      limitTransaction(keys)
      return { Responses: keys.map(find).map((item) => (item === undefined ? {} : { Item: copyOfMap(item) })) }
    },
  }

  /** @throws what the client of the SDK throws for a refused request */
  const send = async (command: { input: object }): Promise<object> => {
    if (command instanceof TransactionRequest) return refusing(() => transact(command.body))
    const named = commands[command.constructor.name]
    if (named === undefined) throw invalid(`${command.constructor.name} is not known here`)
    return refusing(() => named(command.input as Input))
  }

  return {
    client: { send } as unknown as MemoryTable['client'],
    *items(pk) {
      for (const each of pk === undefined ? partitions.keys() : [pk]) yield* partitions.get(each)?.values() ?? []
    },
  }
}

type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck'

function writeOf(kind: WriteKind, input: Input, find: (key: ItemKey) => Item | undefined): Write {
  const { ConditionExpression, UpdateExpression, Item: put, ...rest } = input
  const made = kind === 'Put' ? newItem(put as object) : undefined
  const { key, ...others } = made === undefined ? keyIn(rest) : { ...ofOneTable(rest), key: made.key }
  const { given, check } = placeholdersIn(others)
  if ((kind === 'Update') !== (UpdateExpression !== undefined)) throw invalid(`${kind} with another expression`)
  const before = find(key)
  const holds = ConditionExpression === undefined || conditionOf(String(ConditionExpression))(before, given)
  const changes = UpdateExpression === undefined ? undefined : updateOf(String(UpdateExpression))
  if (changes !== undefined) keepsItsKey(changes(changeable(before, holds), given).keys())
  check()
  const after = () => {
    if (kind === 'Delete') return undefined
    if (kind === 'ConditionCheck') return before
    return made?.next ?? checkedItem(updated(before, key, changes?.(before, given)))
  }
  return { key, before, holds, after }
}

/** A part of an update that does not fit the item refuses it only where the condition holds. */
const changeable = (before: Item | undefined, holds: boolean) => (holds ? before : undefined)

function updated(
  before: Item | undefined,
  key: ItemKey,
  changes: ReadonlyMap<string, Value | undefined> = new Map(),
): Item {
  const next: Record<string, Value> = { ...before, ...key }
  for (const [name, value] of changes) {
    if (value === undefined) delete next[name]
    else next[name] = value
  }
  return next
}

function keepsItsKey(names: Iterable<string>): void {
  for (const name of names) {
    if (name === 'pk' || name === 'sk') throw invalid(`${name} is part of the key`)
  }
}

function newItem(item: object): { key: ItemKey; next: Item } {
  const next = checkedItem(copyOfMap(item))
  return { key: { pk: String(next.pk), sk: String(next.sk) }, next }
}

/** @throws for an item that DynamoDB would not take */
function checkedItem(item: Item): Item {
  const { pk, sk, listPk, listSk, orderNumber } = item
  for (const part of [pk, sk]) if (typeof part !== 'string' || part === '') throw invalid('an item needs pk and sk')
  for (const part of [listPk, listSk, orderNumber]) {
    if (part !== undefined && (typeof part !== 'string' || part === '')) throw invalid('a place in the index is a text')
  }
  if (bytesOf(item) > maxItemBytes) throw invalid('Item size has exceeded the maximum allowed size')
  return item
}

function keyFrom(key: object): ItemKey {
  const { pk, sk, ...rest } = key as Record<string, unknown>
  if (typeof pk !== 'string' || typeof sk !== 'string' || pk === '' || sk === '' || Object.keys(rest).length > 0)
    throw invalid('The provided key element does not match the schema')
  return { pk, sk }
}

function ofOneTable({ TableName, ...rest }: Input): Input {
  if (TableName !== tableName) throw invalid(`there is no table ${String(TableName)}`)
  return rest
}

function keyIn(input: Input): Input & { key: ItemKey } {
  const { Key, ...rest } = ofOneTable(input)
  return { ...rest, key: keyFrom((Key ?? {}) as object) }
}

function ofTheTable<T>(requests: unknown): T {
  const [[name, some] = []] = Object.entries(requests as Record<string, T>)
  if (name !== tableName || some === undefined) throw invalid(`there is no table ${name}`)
  return some
}

/** `check` throws for a placeholder that no expression used, as DynamoDB does. */
function placeholdersIn(input: Input): { given: Placeholders; check: () => void } {
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values, ...rest } = input
  nothingElse(rest)
  for (const map of [names, values]) {
    if (map !== undefined && Object.keys(map as object).length === 0) throw invalid('a map of placeholders is empty')
  }
  const given: Placeholders = {
    names: (names ?? {}) as Record<string, string>,
    values: copyOfMap((values ?? {}) as object),
    used: new Set(),
  }
  const check = () => {
    const unused = [...Object.keys(given.names), ...Object.keys(given.values)].filter((name) => !given.used.has(name))
    if (unused.length > 0) throw invalid(`no expression uses ${unused.join()}`)
  }
  return { given, check }
}

function nothingElse(input: object): void {
  const names = Object.entries(input).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (names.length > 0) throw invalid(`${names.join()} is not known here`)
}

function noneTwice(keys: readonly ItemKey[]): void {
  if (new Set(keys.map(({ pk, sk }) => JSON.stringify([pk, sk]))).size < keys.length)
    throw invalid('a request names an item twice')
}

function limitTransaction(keys: readonly ItemKey[]): void {
  if (keys.length === 0 || keys.length > maxTransactionItems) throw invalid('a transaction has 1 to 100 items')
  noneTwice(keys)
}

const mapsOfValues = ['Key', 'Item', 'ExpressionAttributeValues']

/** A request of a transaction as the document client would have it. */
const unwired = (input: Input): TransactionPart =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      mapsOfValues.includes(name) ? itemOf(value as Parameters<typeof itemOf>[0]) : value,
    ]),
  )

function wantedOf(projection: unknown, given: Placeholders): (item: Item) => Item {
  if (projection === undefined) return copyOfMap
  const names = projectionOf(String(projection), given)
  return (item) => copyOfMap(Object.fromEntries(names.map((name) => [name, item[name]])))
}

/** What follows `start`, the key of an item that may be gone. */
function behind(items: readonly Item[], start: unknown, order: readonly string[], isForward: boolean): readonly Item[] {
  if (start === undefined) return items
  const from = storedCopy(start) as Item
  const place = (item: Item) => order.map((name) => String(item[name]))
  const isBehind = (item: Item) => {
    const there = place(from)
    for (const [at, text] of place(item).entries()) {
      const found = compareTexts(text, there[at] ?? '')
      if (found !== 0) return isForward ? found > 0 : found < 0
    }
    return false
  }
  return items.filter(isBehind)
}

function pageOf(
  items: readonly Item[],
  pageBytes: number,
  limit = Number.POSITIVE_INFINITY,
): { page: readonly Item[]; isLast: boolean } {
  let bytes = 0
  const fits = items.findIndex((item, at) => {
    bytes += bytesOf(item)
    return at >= limit || (at > 0 && bytes > pageBytes)
  })
  // A page that is full by its limit has a next one, which may be empty.
  const isLast = fits === -1 && items.length < limit
  return { page: fits === -1 ? items : items.slice(0, fits), isLast }
}

function keyOfPlace(item: Item, { hash, range }: IndexShape): Item {
  return copyOfMap(Object.fromEntries(['pk', 'sk', hash, range].map((name) => [name, item[name]])))
}

/** Which items an index has in which partition, at any moment of the last minute. */
function openIndex({ hash, range, shown }: IndexShape, now: () => number) {
  const lists = new Map<string, Map<string, Item>>()
  /** Lists in order, as long as they stay as they are. */
  const inOrder = new Map<string, readonly Item[]>()
  const log: { at: number; id: string; before: Item | undefined; after: Item | undefined }[] = []

  const placeOf = (key: ItemKey, item: Item | undefined): Item | undefined => {
    if (item?.[hash] === undefined || item[range] === undefined) return undefined
    const others = [hash, range, ...shown].map((name) => [name, item[name]])
    return { ...key, ...Object.fromEntries(others.filter(([, value]) => value !== undefined)) }
  }
  const listOf = (partition: Value | undefined) => {
    const list = lists.get(String(partition)) ?? new Map<string, Item>()
    lists.set(String(partition), list)
    return list
  }
  const isSame = (from: Item | undefined, to: Item | undefined) =>
    [hash, range, ...shown].every((name) => from?.[name] === to?.[name])

  return {
    change(key: ItemKey, before: Item | undefined, after: Item | undefined): void {
      const [from, to] = [placeOf(key, before), placeOf(key, after)]
      if (isSame(from, to)) return
      for (const place of [from, to]) inOrder.delete(String(place?.[hash]))
      const id = JSON.stringify([key.pk, key.sk])
      if (from !== undefined) listOf(from[hash]).delete(id)
      if (to !== undefined) listOf(to[hash]).set(id, to)
      log.push({ at: now(), id, before: from, after: to })
      while ((log[0]?.at ?? Number.POSITIVE_INFINITY) < now() - longestLagMs) log.shift()
    },
    entries(partition: string, asOf: number): readonly Item[] {
      const known = inOrder.get(partition)
      const isNow = (log.at(-1)?.at ?? 0) <= asOf
      if (isNow && known !== undefined) return known
      const list = new Map(lists.get(partition))
      for (const { at, id, before, after } of log.toReversed()) {
        if (at <= asOf) break
        if (after?.[hash] === partition) list.delete(id)
        if (before?.[hash] === partition) list.set(id, before)
      }
      const text = (item: Item) => [range, 'pk', 'sk'].map((name) => String(item[name])).join(' ')
      const entries = [...list.values()].sort((a, b) => compareTexts(text(a), text(b)))
      if (isNow) inOrder.set(partition, entries)
      return entries
    },
  }
}

const refusal = (message: string) => ({ message, $metadata: { httpStatusCode: 400 } })

function invalid(message: string): DynamoDBServiceException {
  return new DynamoDBServiceException({ name: 'ValidationException', $fault: 'client', ...refusal(message) })
}

/** @throws a refusal of an expression as the service's own error */
function refusing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof Refused ? invalid(error.message) : error
  }
}

function cancelled(
  writes: readonly { holds: boolean; wanted: unknown; before: Item | undefined }[],
): TransactionCanceledException {
  const CancellationReasons = writes.map(({ holds, wanted, before }) => {
    if (holds) return { Code: 'None' }
    const Item = wanted === 'ALL_OLD' && before !== undefined ? { Item: attributesOf(before) } : {}
    return { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed', ...Item }
  })
  return new TransactionCanceledException({
    ...refusal(`Transaction cancelled [${CancellationReasons.map(({ Code }) => Code).join(', ')}]`),
    CancellationReasons: CancellationReasons as never,
  })
}

export type TableStores = ReturnType<typeof storesOf>

/** Every store that a sale needs, over one table, as handlers connect them. */
export function storesOf(table: Table) {
  return {
    table,
    book: dynamoOrderWriter(table),
  }
}
