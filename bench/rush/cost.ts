/**
 * What the measured rush would cost in the cloud. Public list prices for us-east-1 (November 2026) in US
 * dollars, free tiers not counted. Pages and pictures are not part of a rush.
 */

/** Everything that is billed by the piece, as counted during the rush. */
export type Usage = {
  /** Requests through the distribution. */
  requests: number
  /** Requests that ran the gate. */
  gateRuns: number
  /** Requests that ran a function behind it. */
  functionRuns: number
  /** Redis commands, those inside scripts included: they are billed too. */
  redisCommands: number
  ordersWritten: number
}

const perMillion = 1 / 1_000_000

const prices = {
  request: 1.0 * perMillion,
  gateRun: 0.6 * perMillion,
  gateGbSecond: 0.00005001,
  functionRun: 0.2 * perMillion,
  functionGbSecond: 0.0000133334,
  redisCommand: 2.0 * perMillion,
  queueCall: 0.4 * perMillion,
  tableWrite: 0.625 * perMillion,
}

/** Assumed, for nothing here has run in the cloud: one run of the gate or a function lasts 30 ms with 256 MB. */
const gbSecondsPerRun = 0.03 * 0.25

/** Sent, received and deleted ten messages at a time. */
const queueCallsPerOrder = 0.3

/** In a transaction every write counts twice: the order, its buyer's total; and once its entry in the index. */
const tableWritesPerOrder = 5

export type Cost = {
  cdn: number
  gate: number
  functions: number
  redis: number
  orders: number
  total: number
}

export function costOf(usage: Usage): Cost {
  const cdn = usage.requests * prices.request
  const gate = usage.gateRuns * (prices.gateRun + gbSecondsPerRun * prices.gateGbSecond)
  const functions = usage.functionRuns * (prices.functionRun + gbSecondsPerRun * prices.functionGbSecond)
  const redis = usage.redisCommands * prices.redisCommand
  const perOrder = queueCallsPerOrder * prices.queueCall + tableWritesPerOrder * prices.tableWrite
  const orders = usage.ordersWritten * perOrder
  return { cdn, gate, functions, redis, orders, total: cdn + gate + functions + redis + orders }
}
