/** What an account must allow before a stage is deployed: rows of the table (`deploy-table.ts`). */
import * as z from 'zod/mini'
import { addressIn } from '../infra/settings/mail.ts'
import { functionsOfStage, type StageSettings } from '../infra/settings/stage.ts'
import { apiBehaviours, openPatterns } from '../system/behaviours.ts'
import { edgeHome } from '../system/edge-regions.ts'
import { askAws, readAws } from './aws-cli.ts'
import { type Asked, bad, good, type RowCheck, type RowFinding, waits, warning } from './deploy-table.ts'
import { listedQuota } from './preflight/account.ts'

/** What the templates need; tests compare these with them. */
export const needed = {
  bootstrap: { name: '/cdk-bootstrap/hnb659fds/version', version: 6 },
  /** The role of CloudFormation. */
  maker: (account: string, region: string): string => `cdk-hnb659fds-cfn-exec-role-${account}-${region}`,
  /** Beside those of the API: pages, pointer, console and widget. */
  behaviours: ({ simulatesPayments }: StageSettings): number =>
    apiBehaviours.length + openPatterns.length + 4 + (simulatesPayments === true ? 1 : 0),
  headerPolicies: ['pages', 'open', 'console', 'widget', 'api', 'open-api'],
  concurrency(settings: StageSettings): number {
    const shares = functionsOfStage(settings).map((name) => {
      const { reserved = 0, provisioned = 0 } = settings.functions[name]
      return Math.max(reserved, settings.keepProvisioned ? provisioned : 0)
    })
    return shares.reduce((sum, share) => sum + share, 0)
  },
} as const

/** AWS keeps this much for functions without a reservation. */
const unreservable = 100

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html */
const documented = { behaviours: 75, headerPolicies: 20 }

const raise = (quota: string, region: string) =>
  `Ask for more in Service Quotas, ${region}: ${quota}. An answer takes days (docs/how-to/deploy.md, "6. Quotas").`

const accountPlan = z.object({ accountPlanType: z.string() })

/** Accounts since July 2025 have a plan. The free one ends after six months, or with its credits, and closes the account. */
async function readPlan({ aws }: Asked) {
  const ask = ['freetier', 'get-account-plan-state', '--region', edgeHome]
  const { accountPlanType: type } = readAws(accountPlan, await aws(...ask))
  return type === 'FREE'
    ? waits(
        'the account has the free plan of AWS, which lacks services and is closed after six months',
        'Upgrade to the paid plan in the console (Billing and Cost Management); its credits stay. --force tries it for a trial.',
      )
    : good(`the plan of the account is ${type}`)
}

/** The templates send as these domains, also where only the address is verified. */
function senderDomains({ signIn, mail }: StageSettings): string[] {
  const senders = [signIn.kind === 'cognito' ? signIn.email?.from : undefined, mail?.from]
  const domains = senders.map((sender) => addressIn(sender ?? '')?.split('@')[1])
  return [...new Set(domains.filter((domain) => domain !== undefined))]
}

const identity = z.object({ VerifiedForSendingStatus: z.boolean() })

const readSenders = ({ settings, aws }: Asked): Promise<RowFinding[]> =>
  Promise.all(
    senderDomains(settings).map(async (domain) => {
      const { region } = settings
      const at = ['--region', region, '--email-identity', domain]
      const found = await askAws(aws, 'NotFoundException', identity, 'sesv2', 'get-email-identity', ...at)
      if (found?.VerifiedForSendingStatus === true) return good(`SES in ${region} has verified ${domain}`)
      const records = 'add its three CNAME records (docs/how-to/mail.md)'
      return found === undefined
        ? bad(
            `SES in ${region} does not know ${domain}: the user pool would be refused, or its e-mails`,
            `aws sesv2 create-email-identity ${at.join(' ')}, then ${records}.`,
          )
        : bad(
            `SES in ${region} has not verified ${domain}`,
            `Wait, or ${records}: aws sesv2 get-email-identity ${at.join(' ')}`,
          )
    }),
  )

const sending = z.object({ ProductionAccessEnabled: z.boolean(), SendingEnabled: z.boolean() })

