/** The functions of the system, with their timeouts. */
import { mergedOf } from '../core/lib/fold.ts'
import { perName, recordNames } from '../core/lib/record-names.ts'
import { functions } from '../options/registry/functions.ts'
import type { OptionFunction, ScheduledFunction } from './seams.ts'

const streamed = mergedOf(functions, 'streamed')
const scheduled = mergedOf(functions, 'scheduled')

/** The Node.js versions of the runtimes. Lambda@Edge supports 22; functions use the newest of Lambda. */
export const nodeVersions = { edge: 22, functions: 24 }

/** Functions that answer requests of the distribution, each with a function URL. */
export const httpFunctions = [
  'reserve',
  'orders',
  'order-changes',
  'delivery',
  'wallet',
  'held-reads',
  'payments',
  'control',
  'pictures',
  'sign-in',
] as const
export type HttpFunction = (typeof httpFunctions)[number]

/** The consumers of the queues, the scheduled `reconcile`, and the canary. */
const workerFunctions = ['write-orders', 'cancel-unpaid', 'reconcile', 'canary'] as const
export type WorkerFunction = (typeof workerFunctions)[number]

/** `mail` exists only in a stage that sends emails, and functions of options where the settings of a stage say so. */
export type FunctionName = EveryStageFunction | 'mail' | keyof typeof streamed
export const optionFunctions: Readonly<Partial<Record<DeployedFunction, OptionFunction>>> = streamed
export const optionFunctionNames = recordNames(streamed)
/** The functions that options run on a schedule in every stage. */
type ScheduledFunctionName = keyof typeof scheduled
export type EngineFunction = HttpFunction | WorkerFunction
export type EveryStageFunction = EngineFunction | ScheduledFunctionName
export const scheduledFunctions = Object.entries(scheduled) as readonly [EveryStageFunction, ScheduledFunction][]
export const allFunctions: readonly EveryStageFunction[] = [
  ...httpFunctions,
  ...workerFunctions,
  ...scheduledFunctions.map(([name]) => name),
]
export const everyFunction: readonly FunctionName[] = [...allFunctions, 'mail', ...optionFunctionNames]

/** A function of stages for trials only, with a URL under `/pay/`: no money moves there. */
export const paymentSimulator = 'payment-simulator'
export type DeployedFunction = FunctionName | typeof paymentSimulator

export const perHttpFunction = <T>(make: (name: HttpFunction) => T) => perName(httpFunctions, make)

export const perFunction = <T>(make: (name: EveryStageFunction) => T) => perName(allFunctions, make)

/** The maximum wait of a shopper or a queue. */
const timeoutSeconds = 10

/** Recovering a sale, exporting its orders, or making a picture may take longer than an answer to a shopper. */
const takesLong: ReadonlySet<DeployedFunction> = new Set(['control', 'delivery', 'pictures'])
const longTimeoutSeconds = 30

/** A minute until the next run, and time to finish the comparison of all sales. */
const reconcileTimeoutSeconds = 75

/** Ten emails, one after the other, while SES is slow; shorter than the lease of an email. */
const mailTimeoutSeconds = 20

export function functionTimeoutSeconds(name: DeployedFunction): number {
  if (name === 'reconcile') return reconcileTimeoutSeconds
  if (name === 'mail') return mailTimeoutSeconds
  const added: Partial<Record<DeployedFunction, { timeoutSeconds: number }>> = { ...optionFunctions, ...scheduled }
  return added[name]?.timeoutSeconds ?? (takesLong.has(name) ? longTimeoutSeconds : timeoutSeconds)
}

/** A run lasts until just before the next one, so that one is always active. */
export const reconcileRate = { everyMinutes: 1, input: { tickMs: 58_000 } } as const

/** `order-changes` publishes the keys of reservations, in a stage that signs some; caches keep them as long. */
export const reservationKeysRate = { everyMinutes: 5, input: { publishKeys: true } } as const
