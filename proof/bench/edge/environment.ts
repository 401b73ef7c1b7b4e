/** Builds an environment in which every function can be imported, with the variables of its deployment. */
import { generateKeyPairSync } from 'node:crypto'
import { signingKey } from '../../../functions/lib/session-token.ts'
import { functionEnvironment } from '../../../local/environment.ts'
import type { CloudAddresses } from '../../../local/process/messages.ts'
import { perWakingQueue } from '../../../system/queues.ts'

const { privateKey: sessionKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** Returns the environment. All service addresses are `address`, which an import must not call. */
export function environmentAt(address: string): Record<string, string> {
  const queue = {
    url: `${address}/queue`,
    directUrl: `${address}/queue`,
    arn: 'arn:aws:sqs:us-east-1:1:queue',
  }
  const pair = { queue, deadLetters: queue }
  const database = { name: 'main', url: address, token: 'token' }
  const cloud = {
    databases: [{ ...database, port: 9, directUrl: address }] satisfies CloudAddresses['databases'],
    aws: address,
    called: { gate: address, sqs: address, s3: address, dynamodb: address },
    queues: { orders: pair, claims: pair, deadlines: pair },
    waking: perWakingQueue(() => queue),
    region: 'us-east-1',
  }
  const webhookSecret = `whsec_${Buffer.alloc(32).toString('base64')}`
  return functionEnvironment(cloud, {
    redis: { secretsUrl: address, gateToken: 'token' },
    payment: { provider: 'simulated', url: address, apiKey: 'key', webhookSecret, shopUrl: address },
    edgeStoreUrl: address,
    signIn: {
      issuer: 'https://issuer.example',
      client: { id: 'shop', secret: 'secret' },
      sessionKey: signingKey.parse(sessionKey.export({ format: 'jwk' })),
      cookieKey: Buffer.alloc(32).toString('base64'),
    },
    personal: {
      key: Buffer.alloc(32).toString('base64'),
      sesEndpoint: address,
    },
  })
}