/** A stack would be made all the same, but a shop whose shoppers get no codes sells nothing. */
async function readSandbox({ settings, aws }: Asked) {
  if (senderDomains(settings).length === 0) return undefined
  const { region, isProduction } = settings
  const account = readAws(sending, await aws('sesv2', 'get-account', '--region', region))
  const ses = `SES in ${region}`
  if (!account.SendingEnabled) return waits(`${ses} is paused`, 'Ask AWS Support; --force deploys without e-mails.')
  if (account.ProductionAccessEnabled) return good(`${ses} sends to any address`)
  const finding = `${ses} is in its sandbox: it sends 200 e-mails a day, to verified addresses only`
  const ask = 'Request production access (docs/how-to/mail.md); AWS answers within a day.'
  return isProduction
    ? waits(finding, `${ask} Until then no shopper can sign up; --force deploys anyway.`)
    : warning(finding, `${ask} For a trial verify the addresses of those who try it.`)
}

const limits = z.object({ ConcurrentExecutions: z.number(), UnreservedConcurrentExecutions: z.number() })

async function readConcurrency({ settings, aws }: Asked) {
  const { name, region, quotas } = settings
  const at = ['--region', region]
  const app = ['cloudformation', 'describe-stacks', ...at, '--stack-name', `sluice-${name}-app`]
  const [limit, isDeployed] = await Promise.all([
    aws('lambda', 'get-account-settings', ...at, '--query', 'AccountLimit'),
    askAws(aws, 'does not exist', z.unknown(), ...app),
  ])
  const { ConcurrentExecutions: quota, UnreservedConcurrentExecutions: free } = readAws(limits, limit)
  const need = needed.concurrency(settings)
  // Once the stage is deployed, its own reservations are among those that are taken.
  const others = Math.max(0, quota - free - (isDeployed === undefined ? 0 : need))
  const finding = `${quota} concurrent executions in ${region}; the stage reserves ${need}, others ${others}`
  const remedy = raise('Concurrent executions of Lambda', region)
  if (need > 0 && need + others + unreservable > quota)
    return bad(`${finding}, and AWS keeps ${unreservable} unreserved`, remedy)
  return quota < quotas.functionConcurrency
    ? warning(`${finding}. The settings assume ${quotas.functionConcurrency}: a crowd is throttled earlier`, remedy)
    : good(finding)
}

const certificate = z.object({
  ...{ Status: z.string(), Type: z.string(), NotAfter: z._default(z.string(), 'an unknown day') },
  SubjectAlternativeNames: z._default(z.array(z.string()), []),
  DomainValidationOptions: z._default(z.array(z.object({ ValidationMethod: z.optional(z.string()) })), []),
  RenewalSummary: z._default(z.object({ RenewalStatus: z.string() }), { RenewalStatus: 'SUCCESS' }),
})

async function readCertificate({ settings: { domain }, aws }: Asked) {
  if (domain === undefined) return undefined
  const { name, certificateArn: arn } = domain
  const request = `aws acm request-certificate --region ${edgeHome} --domain-name ${name} --validation-method DNS`
  const [, , , region] = arn.split(':')
  if (region !== edgeHome) return bad(`it is in ${region ?? 'no region'}, and CloudFront reads ${edgeHome}`, request)
  const at = ['--region', edgeHome, '--certificate-arn', arn, '--query', 'Certificate']
  const found = await askAws(aws, 'ResourceNotFoundException', certificate, 'acm', 'describe-certificate', ...at)
  if (found === undefined) return bad(`domain.certificateArn does not exist in ${edgeHome}`, request)
  if (found.Status !== 'ISSUED')
    return bad(`it is ${found.Status}`, 'Add the CNAME records that ACM shows for it, and wait until it is ISSUED.')
  const names = found.SubjectAlternativeNames
  if (!names.includes(name) && !names.includes(name.replace(/^[^.]+/, '*')))
    return bad(`it is for ${names.join(', ')}, not for ${name}`, request)
  const until = `issued for ${name} until ${found.NotAfter.split('T')[0]}`
  const isByDns = found.DomainValidationOptions.every(({ ValidationMethod }) => ValidationMethod === 'DNS')
  if (found.Type !== 'AMAZON_ISSUED' || !isByDns)
    return warning(`${until}; AWS does not renew it by itself`, `${request}: AWS renews that.`)
  const { RenewalStatus: renewal } = found.RenewalSummary
  if (renewal !== 'SUCCESS') return warning(`${until}; its renewal is ${renewal}`, 'Restore its CNAME records.')
  return good(`${until}; AWS renews it`)
}

const withinQuota = (finding: string, need: number, most: number, quota: string): RowFinding =>
  need > most ? bad(finding, raise(quota, edgeHome)) : good(finding)

async function readBehaviours({ settings, aws }: Asked) {
  const quota = 'Cache behaviors per distribution'
  const most = (await listedQuota(aws, quota)) ?? documented.behaviours
  const need = needed.behaviours(settings)
  return withinQuota(`${need} cache behaviours of ${most} that a distribution may have`, need, most, quota)
}

