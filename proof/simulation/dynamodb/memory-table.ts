/**
 * An in-memory table behind the document client. Our stores run on it as on DynamoDB; each command is atomic. It
 * implements the subset of DynamoDB that they use, with its limits, and rejects everything else.
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
import {
  InvalidExpression,
  type Placeholders,
  parseCondition,
  parseKeyCondition,
  parseProjection,
  parseUpdate,
} from './expression.ts'
import { bytesOf, compareTexts, copyOfMap, type StoredValue, storedCopy, type TableItem } from './values.ts'

export type MemoryTableOptions = {
  /** Epoch ms. Default: the machine's clock. */
  now?: () => number
  /** Bytes of a page of a query. Default: 1 MB, as in DynamoDB. */
  pageBytes?: number
  /** The time whose state the index returns to a query, epoch ms. Default: now. */
  indexedAt?: () => number
  /** Changes each request of a transaction before it runs, to plant a defect. */
  edit?: ((kind: WriteKind, request: TransactionPart) => TransactionPart) | undefined
}

/** A request of a transaction with the document client's values. */
export type TransactionPart = Readonly<Record<string, unknown>> & {
  Key?: TableItem
  Item?: TableItem
  ConditionExpression?: string
}

export type MemoryTable = ReturnType<typeof memoryTable>

export const tableName = 'sluice'

/** An index: its keys, and the projected attributes. */
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
/** Lifetime of a transaction's idempotency token, ms. */
const tokenLifeMs = 10 * 60_000
/** Maximum lag of an index. */
const maxLagMs = 60_000

type Input = Readonly<Record<string, unknown>>
type ItemKey = { pk: string; sk: string }
/** A write of one item: `after` returns the new item when the condition `holds`. */
type Write = { key: ItemKey; before: TableItem | undefined; holds: boolean; after: () => TableItem | undefined }

export function memoryTable({
  now = Date.now,
  pageBytes = maxPageBytes,
  indexedAt,
  edit = (_, request) => request,
}: MemoryTableOptions = {}) {
  const partitions = new Map<string, Map<string, TableItem>>()
  const indexes = new Map([...indexShapes].map(([name, shape]) => [name, openIndex(shape, now)]))
  const tokens = new Map<string, { body: string; until: number }>()

  const find = ({ pk, sk }: ItemKey) => partitions.get(pk)?.get(sk)
  const put = ({ pk, sk }: ItemKey, after: TableItem | undefined) => {
    const partition = partitions.get(pk) ?? new Map<string, TableItem>()
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
      return { wanted, ...writeOf(kind, edit(kind, unmarshalled(rest)), find) }
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
    const { partition, has } = withServiceErrors(() => parseKeyCondition(String(KeyConditionExpression), shape, given))
    const wanted =
      FilterExpression === undefined ? undefined : withServiceErrors(() => parseCondition(String(FilterExpression)))
    // Marks the placeholders of the filter as used, even when the partition is empty.
    wanted?.(undefined, given)
    const all = index === undefined ? inOrder(partition) : index.entries(partition, indexedAt?.() ?? now())
    const found = all.filter((item) => has(item, given))
    const shown = createProjector(ProjectionExpression, given)
    check()
    if (ScanIndexForward === false) found.reverse()
    const following = itemsAfter(found, ExclusiveStartKey, [shape.range, 'pk', 'sk'], ScanIndexForward !== false)
    const { page, isLast } = pageOf(following, pageBytes, Limit as number | undefined)
    const last = page.at(-1)
    // A filter removes items after the page was read.
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
      const shown = createProjector(ProjectionExpression, given)
      check()
      const item = find(key)
      return item === undefined ? {} : { Item: shown(item) }
    },
    PutCommand: (input) => writeOne('Put', input),
    UpdateCommand: (input) => writeOne('Update', input),
    DeleteCommand: (input) => writeOne('Delete', input),
    QueryCommand: query,
    BatchGetCommand({ RequestItems, ...rest }) {
      rejectOthers(rest)
      const {
        Keys = [],
        ConsistentRead: _,
        ...others
      } = requestsOf<{ Keys?: object[]; ConsistentRead?: boolean }>(RequestItems)
      rejectOthers(others)
      const keys = Keys.map(keyFrom)
      if (keys.length === 0 || keys.length > maxBatchReads) throw invalid('a batch reads 1 to 100 items')
      rejectDuplicates(keys)
      const found = keys.map(find).filter((item) => item !== undefined)
      return { Responses: { [tableName]: found.map(copyOfMap) }, UnprocessedKeys: {} }
    },
    BatchWriteCommand({ RequestItems, ...rest }) {
      rejectOthers(rest)
      type Request = { PutRequest?: { Item: object }; DeleteRequest?: { Key: object } }
      const requests = requestsOf<readonly Request[]>(RequestItems)
      if (requests.length === 0 || requests.length > maxBatchWrites) throw invalid('a batch writes 1 to 25 items')
      const writes = requests.map(({ PutRequest, DeleteRequest }) =>
        PutRequest === undefined
          ? { key: keyFrom(DeleteRequest?.Key ?? {}), next: undefined }
          : newItem(PutRequest.Item),
      )
      rejectDuplicates(writes.map(({ key }) => key))
      for (const { key, next } of writes) put(key, next)
      return { UnprocessedItems: {} }
    },
    TransactGetCommand({ TransactItems, ...rest }) {
      rejectOthers(rest)
      const keys = (TransactItems as { Get: Input }[]).map(({ Get }) => {
        const { key, ...others } = keyIn(Get)
        rejectOthers(others)
        return key
      })
      limitTransaction(keys)
      return { Responses: keys.map(find).map((item) => (item === undefined ? {} : { Item: copyOfMap(item) })) }
    },
  }

  /** @throws the SDK's errors for a rejected request */
  const send = async (command: { input: object }): Promise<object> => {
    if (command instanceof TransactionRequest) return withServiceErrors(() => transact(command.body))
    const named = commands[command.constructor.name]
    if (named === undefined) throw invalid(`${command.constructor.name} is not known here`)
    return withServiceErrors(() => named(command.input as Input))
  }

  return {
    client: { send } as unknown as Pick<DynamoDBDocumentClient, 'send'>,
    /** Yields every item, those of one partition in insertion order. */
    *items(pk?: string): Generator<TableItem, void> {
      for (const each of pk === undefined ? partitions.keys() : [pk]) yield* partitions.get(each)?.values() ?? []
    },
  }
}

