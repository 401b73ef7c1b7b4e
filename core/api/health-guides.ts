/** The entries of the documentation about the parts of the system. */
import type { HealthPartName } from './health.ts'

const runbook = (section: string) => `docs/how-to/runbooks.md#${section}`

/** Where the docs say what to do about a part. */
export const healthGuides: Readonly<Record<HealthPartName, string>> = {
  gate: runbook('gate-unavailable'),
  stock: runbook('unavailable'),
  'gate-store': runbook('gate-unavailable'),
  'orders-queue': runbook('stuck-messages'),
  writer: runbook('stuck-messages'),
  'claims-queue': runbook('stuck-messages'),
  'claim-writer': runbook('stuck-messages'),
  'dead-letters': runbook('dead-letters'),
  reconcile: runbook('reconcile-failing'),
  tick: runbook('reconcile-not-running'),
  canary: runbook('canary'),
  'pass-keys': runbook('reconcile-failing'),
  'edge-store': runbook('edge-store-failed'),
  payments: runbook('rejected-webhooks'),
  mail: runbook('late-mails'),
  events: runbook('late-events'),
  pictures: 'docs/how-to/pictures.md',
}