const names = z.nullable(z.array(z.string()))
const nameOfEach = 'ResponseHeadersPolicyList.Items[].ResponseHeadersPolicy.ResponseHeadersPolicyConfig.Name'

async function readHeaderPolicies({ settings, aws }: Asked) {
  const quota = 'Response headers policies per AWS account'
  const [most = documented.headerPolicies, answer] = await Promise.all([
    listedQuota(aws, quota),
    aws('cloudfront', 'list-response-headers-policies', '--type', 'custom', '--query', nameOfEach),
  ])
  const own = needed.headerPolicies.map((name) => `sluice-${settings.name}-${name}`)
  const others = (readAws(names, answer) ?? []).filter((name) => !own.includes(name)).length
  const finding = `${own.length} response-headers policies beside ${others} others, of ${most} in an account`
  return withinQuota(finding, own.length + others, most, quota)
}

const readBootstrap = ({ settings, aws, account }: Asked): Promise<RowFinding[]> =>
  Promise.all(
    [...new Set([settings.region, edgeHome])].map(async (region) => {
      const { name, version } = needed.bootstrap
      const at = ['--region', region, '--name', name, '--query', 'Parameter.Value']
      const found = Number((await askAws(aws, 'ParameterNotFound', z.string(), 'ssm', 'get-parameter', ...at)) ?? 0)
      if (found >= version) return good(`${region} has version ${found}`)
      const state = found === 0 ? 'is not bootstrapped' : `has version ${found}, and ${version} is needed`
      return { ...good(`${region} ${state}: npm run deploy does it`), bootstraps: `aws://${account}/${region}` }
    }),
  )

/**
 * Roles that AWS makes with the first resource that needs them, if the role of the deployment may
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/lambda-edge-permissions.html,
 * https://docs.aws.amazon.com/cognito/latest/developerguide/using-service-linked-roles.html). The firewall needs none
 * to log to CloudWatch, nor a table without replicas.
 */
const serviceRoles = ({ region, signIn }: StageSettings) => {
  const atEdge = [
    ['AWSServiceRoleForLambdaReplicator', 'replicator.lambda.amazonaws.com', edgeHome],
    ['AWSServiceRoleForCloudFrontLogger', 'logger.cloudfront.amazonaws.com', edgeHome],
  ] as const
  const mail = ['AWSServiceRoleForAmazonCognitoIdpEmailService', 'email.cognito-idp.amazonaws.com', region] as const
  return signIn.kind === 'cognito' && signIn.email !== undefined ? [...atEdge, mail] : atEdge
}

/** A role of the deployment that is still to come gets the rights of an administrator from `cdk bootstrap`. */
const readServiceRoles = ({ settings, aws, account }: Asked): Promise<RowFinding[]> =>
  Promise.all(
    serviceRoles(settings).map(async ([role, service, region]) => {
      const found = await askAws(aws, 'NoSuchEntity', z.unknown(), 'iam', 'get-role', '--role-name', role)
      if (found !== undefined) return good(`${role} exists`)
      const maker = needed.maker(account, region)
      const simulate = ['iam', 'simulate-principal-policy', '--action-names', 'iam:CreateServiceLinkedRole']
      const decision = await askAws(
        ...([aws, 'NoSuchEntity', z.string(), ...simulate] as const),
        ...['--policy-source-arn', `arn:aws:iam::${account}:role/${maker}`],
        ...['--resource-arns', `arn:aws:iam::${account}:role/aws-service-role/${service}/${role}`],
        ...['--context-entries', `ContextKeyName=iam:AWSServiceName,ContextKeyType=string,ContextKeyValues=${service}`],
        ...['--query', 'EvaluationResults[0].EvalDecision'],
      )
      if ((decision ?? 'allowed') === 'allowed') return good(`AWS makes ${role} with the first deployment`)
      return bad(
        `${role} is missing, and ${maker} may not make it`,
        `aws iam create-service-linked-role --aws-service-name ${service}`,
      )
    }),
  )

export const accountChecks: readonly RowCheck[] = [
  { name: 'plan', read: readPlan },
  { name: 'sender', read: readSenders },
  { name: 'e-mail', read: readSandbox },
  { name: 'concurrency', read: readConcurrency },
  { name: 'certificate', read: readCertificate },
  { name: 'behaviours', read: readBehaviours },
  { name: 'header policies', read: readHeaderPolicies },
  { name: 'bootstrap', read: readBootstrap },
  { name: 'service roles', read: readServiceRoles },
]
