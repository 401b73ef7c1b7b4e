/** Serves the AWS services that the CDK's command line calls over HTTP, and answers the AWS CLI, from the same account. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type AwsCli, AwsCliError } from '../../cli/aws-cli.ts'
import { accountId, type RehearsedAccount } from './account.ts'
import type { CloudFormation } from './cloudformation.ts'

type Reply = [answer: unknown, status?: number]

export const cloudServer = (cloud: CloudFormation): Server =>
  createServer((incoming, outgoing) => {
    buffer(incoming)
      .then((body) => answerOf(incoming, body, cloud))
      .catch((error: unknown): Reply => {
        const Code = error instanceof AwsCliError ? (error.cause ?? 'ValidationError') : 'DefectOfTheRehearsal'
        return [{ ErrorResponse: { Error: { Code, Message: error instanceof Error ? error.message : error } } }, 400]
      })
      .then(([answer, status = 200]) => outgoing.writeHead(status, { etag: 'etag' }).end(xml(answer)))
  })

/** Answers a call; the scope of its signature names region and service. */
function answerOf(incoming: IncomingMessage, body: Buffer, cloud: CloudFormation): Reply {
  const { authorization = '' } = incoming.headers
  const [, region = '', service = ''] = /Credential=[^/]+\/\d+\/([^/]+)\/([^/]+)\//.exec(authorization) ?? []
  if (service === 's3') return fileAnswer(incoming, body, cloud.account)
  if (service === 'ssm') {
    const { Name } = JSON.parse(body.toString('utf8'))
    return [JSON.stringify({ Parameter: { Value: cloud.account.parameters.get(`${region} ${Name}`) } })]
  }
  const asked = unfold(new URLSearchParams(body.toString('utf8')))
  const action = String(asked.Action)
  const answer = service === 'sts' ? identityAnswer(asked.RoleArn, cloud.account) : cloud.answer(action, region, asked)
  return [{ [`${action}Response`]: { [`${action}Result`]: answer } }]
}

function identityAnswer(role: unknown, { arns }: RehearsedAccount): object {
  if (role !== undefined && !arns.has(String(role))) throw new AwsCliError(`not authorized to assume ${role}`)
  const key = { AccessKeyId: 'rehearsal', SecretAccessKey: 'rehearsal', SessionToken: 'rehearsal' }
  const Expiration = new Date(Date.now() + 3_600_000).toISOString()
  return { Account: accountId, Arn: `arn:aws:iam::${accountId}:user/rehearsal`, Credentials: { ...key, Expiration } }
}

/** Answers S3 calls with the path `/bucket/key`. A multipart upload keeps its last part only. */
function fileAnswer({ method, url = '' }: IncomingMessage, body: Buffer, { objects, arns }: RehearsedAccount): Reply {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const [path, bucket = ''] = [pathname.slice(1), pathname.split('/')[1]]
  if (!arns.has(`arn:aws:s3:::${bucket}`)) return [{ Error: { Code: 'NoSuchBucket' } }, 404]
  if (method === 'PUT') objects.set(path, body)
  if (method === 'POST') return [{ InitiateMultipartUploadResult: { UploadId: 'rehearsal' } }]
  if (searchParams.has('encryption'))
    return [{ Error: { Code: 'ServerSideEncryptionConfigurationNotFoundError' } }, 404]
  const Key = searchParams.get('prefix') ?? ''
  return [{ ListBucketResult: objects.has(`${bucket}/${Key}`) ? { Contents: { Key, Size: 1 } } : {} }]
}

/** Parses `Tags.member.1.Key=…` into a list of objects. An empty list has an empty value. */
function unfold(form: URLSearchParams): Record<string, unknown> {
  const lists: Record<string, Record<string, string>[]> = {}
  const texts = [...form].filter(([path, value]) => {
    const [name = '', , at, field = 'value'] = path.split('.')
    if (at === undefined) return value !== ''
    const list = lists[name] ?? []
    list[Number(at) - 1] = { ...list[Number(at) - 1], [field]: value }
    lists[name] = list
    return false
  })
  return { ...Object.fromEntries(texts), ...lists }
}

function xml(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => `<member>${xml(item)}</member>`).join('')
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : undefined
  if (parts !== undefined) return parts.map(([key, part]) => `<${key}>${xml(part)}</${key}>`).join('')
  return String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Emulates the AWS CLI with the credentials of the account. It rejects unknown commands. */
export function cliOf({ account, stacks }: CloudFormation): AwsCli {
  const found = <T>(value: T | undefined, sign: string): T => {
    if (value === undefined) throw new AwsCliError(`An error occurred (${sign})`)
    return value
  }
  const run = async (...args: readonly string[]) => {
    const [of, name] = ['--region', args[1] === 'get-parameter' ? '--name' : '--stack-name'].map(
      (option) => args[args.indexOf(option) + 1],
    )
    const answers: Record<string, () => unknown> = {
      'sts get-caller-identity': () => ({ Account: accountId }),
      'ssm get-parameter': () => ({
        Parameter: { Value: found(account.parameters.get(`${of} ${name}`), 'ParameterNotFound') },
      }),
      'cloudformation describe-stacks': () => found(stacks.get(`${of} ${name}`), 'the stack does not exist').facts,
    }
    return found(answers[args.slice(0, 2).join(' ')], 'not in the rehearsal')()
  }
  return Object.assign(run, { withInput: (_: string, ...args: readonly string[]) => run(...args) })
}