type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck'

function writeOf(kind: WriteKind, input: Input, find: (key: ItemKey) => TableItem | undefined): Write {
  const { ConditionExpression, UpdateExpression, Item: put, ...rest } = input
  const made = kind === 'Put' ? newItem(put as object) : undefined
  const { key, ...others } = made === undefined ? keyIn(rest) : { ...ofOneTable(rest), key: made.key }
  const { given, check } = placeholdersIn(others)
  if ((kind === 'Update') !== (UpdateExpression !== undefined)) throw invalid(`${kind} with another expression`)
  const before = find(key)
  const holds = ConditionExpression === undefined || parseCondition(String(ConditionExpression))(before, given)
  const changes = UpdateExpression === undefined ? undefined : parseUpdate(String(UpdateExpression))
  if (changes !== undefined) rejectKeyChange(changes(changeable(before, holds), given).keys())
  check()
  const after = () => {
    if (kind === 'Delete') return undefined
    if (kind === 'ConditionCheck') return before
    return made?.next ?? checkedItem(updated(before, key, changes?.(before, given)))
  }
  return { key, before, holds, after }
}

/** An update that does not fit the item is invalid only when the condition holds. */
const changeable = (before: TableItem | undefined, holds: boolean) => (holds ? before : undefined)

function updated(
  before: TableItem | undefined,
  key: ItemKey,
  changes: ReadonlyMap<string, StoredValue | undefined> = new Map(),
): TableItem {
  const next: Record<string, StoredValue> = { ...before, ...key }
  for (const [name, value] of changes) {
    if (value === undefined) delete next[name]
    else next[name] = value
  }
  return next
}

function rejectKeyChange(names: Iterable<string>): void {
  for (const name of names) {
    if (name === 'pk' || name === 'sk') throw invalid(`${name} is part of the key`)
  }
}

function newItem(item: object): { key: ItemKey; next: TableItem } {
  const next = checkedItem(copyOfMap(item))
  return { key: { pk: String(next.pk), sk: String(next.sk) }, next }
}

/** @throws for an item that DynamoDB would reject */
function checkedItem(item: TableItem): TableItem {
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

function requestsOf<T>(requests: unknown): T {
  const [[name, some] = []] = Object.entries(requests as Record<string, T>)
  if (name !== tableName || some === undefined) throw invalid(`there is no table ${name}`)
  return some
}

/** `check` throws for a placeholder that no expression used, as DynamoDB does. */
function placeholdersIn(input: Input): { given: Placeholders; check: () => void } {
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values, ...rest } = input
  rejectOthers(rest)
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

function rejectOthers(input: object): void {
  const names = Object.entries(input).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (names.length > 0) throw invalid(`${names.join()} is not known here`)
}

function rejectDuplicates(keys: readonly ItemKey[]): void {
  if (new Set(keys.map(({ pk, sk }) => JSON.stringify([pk, sk]))).size < keys.length)
    throw invalid('a request names an item twice')
}

function limitTransaction(keys: readonly ItemKey[]): void {
  if (keys.length === 0 || keys.length > maxTransactionItems) throw invalid('a transaction has 1 to 100 items')
  rejectDuplicates(keys)
}

const mapsOfValues = ['Key', 'Item', 'ExpressionAttributeValues']

/** Converts a request of a transaction to the document client's values. */
const unmarshalled = (input: Input): TransactionPart =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      mapsOfValues.includes(name) ? itemOf(value as Parameters<typeof itemOf>[0]) : value,
    ]),
  )

