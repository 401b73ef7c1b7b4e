/**
 * Reads the databases of the stock from their secret with the JSON protocol of Secrets Manager. The SDK's client would
 * enlarge the bundle of `reserve`, and shoppers wait for its import.
 */
import * as z from 'zod/mini'
import { readJson } from '../../../core/lib/parse.ts'
import { stockDatabases } from '../../../core/stock/database.ts'
import { openPost } from '../../../redis/post.ts'
import type { Environment, stockVariables } from '../../lib/env.ts'
import { signerOf } from '../../lib/signature.ts'
import type { ReadDatabaseList } from '../redis.ts'

/** Without AWS_ENDPOINT_URL_SECRETS_MANAGER requests go to the service of the region. */
export type SecretAccess = Environment<typeof stockVariables>

const timeoutMs = 1000

const answer = z.object({ SecretString: z.string() })
const secret = z.object({ stockDatabases })
const refusal = z.object({ __type: z.string() })

/** Rejects when Secrets Manager does not answer, refuses, or has no valid list. No message contains a value of it. */
export function secretList(access: SecretAccess): ReadDatabaseList {
  const url = access.AWS_ENDPOINT_URL_SECRETS_MANAGER ?? `https://secretsmanager.${access.AWS_REGION}.amazonaws.com`
  const sign = signerOf('secretsmanager', access)
  const post = openPost(url, timeoutMs)
  const body = JSON.stringify({ SecretId: access.STOCK_SECRET_ID })
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'secretsmanager.GetSecretValue' }
  return async () => {
    const signed = await sign(new URL(url).host, headers, body, new Date())
    const reply = await post('/', signed, body, timeoutMs)
    const read = readJson(answer, reply.body)
    if (reply.status !== 200 || !read.ok) throw new Error(`Secrets Manager refused: ${reasonIn(reply)}`)
    const list = readJson(secret, read.value.SecretString)
    if (!list.ok) throw new Error(`the secret is not usable: ${list.detail}`)
    return list.value.stockDatabases
  }
}

function reasonIn({ status, body }: { status: number; body: string }): string {
  const read = readJson(refusal, body)
  return read.ok ? read.value.__type.replace(/^.*#/, '') : `HTTP ${status}`
}
