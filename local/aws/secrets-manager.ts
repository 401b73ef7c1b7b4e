/**
 * Emulates Secrets Manager: the one call of the functions, in its JSON protocol
 * (https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html).
 */
import { createServer, type IncomingMessage } from 'node:http'
import * as z from 'zod/mini'
import { readJson } from '../../core/lib/parse.ts'
import { readBody } from '../cdn/body.ts'
import { type Listening, listen, type RouteReply } from '../listen.ts'

const getSecretValue = z.object({ SecretId: z.string() })
const bodyLimitBytes = 10_000

const refusal = (type: string): RouteReply => ({ status: 400, body: { __type: type } })

/** Serves `secrets` (values by name) on a free port. Changes of the map apply at once. */
export function startSecretsManager(secrets: ReadonlyMap<string, string>): Promise<Listening> {
  const server = createServer(async (request, response) => {
    const { status, body } = await answer(secrets, request)
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))
  })
  return listen(server, 0)
}

async function answer(
  secrets: ReadonlyMap<string, string>,
  request: IncomingMessage,
): Promise<{ status: number; body?: unknown }> {
  const { authorization = '', 'x-amz-target': target } = request.headers
  if (!/^AWS4-HMAC-SHA256 .*\/secretsmanager\/aws4_request,/.test(authorization))
    return refusal('MissingAuthenticationTokenException')
  if (target !== 'secretsmanager.GetSecretValue') return refusal('UnknownOperationException')
  const text = await readBody(request, bodyLimitBytes)
  const asked = readJson(getSecretValue, String(text ?? ''))
  if (!asked.ok) return refusal('InvalidParameterException')
  const { SecretId: Name } = asked.value
  const SecretString = secrets.get(Name)
  return SecretString === undefined
    ? refusal('ResourceNotFoundException')
    : { status: 200, body: { Name, SecretString, VersionStages: ['AWSCURRENT'] } }
}