function createProjector(projection: unknown, given: Placeholders): (item: TableItem) => TableItem {
  if (projection === undefined) return copyOfMap
  const names = parseProjection(String(projection), given)
  return (item) => copyOfMap(Object.fromEntries(names.map((name) => [name, item[name]])))
}

/** Returns the items after `start`, the key of an item that may be deleted. */
function itemsAfter(
  items: readonly TableItem[],
  start: unknown,
  order: readonly string[],
  isForward: boolean,
): readonly TableItem[] {
  if (start === undefined) return items
  const from = storedCopy(start) as TableItem
  const place = (item: TableItem) => order.map((name) => String(item[name]))
  const isBehind = (item: TableItem) => {
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
  items: readonly TableItem[],
  pageBytes: number,
  limit = Number.POSITIVE_INFINITY,
): { page: readonly TableItem[]; isLast: boolean } {
  let bytes = 0
  const fits = items.findIndex((item, at) => {
    bytes += bytesOf(item)
    return at >= limit || (at > 0 && bytes > pageBytes)
  })
  // A page that reaches its limit has a next one, which may be empty.
  const isLast = fits === -1 && items.length < limit
  return { page: fits === -1 ? items : items.slice(0, fits), isLast }
}

function keyOfPlace(item: TableItem, { hash, range }: IndexShape): TableItem {
  return copyOfMap(Object.fromEntries(['pk', 'sk', hash, range].map((name) => [name, item[name]])))
}

/** Opens an index whose state can be read as of any time in the last minute. */
function openIndex({ hash, range, shown }: IndexShape, now: () => number) {
  const lists = new Map<string, Map<string, TableItem>>()
  /** Cache of sorted lists until the next change. */
  const inOrder = new Map<string, readonly TableItem[]>()
  const log: { at: number; id: string; before: TableItem | undefined; after: TableItem | undefined }[] = []

  const placeOf = (key: ItemKey, item: TableItem | undefined): TableItem | undefined => {
    if (item?.[hash] === undefined || item[range] === undefined) return undefined
    const others = [hash, range, ...shown].map((name) => [name, item[name]])
    return { ...key, ...Object.fromEntries(others.filter(([, value]) => value !== undefined)) }
  }
  const listOf = (partition: StoredValue | undefined) => {
    const list = lists.get(String(partition)) ?? new Map<string, TableItem>()
    lists.set(String(partition), list)
    return list
  }
  const isSame = (from: TableItem | undefined, to: TableItem | undefined) =>
    [hash, range, ...shown].every((name) => from?.[name] === to?.[name])

  return {
    change(key: ItemKey, before: TableItem | undefined, after: TableItem | undefined): void {
      const [from, to] = [placeOf(key, before), placeOf(key, after)]
      if (isSame(from, to)) return
      for (const place of [from, to]) inOrder.delete(String(place?.[hash]))
      const id = JSON.stringify([key.pk, key.sk])
      if (from !== undefined) listOf(from[hash]).delete(id)
      if (to !== undefined) listOf(to[hash]).set(id, to)
      log.push({ at: now(), id, before: from, after: to })
      while ((log[0]?.at ?? Number.POSITIVE_INFINITY) < now() - maxLagMs) log.shift()
    },
    entries(partition: string, asOf: number): readonly TableItem[] {
      const known = inOrder.get(partition)
      const isNow = (log.at(-1)?.at ?? 0) <= asOf
      if (isNow && known !== undefined) return known
      const list = new Map(lists.get(partition))
      for (const { at, id, before, after } of log.toReversed()) {
        if (at <= asOf) break
        if (after?.[hash] === partition) list.delete(id)
        if (before?.[hash] === partition) list.set(id, before)
      }
      const text = (item: TableItem) => [range, 'pk', 'sk'].map((name) => String(item[name])).join(' ')
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

/** Runs `work`. @throws ValidationException for an invalid expression */
function withServiceErrors<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof InvalidExpression ? invalid(error.message) : error
  }
}

function cancelled(
  writes: readonly { holds: boolean; wanted: unknown; before: TableItem | undefined }[],
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

/** Opens the stores of a sale over one table, as handlers do. */
export function storesOf(table: Table) {
  return {
    table,
    book: dynamoOrderWriter(table),
  }
}
