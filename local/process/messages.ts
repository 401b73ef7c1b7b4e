/** The messages between the main process and its hosts, validated on arrival. */
import * as z from 'zod/mini'
import { perHttpFunction } from '../../system/functions.ts'
import { perWakingQueue } from '../../system/queues.ts'

/** `url` leads through the fault proxy, if there is one; `directUrl` bypasses it. */
const queue = z.object({ url: z.string(), directUrl: z.string(), arn: z.string() })

/** A database of the stock: the port of its Redis, and the two URLs of its Upstash API. */
const database = z.object({
  name: z.string(),
  port: z.number(),
  url: z.string(),
  directUrl: z.string(),
  token: z.string(),
})

const queuePair = z.object({ queue, deadLetters: queue })

/** Addresses of the services. Functions use the addresses in `called`, which lead through the fault proxies, if any. */
export const cloudAddresses = z.object({
  databases: z.tuple([database], database),
  aws: z.string(),
  called: z.object({ gate: z.string(), sqs: z.string(), s3: z.string(), dynamodb: z.string() }),
  queues: z.object({ orders: queuePair, deadlines: queuePair }),
  /** Queues that wake a function; they have no dead letters. */
  waking: z.object(perWakingQueue(() => queue)),
  region: z.string(),
})

export const cloudSettings = z.object({
  databases: z.array(z.object({ name: z.string(), port: z.number(), token: z.string() })),
  dynamoDb: z.object({ endpoint: z.string(), host: z.string(), port: z.number() }),
  gateToken: z.string(),
  readerToken: z.string(),
  writerToken: z.string(),
  checkScriptKeys: z.boolean(),
  faults: z.boolean(),
  dataDir: z.optional(z.string()),
  siteDirs: z.array(z.string()),
  visibilitySeconds: z.number(),
  /** True when the table has a stream. */
  streams: z.boolean(),
  /** The addresses of a host that has ended; the new one listens at the same. */
  before: z.optional(cloudAddresses),
})

export type CloudSettings = z.infer<typeof cloudSettings>
export type CloudAddresses = z.infer<typeof cloudAddresses>

/** The URL of each function that answers HTTP. */
export const functionsAddresses = z.object({
  urls: z.object(perHttpFunction(() => z.string())),
})

export const functionsSettings = z.object({
  dist: z.string(),
  environment: z.record(z.string(), z.string()),
  /** The function whose process opens Node's inspector. */
  inspected: z.optional(z.string()),
  signingSecret: z.string(),
  before: z.optional(functionsAddresses),
})

export const environmentAddress = z.object({ url: z.string() })
export const environmentSettings = z.extend(functionsSettings, { before: z.optional(environmentAddress) })
export type EnvironmentAddress = z.infer<typeof environmentAddress>

const tableStream = z.object({ endpoint: z.string(), table: z.string() })

export const workersSettings = z.object({
  dist: z.string(),
  environment: z.record(z.string(), z.string()),
  inspected: z.optional(z.string()),
  orders: queue,
  deadlines: queue,
  scheduled: z.boolean(),
  woken: z.boolean(),
  lowerPriority: z.boolean(),
  /** The table whose stream the functions of `readers` read, bypassing the fault proxy. */
  stream: tableStream,
  readers: z.object({ mail: z.boolean(), options: z.boolean() }),
  waking: z.object(perWakingQueue(() => queue)),
})

export type FunctionsSettings = z.infer<typeof functionsSettings>
export type WorkersSettings = z.infer<typeof workersSettings>
export type FunctionsAddresses = z.infer<typeof functionsAddresses>

export const scheduleRun = z.object({ name: z.string(), payload: z.optional(z.unknown()) })
