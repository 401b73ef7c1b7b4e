/** What CloudFormation knows of the types of resources, by the record in the CDK, and plausible names, ids and ARNs. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod/mini'
import { readJson } from '../../core/lib/parse.ts'

/** CloudFormation, or a service behind it, refuses; `cause` is the code of its answer where that is not the usual one. */
export class Refused extends Error {
  override name = 'Refused'
}

const names = z._default(z.array(z.string()), [])
const property = z.object({ required: z.optional(z.boolean()), causesReplacement: z.optional(z.string()) })
const resourceType = z.object({
  ...{ cloudFormationType: z.string(), primaryIdentifier: names, cfnRefIdentifier: names },
  ...{ arnTemplate: z._default(z.string(), ''), attributes: z.record(z.string(), z.unknown()) },
  properties: z.record(z.string(), property),
})
const database = z.object({ schema: z.object({ resource: z.object({ entities: z.array(resourceType) }) }) })

const folder = dirname(createRequire(import.meta.url).resolve('aws-cdk/package.json'))
const read = readJson(database, gunzipSync(readFileSync(join(folder, 'db.json.gz'))))
if (!read.ok) throw new Error(`The record of the CDK has another form: ${read.detail}`)
export const types = new Map(read.value.schema.resource.entities.map((type) => [type.cloudFormationType, type]))

export const accountId = '123456789012'

export type Place = { region: string; stack: string; logicalId: string }

/** `key` is what must exist once, undefined where CloudFormation chooses the name. */
export type Identity = { ref: string; attributes: Record<string, string>; arns: string[]; key: string | undefined }

/** Attributes that are neither an ARN of the usual form nor an id. `{…}` is a property, or a word of `identityOf`. */
const forms: Readonly<Record<string, string>> = {
  'AWS::CloudFront::Distribution.DomainName': '{id}.cloudfront.net',
  'AWS::Cognito::UserPool.ProviderURL': 'https://cognito-idp.{Region}.amazonaws.com/{id}',
  'AWS::DynamoDB::GlobalTable.Arn': 'arn:aws:dynamodb:{Region}:{Account}:table/{name}',
  'AWS::Lambda::Alias.AliasArn': 'arn:aws:lambda:{Region}:{Account}:function:{function}:{Name}',
  'AWS::Lambda::Url.FunctionArn': '{TargetFunctionArn}',
  'AWS::Lambda::Url.FunctionUrl': 'https://{id}.lambda-url.{Region}.on.aws/',
  'AWS::Lambda::Version.FunctionArn': 'arn:aws:lambda:{Region}:{Account}:function:{function}:{serial}',
  'AWS::Lambda::Version.Version': '{serial}',
  'AWS::SQS::Queue.QueueUrl': 'https://sqs.{Region}.amazonaws.com/{Account}/{name}',
  'AWS::WAFv2::WebACL.Arn': 'arn:aws:wafv2:{Region}:{Account}:global/webacl/{name}/{id}',
}

/** `serial` is another number for each resource that is made. */
export function identityOf(typeName: string, properties: object, place: Place, serial: number): Identity {
  const { region, stack, logicalId } = place
  const hash = createHash('sha256').update([region, stack, logicalId, serial].join('/')).digest('hex')
  const type = types.get(typeName)
  if (type === undefined) return { ref: `${stack}-${logicalId}-${serial}`, attributes: {}, arns: [], key: undefined }
  const id = `E${hash.slice(0, 12).toUpperCase()}`
  const kind = typeName.split('::').at(-1)
  const settable = type.primaryIdentifier.filter((part) => part in type.properties).at(-1)
  const paths = [`${kind}Name`, settable ?? 'Name', 'Name', `${kind}Config.Name`]
  const given = paths.map((path) => textAt(properties, path)).find((text) => text !== undefined)
  const name = given ?? `${stack}-${logicalId}-${hash.slice(0, 8)}`
  // The name in a function's name, in a name with a qualifier, or in an ARN.
  const own = textAt(properties, 'FunctionName')
    ?.replace(/^arn:.*:function:/, '')
    .replace(/:.*/, '')
  const known: Record<string, unknown> = { Partition: 'aws', Account: accountId, Region: region, id, name, serial }
  const fill = (form: string, last: string) =>
    form.replaceAll(/\$?\{(\w+)\}/g, (_, word) => textAt({ ...properties, ...known, function: own }, word) ?? last)
  const arn = type.arnTemplate || `arn:aws:${kind}:{Region}:{Account}:{name}`
  const attributeOf = (attribute: string) => {
    const isName = attribute.endsWith('Name')
    return fill(forms[`${typeName}.${attribute}`] ?? (/Arn|ARN$/.test(attribute) ? arn : isName ? name : id), name)
  }
  const attributes = Object.fromEntries(Object.keys(type.attributes).map((one) => [one, attributeOf(one)]))
  const ids = type.cfnRefIdentifier.length > 0 ? type.cfnRefIdentifier : type.primaryIdentifier
  const ref = ids.map((part) => attributes[part] ?? textAt(properties, part) ?? name).join('|')
  const scope = ['FunctionName', 'GroupName', 'UserPoolId'].map((path) => textAt(properties, path))
  const where = /^AWS::(?:S3::Bucket$|IAM::|CloudFront::)/.test(typeName) ? 'every region' : region
  const isUnique = given !== undefined && !/Policy$|Permission$|UserPool(?:Client)?$/.test(typeName)
  const key = isUnique ? `${[typeName, ...scope, given].filter(Boolean).join(' ')} in ${where}` : undefined
  return { ref, attributes, arns: [...Object.values(attributes), fill(arn, name), fill(arn, id)], key }
}

/** The text at a dotted path. */
export function textAt(value: unknown, path: string): string | undefined {
  const at = (found: unknown, part: string) =>
    typeof found === 'object' && found !== null ? Reflect.get(found, part) : undefined
  const found = path.split('.').reduce(at, value)
  return found === undefined || typeof found === 'object' ? undefined : String(found)
}
