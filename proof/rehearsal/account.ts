/**
 * The account of the rehearsal: what its services keep, and what they refuse when a resource is created or deleted. Types
 * without a row in `effects` exist by name and ARN only. What is refused throws Refused.
 */
import { accountId, type Identity, identityOf, type Place, Refused, textAt, types } from './resource-types.ts'

type Properties = Record<string, unknown>
export type Made = Identity & { type: string; place: Place; properties: Properties }

export class Account {
  /** Secrets by region and name, each with its fields. */
  readonly secrets = new Map<string, readonly string[]>()
  /** SSM parameters by region and name. */
  readonly parameters = new Map<string, string>()
  /** Objects of S3 by bucket and key. */
  readonly objects = new Map<string, Uint8Array>()
  /** What exists. The rehearsal puts in what no template makes, such as an e-mail identity. */
  readonly arns = new Set([`arn:aws:iam::${accountId}:root`])
  /** The type that is created in this stack and then reports a failure, once. */
  fault: { stack: string; type: string } | undefined
  /** Functions that CloudFront copied to every region; they cannot be deleted while a copy is left. */
  readonly replicated = new Set<string>()
  /** Names that were given, each with what has it. */
  readonly #owners = new Map<string, string>()
  #serial = 0

  /** What `cdk bootstrap` makes. */
  bootstrap(region: string): void {
    this.parameters.set(`${region} /cdk-bootstrap/hnb659fds/version`, '30')
    this.arns.add(`arn:aws:s3:::cdk-hnb659fds-assets-${accountId}-${region}`)
    for (const role of ['deploy', 'file-publishing', 'lookup', 'cfn-exec'])
      this.arns.add(`arn:aws:iam::${accountId}:role/cdk-hnb659fds-${role}-role-${accountId}-${region}`)
  }

  /** How a resource would be called; `create` makes it. */
  identify(type: string, properties: Properties, place: Place): Made {
    return { ...identityOf(type, properties, place, this.#serial + 1), type, place, properties }
  }

  create(type: string, properties: Properties, place: Place): Made {
    const made = this.identify(type, properties, place)
    const owner = this.#owners.get(made.key ?? '')
    if (owner !== undefined) throw new Refused(`${made.key} already exists: ${owner} has it`)
    this.update(made, properties)
    if (made.key !== undefined) this.#owners.set(made.key, `${place.stack}/${place.logicalId}`)
    for (const arn of made.arns) this.arns.add(arn)
    this.#serial += 1
    return made
  }

  update(made: Made, properties: Properties): Made {
    const changed = { ...made, properties }
    this.#check(changed)
    effects[made.type]?.(this, changed)
    return changed
  }

  delete({ key, arns, ref }: Made): void {
    if (arns.some((arn) => this.replicated.has(arn)))
      throw new Refused(`Lambda was unable to delete ${ref} because it is a replicated function`)
    this.#owners.delete(key ?? '')
    for (const arn of arns) this.arns.delete(arn)
  }

  isReplacedBy(before: Made, type: string, properties: Properties): boolean {
    const isOther = (name: string) => !isSame(before.properties[name], properties[name])
    const fixed = Object.entries(types.get(type)?.properties ?? {}).filter(([, one]) => one.causesReplacement === 'yes')
    return before.type !== type || fixed.some(([name]) => isOther(name))
  }

  object(path: string): Uint8Array {
    const found = this.objects.get(path)
    if (found === undefined) throw new Refused(`S3 has no object ${path}`)
    return found
  }

  mustExist(arn: string): void {
    if (!this.arns.has(arn) && !this.arns.has(arn.replace(/:\*$/, ''))) throw new Refused(`${arn} does not exist`)
  }

  /** What every service checks: the properties, the references to secrets, and what ARNs name. */
  #check({ type, properties, place }: Made): void {
    const known = types.get(type)?.properties
    if (known === undefined && !type.startsWith('Custom::')) throw new Refused(`Unrecognized resource types: [${type}]`)
    for (const name of known === undefined ? [] : Object.keys(properties))
      if (known?.[name] === undefined) throw new Refused(`Encountered unsupported property ${name}`)
    for (const [name, { required }] of Object.entries(known ?? {}))
      if (required === true && !(name in properties)) throw new Refused(`Property ${name} cannot be empty`)
    for (const [path, text] of textsIn(properties)) {
      for (const [, id = '', field = ''] of text.matchAll(secretReference))
        if (this.secrets.get(`${place.region} ${id}`)?.includes(field) !== true)
          throw new Refused(`Secrets Manager has no secret ${id} with the key ${field} in ${place.region}`)
      // Policies may name what is made later, except who they are for.
      const isLater = /PolicyDocument|KeyPolicy|Policies/.test(path) && !/\.Principal\.AWS/.test(path)
      if (ourArn.test(text) && !isLater) this.mustExist(text)
    }
  }
}

const secretReference = /\{\{resolve:secretsmanager:([^:]+):SecretString:(\w*)::\}\}/g
const ourArn = new RegExp(`^arn:aws:(?:s3::|[\\w-]+:[\\w-]*:${accountId}):[^*]*(?::\\*)?$`)

export const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

function* textsIn(value: unknown, path = ''): Generator<[path: string, text: string]> {
  if (typeof value === 'string') yield [path, value]
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) yield* textsIn(part, `${path}.${key}`)
}

type Effect = (account: Account, made: Made) => unknown

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
  // The function of the CDK copies the files of uploaded archives.
  'Custom::CDKBucketDeployment': (account, { properties }) => {
    const bucket = textAt(properties, 'DestinationBucketName')
    account.mustExist(`arn:aws:s3:::${bucket}`)
    const source = textAt(properties, 'SourceBucketNames.0')
    for (const key of [properties.SourceObjectKeys].flat())
      account.objects.set(`${bucket}/${key}`, account.object(`${source}/${key}`))
  },
}

export const isCarriedOut = (type: string) => type in effects
