/**
 * A DynamoDB as far away as the real one, in front of a local one: every answer is delayed, and a
 * transaction occupies its items until its answer. What overlaps with it is cancelled, as in the
 * cloud. The local DynamoDB does one transaction after another, so nothing ever overlaps there.
 */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import * as z from 'zod/mini'
import { type Listening, listen } from '../listen.ts'

export type DistantTableOptions = {
  /** The DynamoDB behind it. */
  target: { host: string; port: number }
  /** Called when a request has arrived; its answer waits at least until this resolves. */
  delay: () => Promise<unknown>
  /** 0, the default, takes a free port. */
  port?: number
}

type Answer = { status: number; headers: Record<string, string>; body: Buffer }

/**
 * Starts it.
 * @throws PortTaken
 */
export async function startDistantTable(options: DistantTableOptions): Promise<Listening> {
  const { target, delay, port = 0 } = options
  const overlapping = trackOverlapping()
  const agent = new Agent({ keepAlive: true })
  const server = createServer({ keepAliveTimeout: 65_000, noDelay: true }, (asked, response) => {
    answer(asked, response).catch(() => response.destroy())
  })

  const answer = async (asked: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(asked)
    const forward = () => passOn(agent, target, asked, body)
    const reply = await decide(overlapping, { operation: operationOf(asked), body }, forward, delay)
    response.writeHead(reply.status, reply.headers).end(reply.body)
  }

  const listening = await listen(server, port)
  return {
    ...listening,
    async stop() {
      await listening.stop()
      agent.destroy()
    },
  }
}

const operationOf = ({ headers }: IncomingMessage) => String(headers['x-amz-target']).split('.').at(-1)

/** Begins what the request does to items, and answers after the delay. */
async function decide(
  overlapping: Overlapping,
  { operation, body }: { operation: string | undefined; body: Buffer },
  forward: () => Promise<Answer>,
  delay: () => Promise<unknown>,
): Promise<Answer> {
  const after = async (reply: Answer | Promise<Answer>) => (await Promise.all([reply, delay()]))[0]
  const parsed = operation !== undefined && operation in itemsOf ? JSON.parse(body.toString()) : undefined
  switch (operation) {
    case 'TransactWriteItems': {
      const transaction = overlapping.beginWrite(itemsOf.TransactWriteItems(parsed))
      try {
        return await after(hasConflict(transaction) ? cancelled(transaction) : forward())
      } finally {
        transaction.end()
      }
    }
    case 'TransactGetItems': {
      const transaction = overlapping.beginRead(itemsOf.TransactGetItems(parsed))
      try {
        const reply = await after(forward())
        return hasConflict(transaction) ? cancelled(transaction) : reply
      } finally {
        transaction.end()
      }
    }
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return after(itemsOf[operation](parsed).every(overlapping.mayWrite) ? forward() : refused())
    default:
      return after(forward())
  }
}

const hasConflict = (transaction: UnderWay) => transaction.conflicts().includes(true)

const key = z.looseObject({ pk: z.looseObject({ S: z.string() }), sk: z.looseObject({ S: z.string() }) })
const written = z.looseObject({ TableName: z.string(), Key: z.optional(key), Item: z.optional(key) })
const transactWrite = z.looseObject({ TransactItems: z.array(z.record(z.string(), written)) })
const transactGet = z.looseObject({ TransactItems: z.array(z.looseObject({ Get: written })) })

/** A name for each item that a request touches, in its order. */
const itemsOf = {
  TransactWriteItems: (body: unknown) =>
    transactWrite.parse(body).TransactItems.flatMap((item) => Object.values(item).map(nameOf)),
  TransactGetItems: (body: unknown) => transactGet.parse(body).TransactItems.map(({ Get }) => nameOf(Get)),
  PutItem: (body: unknown) => [nameOf(written.parse(body))],
  UpdateItem: (body: unknown) => [nameOf(written.parse(body))],
  DeleteItem: (body: unknown) => [nameOf(written.parse(body))],
}

function nameOf({ TableName, Key, Item }: z.infer<typeof written>): string {
  const of = Key ?? Item
  return JSON.stringify([TableName, of?.pk.S, of?.sk.S])
}

const errorPrefix = 'com.amazonaws.dynamodb.v20120810#'
const conflict = 'Transaction is ongoing for the item'

function cancelled(transaction: UnderWay): Answer {
  const reasons = transaction
    .conflicts()
    .map((isConflict) => (isConflict ? { Code: 'TransactionConflict', Message: conflict } : { Code: 'None' }))
  const codes = reasons.map(({ Code }) => Code).join(', ')
  return errorAnswer({
    __type: `${errorPrefix}TransactionCanceledException`,
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    CancellationReasons: reasons,
  })
}

const refused = () => errorAnswer({ __type: `${errorPrefix}TransactionConflictException`, message: conflict })

function errorAnswer(body: object): Answer {
  const headers = { 'content-type': 'application/x-amz-json-1.0' }
  return { status: 400, headers, body: Buffer.from(JSON.stringify(body)) }
}

/** The answer of the DynamoDB behind. */
function passOn(
  agent: Agent,
  { host, port }: DistantTableOptions['target'],
  { method, url: path, headers }: IncomingMessage,
  body: Buffer,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const passed = request({ agent, host, port, method, path, headers }, async (reply) => {
      try {
        const { 'content-type': type = 'application/x-amz-json-1.0' } = reply.headers
        const headers = { 'content-type': type }
        resolve({ status: reply.statusCode ?? 502, headers, body: await buffer(reply) })
      } catch (error) {
        reject(error)
      }
    })
    passed.on('error', reject)
    passed.end(body)
  })
}

/**
 * A transaction under way: the conflict of each of its items, in their order, and its end. It cancels what overlaps
 * with it as DynamoDB does
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-conflict-handling).
 * Between two writing transactions the earlier one wins. A reading transaction loses against every write and cancels
 * none.
 */
type UnderWay = { conflicts: () => readonly boolean[]; end: () => void }

type Overlapping = {
  /** A transaction that is cancelled occupies its items without a conflict until its end, too. */
  beginWrite: (items: readonly string[]) => UnderWay
  beginRead: (items: readonly string[]) => UnderWay
  /** A write outside of transactions. False when a transaction under way writes the item. */
  mayWrite: (item: string) => boolean
}

type Reading = { items: readonly string[]; conflicts: boolean[] }

export function trackOverlapping(): Overlapping {
  const written = new Set<string>()
  const reading = new Set<Reading>()

  const disturbReaders = (item: string) => {
    for (const { items, conflicts } of reading) {
      items.forEach((read, index) => {
        if (read === item) conflicts[index] = true
      })
    }
  }

  return {
    beginWrite(items) {
      const conflicts = items.map((item) => written.has(item))
      const own = items.filter((_, index) => conflicts[index] !== true)
      for (const item of own) {
        written.add(item)
        disturbReaders(item)
      }
      return {
        conflicts: () => conflicts,
        end() {
          for (const item of own) written.delete(item)
        },
      }
    },
    beginRead(items) {
      const mine = { items, conflicts: items.map((item) => written.has(item)) }
      reading.add(mine)
      return { conflicts: () => mine.conflicts, end: () => void reading.delete(mine) }
    },
    mayWrite(item) {
      if (written.has(item)) return false
      disturbReaders(item)
      return true
    },
  }
}
