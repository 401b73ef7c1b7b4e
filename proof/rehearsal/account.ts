/**
 * Emulates an AWS account: its resources, and the checks when one is created or deleted. Resource types come from the
 * CDK's own database; types without a row in `effects` exist by name and ARN only. A rejected request throws
 * AwsRefused.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod/mini'
import { AwsCliError } from '../../cli/aws-cli.ts'
import { readJson } from '../../core/lib/parse.ts'

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
const types = new Map(read.value.schema.resource.entities.map((type) => [type.cloudFormationType, type]))

export const accountId = '123456789012'

type Place = { region: string; stack: string; logicalId: string }

/** `key` must be unique in the account; undefined when CloudFormation chooses the name. */
type Identity = { ref: string; attributes: Record<string, string>; arns: string[]; key: string | undefined }

/** Attributes that are neither an ARN of the default form nor an id. `{…}` is a property, or a variable of `identityOf`. */
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

/** Derives the names, ids and ARNs of a resource. `serial` differs for each created resource. */
function identityOf(typeName: string, properties: object, place: Place, serial: number): Identity {
  const { region, stack, logicalId } = place
  const hash = createHash('sha256').update([region, stack, logicalId, serial].join('/')).digest('hex')
  const type = types.get(typeName)
  if (type === undefined) return { ref: `${stack}-${logicalId}-${serial}`, attributes: {}, arns: [], key: undefined }
  const id = `E${hash.slice(0, 12).toUpperCase()}`
  const kind = typeName.split('::').at(-1)
  const settable = type.primaryIdentifier.filter((part) => part in type.properties).at(-1)
  const paths = [`${kind}Name`, 'Name', settable ?? 'Name', `${kind}Config.Name`]
  const given = paths.map((path) => textAt(properties, path)).find((text) => text !== undefined)
  const name = given ?? `${stack}-${logicalId}-${hash.slice(0, 8)}`
  // The bare name of a function, from a name, a name with a qualifier, or an ARN.
  const own = textAt(properties, 'FunctionName')
    ?.replace(/^arn:.*:function:/, '')
    .replace(/:.*/, '')
  const known: Record<string, unknown> = { Partition: 'aws', Account: accountId, Region: region, id, name, serial }
  const fill = (form: string, last: string) =>
    form.replaceAll(/\$?\{(\w+)\}/g, (_, word) => textAt({ ...properties, ...known, function: own }, word) ?? last)
  const arn = type.arnTemplate || `arn:aws:${kind}:{Region}:{Account}:{name}`
  const attributeOf = (attribute: string) => {
    const isName = attribute.endsWith('Name')
    return fill(forms[`${typeName}.${attribute}`] ?? (/(?:Arn|ARN)$/.test(attribute) ? arn : isName ? name : id), name)
  }
  const attributes = Object.fromEntries(Object.keys(type.attributes).map((one) => [one, attributeOf(one)]))
  const ids = type.cfnRefIdentifier.length > 0 ? type.cfnRefIdentifier : type.primaryIdentifier
  const ref = ids.map((part) => attributes[part] ?? textAt(properties, part) ?? name).join('|')
  const scope = ['FunctionName', 'GroupName', 'UserPoolId'].map((path) => textAt(properties, path))
  const where = /^AWS::(?:S3::Bucket$|IAM::|CloudFront::)/.test(typeName) ? 'every region' : region
  const isUnique = given !== undefined && !/IAM::Policy$|Permission$|UserPool(?:Client)?$/.test(typeName)
  const key = isUnique ? `${[typeName, ...scope, given].filter(Boolean).join(' ')} in ${where}` : undefined
  return { ref, attributes, arns: [...Object.values(attributes), fill(arn, name), fill(arn, id)], key }
}

/** Returns the text at a dotted path. */
function textAt(value: unknown, path: string): string | undefined {
  const at = (found: unknown, part: string) =>
    typeof found === 'object' && found !== null ? Reflect.get(found, part) : undefined
  const found = path.split('.').reduce(at, value)
  return found === undefined || typeof found === 'object' ? undefined : String(found)
}

type Properties = Record<string, unknown>
export type CreatedResource = Identity & { type: string; place: Place; properties: Properties }

export class RehearsedAccount {
  /** Secrets by region and name, each with its fields. */
  readonly secrets = new Map<string, readonly string[]>()
  /** SSM parameters by region and name. */
  readonly parameters = new Map<string, string>()
  /** Objects of S3 by bucket and key. */
  readonly objects = new Map<string, Uint8Array>()
  /** All existing ARNs. The rehearsal adds those that no template creates, such as an email identity. */
  readonly arns = new Set([`arn:aws:iam::${accountId}:root`])
  /** A resource of this type in this stack is created and then reports a failure, once. */
  fault: { stack: string; type: string } | undefined
  /** Functions that CloudFront copied to every region; they cannot be deleted while a copy is left. */
  readonly replicated = new Set<string>()
  /** Chosen names and their owners. */
  readonly #owners = new Map<string, string>()
  #serial = 0

  /** Creates the resources of `cdk bootstrap`. */
  bootstrap(region: string): void {
    this.parameters.set(`${region} /cdk-bootstrap/hnb659fds/version`, '30')
    this.arns.add(`arn:aws:s3:::cdk-hnb659fds-assets-${accountId}-${region}`)
    for (const role of ['deploy', 'file-publishing', 'lookup', 'cfn-exec'])
      this.arns.add(`arn:aws:iam::${accountId}:role/cdk-hnb659fds-${role}-role-${accountId}-${region}`)
  }

