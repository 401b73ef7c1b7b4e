/** The section of the docs for each part of the system and each trouble of a sale. */
import { optionWorkers } from '../options.ts'
import type { HealthPartName, SaleTrouble } from './health.ts'

const runbook = (section: string) => `docs/how-to/runbooks.md#${section}`

export const healthGuides: Readonly<Record<HealthPartName, string>> = {
  gate: runbook('gate-unavailable'),
  stock: runbook('unavailable'),
  'gate-store': runbook('gate-unavailable'),
  'orders-queue': runbook('stuck-messages'),
  writer: runbook('stuck-messages'),
  'dead-letters': runbook('dead-letters'),
  reconcile: runbook('reconcile-failing'),
  tick: runbook('reconcile-not-running'),
  canary: runbook('canary'),
  'pass-keys': runbook('reconcile-failing'),
  'edge-store': runbook('edge-store-failed'),
  payments: runbook('rejected-webhooks'),
  mail: runbook('late-mails'),
  ...optionWorkers,
  pictures: 'docs/how-to/pictures.md',
}

/** Troubles that a console finds itself: a long pause, an unknown stock, an unavailable database, dead letters. */
export type ConsoleTrouble = 'paused' | 'unknown' | 'database' | 'dead'

export const saleGuides: Readonly<Record<SaleTrouble | ConsoleTrouble, string>> = {
  waiting: runbook('outbox-age'),
  'given-up': runbook('rejected-orders'),
  drift: runbook('drift'),
  rebuilding: runbook('sale-recovered'),
  unrepaired: runbook('reconcile-failing'),
  unpaid: 'docs/how-to/incidents.md#payment-provider-down',
  paused: 'docs/how-to/operations.md#watch',
  unknown: runbook('unavailable'),
  database: 'docs/how-to/incidents.md#redis-lost',
  dead: runbook('dead-letters'),
}
