/** The queue and the secret that the bundle of `reserve` uses, and its environment with them. */
import type { StockDatabase } from '../../core/stock/database.ts'
import { startAws } from '../../local/aws/aws.ts'
import { startSecretsManager } from '../../local/aws/secrets-manager.ts'
import { environmentAt } from './bundles/environment.ts'

export type ClickStores = { databases: readonly StockDatabase[]; gate: StockDatabase }

type Keep = <Part extends { stop(): Promise<void> }>(part: Part) => Part

/** Starts them for `work`, and always stops them, after the parts that `work` keeps. */
export async function withClickServices<T>(
  { databases, gate }: ClickStores,
  work: (environment: Record<string, string>, keep: Keep) => Promise<T>,
): Promise<T> {
  const running: { stop(): Promise<void> }[] = []
  const keep: Keep = (part) => {
    running.push(part)
    return part
  }
  try {
    const aws = keep(await startAws())
    const { url: ORDERS_QUEUE_URL } = await aws.createQueue('orders')
    const nowhere = environmentAt('http://127.0.0.1:9')
    const { STOCK_SECRET_ID = '' } = nowhere
    const list = JSON.stringify({ stockDatabases: JSON.stringify(databases) })
    const secrets = keep(await startSecretsManager(new Map([[STOCK_SECRET_ID, list]])))
    const environment = {
      ...nowhere,
      ...{ ORDERS_QUEUE_URL, AWS_ENDPOINT_URL_SQS: aws.endpoint },
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      ...{ GATE_REDIS_REST_URL: gate.url, GATE_REDIS_REST_TOKEN: gate.token },
    }
    return await work(environment, keep)
  } finally {
    for (const one of running.toReversed()) await one.stop()
  }
}