  /** Returns the identity that a resource would have; `create` creates it. */
  identify(type: string, properties: Properties, place: Place): CreatedResource {
    return { ...identityOf(type, properties, place, this.#serial + 1), type, place, properties }
  }

  create(type: string, properties: Properties, place: Place): CreatedResource {
    const made = this.identify(type, properties, place)
    const owner = this.#owners.get(made.key ?? '')
    if (owner !== undefined) throw new AwsCliError(`${made.key} already exists: ${owner} has it`)
    this.update(made, properties)
    if (made.key !== undefined) this.#owners.set(made.key, `${place.stack}/${place.logicalId}`)
    for (const arn of made.arns) this.arns.add(arn)
    this.#serial += 1
    return made
  }

  update(made: CreatedResource, properties: Properties): CreatedResource {
    const changed = { ...made, properties }
    this.#check(changed)
    effects[made.type]?.(this, changed)
    return changed
  }

  delete({ key, arns, ref }: CreatedResource): void {
    if (arns.some((arn) => this.replicated.has(arn)))
      throw new AwsCliError(`Lambda was unable to delete ${ref} because it is a replicated function`)
    this.#owners.delete(key ?? '')
    for (const arn of arns) this.arns.delete(arn)
  }

  isReplacedBy(before: CreatedResource, type: string, properties: Properties): boolean {
    const isOther = (name: string) => !isEqualJson(before.properties[name], properties[name])
    const fixed = Object.entries(types.get(type)?.properties ?? {}).filter(([, one]) => one.causesReplacement === 'yes')
    return before.type !== type || fixed.some(([name]) => isOther(name))
  }

  object(path: string): Uint8Array {
    const found = this.objects.get(path)
    if (found === undefined) throw new AwsCliError(`S3 has no object ${path}`)
    return found
  }

  mustExist(arn: string): void {
    if (!this.arns.has(arn) && !this.arns.has(arn.replace(/:\*$/, ''))) throw new AwsCliError(`${arn} does not exist`)
  }

  /** Runs the checks of all services: properties, references to secrets, and the existence of ARNs. */
  #check({ type, properties, place }: CreatedResource): void {
    const known = types.get(type)?.properties
    if (known === undefined && !type.startsWith('Custom::'))
      throw new AwsCliError(`Unrecognized resource types: [${type}]`)
    for (const name of known === undefined ? [] : Object.keys(properties))
      if (known?.[name] === undefined) throw new AwsCliError(`Encountered unsupported property ${name}`)
    for (const [name, { required }] of Object.entries(known ?? {}))
      if (required === true && !(name in properties)) throw new AwsCliError(`Property ${name} cannot be empty`)
    for (const [path, text] of textsIn(properties)) {
      for (const [, id = '', field = ''] of text.matchAll(secretReference))
        if (this.secrets.get(`${place.region} ${id}`)?.includes(field) !== true)
          throw new AwsCliError(`Secrets Manager has no secret ${id} with the key ${field} in ${place.region}`)
      // Policies may name resources that are created later, except as principals.
      const isLater = /PolicyDocument|KeyPolicy|Policies/.test(path) && !/\.Principal\.AWS/.test(path)
      if (ourArn.test(text) && !isLater) this.mustExist(text)
    }
  }
}

const secretReference = /\{\{resolve:secretsmanager:([^:]+):SecretString:(\w*)::\}\}/g
const ourArn = new RegExp(`^arn:aws:(?:s3::|[\\w-]+:[\\w-]*:${accountId}):[^*]*(?::\\*)?$`)

export const isEqualJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

function* textsIn(value: unknown, path = ''): Generator<[path: string, text: string]> {
  if (typeof value === 'string') yield [path, value]
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) yield* textsIn(part, `${path}.${key}`)
}

type Effect = (account: RehearsedAccount, made: CreatedResource) => unknown

const mustBeUploaded =
  (at: string): Effect =>
  (account, { properties }) =>
    account.object(`${textAt(properties, `${at}.S3Bucket`)}/${textAt(properties, `${at}.S3Key`)}`)

const functionMustExist: Effect = (account, { properties, place }) => {
  const name = textAt(properties, 'FunctionName') ?? ''
  account.mustExist(name.startsWith('arn:') ? name : `arn:aws:lambda:${place.region}:${accountId}:function:${name}`)
}

const effects: Readonly<Record<string, Effect>> = {
  'AWS::CloudFront::Distribution': ({ replicated }, { properties }) => {
    for (const [, arn] of textsIn(properties))
      if (/^arn:aws:lambda:.*:\d+$/.test(arn)) replicated.add(arn).add(arn.replace(/:\d+$/, ''))
  },
  'AWS::Lambda::EventInvokeConfig': functionMustExist,
  'AWS::Lambda::Function': mustBeUploaded('Code'),
  'AWS::Lambda::LayerVersion': mustBeUploaded('Content'),
  'AWS::Lambda::Permission': functionMustExist,
  'AWS::Lambda::Version': functionMustExist,
  'AWS::S3::BucketPolicy': (account, { properties }) =>
    account.mustExist(`arn:aws:s3:::${textAt(properties, 'Bucket')}`),
  // The CDK's function copies the files of uploaded archives.
  'Custom::CDKBucketDeployment': (account, { properties }) => {
    const bucket = textAt(properties, 'DestinationBucketName')
    account.mustExist(`arn:aws:s3:::${bucket}`)
    const source = textAt(properties, 'SourceBucketNames.0')
    for (const key of [properties.SourceObjectKeys].flat())
      account.objects.set(`${bucket}/${key}`, account.object(`${source}/${key}`))
  },
}

export const isEmulated = (type: string) => type in effects
