/** Checks what an account must allow before a stage is deployed. The results are rows of the table (`deploy-table.ts`). */
import * as z from 'zod/mini'
import { addressIn } from '../infra/settings/mail.ts'
import { functionsOfStage, type StageSettings } from '../infra/settings/stage.ts'
import { apiBehaviours, openPatterns } from '../system/behaviours.ts'
import { edgeHome } from '../system/edge-regions.ts'
import { findInAws, readAws } from './aws-cli.ts'
import { bad, blocked, type CheckContext, type CheckFinding, good, type RowCheck, warning } from './deploy-table.ts'
import { findListedQuota } from './preflight/account.ts'
import { minUnreserved } from './preflight/load.ts'

/** The requirements of the templates; tests compare both. */
export const requirements = {
  bootstrap: { name: '/cdk-bootstrap/hnb659fds/version', version: 6 },
  /** The role that CloudFormation assumes. */
  deploymentRole: (account: string, region: string): string => `cdk-hnb659fds-cfn-exec-role-${account}-${region}`,
  /** The behaviours of the API, and those of pages, pointer, console and widget. */
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

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html */
const documented = { behaviours: 75, headerPolicies: 20 }

const quotaIncrease = (quota: string, region: string) =>
  `Ask for more in Service Quotas, ${region}: ${quota}. An answer takes days (docs/how-to/deploy.md, "6. Quotas").`

const accountPlan = z.object({ accountPlanType: z.string() })

/** Accounts since July 2025 have a plan. AWS closes an account with the free plan after six months, or when its credits are spent. */
async function readPlan({ aws }: CheckContext) {
  const ask = ['freetier', 'get-account-plan-state', '--region', edgeHome]
  const { accountPlanType: type } = readAws(accountPlan, await aws(...ask))
  return type === 'FREE'
    ? blocked(
        'the account has the free plan of AWS, which lacks services and is closed after six months',
        'Upgrade to the paid plan in the console (Billing and Cost Management); its credits stay. --force tries it for a trial.',
      )
    : good(`the plan of the account is ${type}`)
}

/** Returns the domains that the templates send from, even where only the address is verified. */
function senderDomains({ signIn, mail }: StageSettings): string[] {
  const senders = [signIn.kind === 'cognito' ? signIn.email?.from : undefined, mail?.from]
  const domains = senders.map((sender) => addressIn(sender ?? '')?.split('@')[1])
  return [...new Set(domains.filter((domain) => domain !== undefined))]
}

const identity = z.object({ VerifiedForSendingStatus: z.boolean() })

const readSenders = ({ settings, aws }: CheckContext): Promise<CheckFinding[]> =>
  Promise.all(
    senderDomains(settings).map(async (domain) => {
      const { region } = settings
      const at = ['--region', region, '--email-identity', domain]
      const found = await findInAws(aws, 'NotFoundException', identity, 'sesv2', 'get-email-identity', ...at)
      if (found?.VerifiedForSendingStatus === true) return good(`SES in ${region} has verified ${domain}`)
      const records = 'add its three CNAME records (docs/how-to/mail.md)'
      return found === undefined
        ? bad(
            `SES in ${region} does not know ${domain}: the user pool would be refused, or its emails`,
            `aws sesv2 create-email-identity ${at.join(' ')}, then ${records}.`,
          )
        : bad(
            `SES in ${region} has not verified ${domain}`,
            `Wait, or ${records}: aws sesv2 get-email-identity ${at.join(' ')}`,
          )
    }),
  )

const sending = z.object({ ProductionAccessEnabled: z.boolean(), SendingEnabled: z.boolean() })

/** CloudFormation would deploy anyway, but without sign-up codes nobody can buy. */
async function readSandbox({ settings, aws }: CheckContext) {
  if (senderDomains(settings).length === 0) return undefined
  const { region, isProduction } = settings
  const account = readAws(sending, await aws('sesv2', 'get-account', '--region', region))
  const ses = `SES in ${region}`
  if (!account.SendingEnabled) return blocked(`${ses} is paused`, 'Ask AWS Support; --force deploys without emails.')
  if (account.ProductionAccessEnabled) return good(`${ses} sends to any address`)
  const finding = `${ses} is in its sandbox: it sends 200 emails a day, to verified addresses only`
  const ask = 'Request production access (docs/how-to/mail.md); AWS answers within a day.'
  return isProduction
    ? blocked(finding, `${ask} Until then no shopper can sign up; --force deploys anyway.`)
    : warning(finding, `${ask} For a trial verify the addresses of those who try it.`)
}

const limits = z.object({ ConcurrentExecutions: z.number(), UnreservedConcurrentExecutions: z.number() })

async function readConcurrency({ settings, aws }: CheckContext) {
  const { name, region, quotas } = settings
  const at = ['--region', region]
  const app = ['cloudformation', 'describe-stacks', ...at, '--stack-name', `sluice-${name}-app`]
  const [limit, isDeployed] = await Promise.all([
    aws('lambda', 'get-account-settings', ...at, '--query', 'AccountLimit'),
    findInAws(aws, 'does not exist', z.unknown(), ...app),
  ])
  const { ConcurrentExecutions: quota, UnreservedConcurrentExecutions: free } = readAws(limits, limit)
  const need = requirements.concurrency(settings)
  // Once the stage is deployed, the account's reservations include its own.
  const others = Math.max(0, quota - free - (isDeployed === undefined ? 0 : need))
  const finding = `${quota} concurrent executions in ${region}; the stage reserves ${need}, others ${others}`
  const remedy = quotaIncrease('Concurrent executions of Lambda', region)
  if (need > 0 && need + others + minUnreserved > quota)
    return bad(`${finding}, and AWS keeps ${minUnreserved} unreserved`, remedy)
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

async function readCertificate({ settings: { domain }, aws }: CheckContext) {
  if (domain === undefined) return undefined
  const { name, certificateArn: arn } = domain
  const request = `aws acm request-certificate --region ${edgeHome} --domain-name ${name} --validation-method DNS`
  const [, , , region] = arn.split(':')
  if (region !== edgeHome) return bad(`it is in ${region ?? 'no region'}, and CloudFront reads ${edgeHome}`, request)
  const at = ['--region', edgeHome, '--certificate-arn', arn, '--query', 'Certificate']
  const found = await findInAws(aws, 'ResourceNotFoundException', certificate, 'acm', 'describe-certificate', ...at)
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

const withinQuota = (finding: string, need: number, max: number, quota: string): CheckFinding =>
  need > max ? bad(finding, quotaIncrease(quota, edgeHome)) : good(finding)

async function readBehaviours({ settings, aws }: CheckContext) {
  const quota = 'Cache behaviors per distribution'
  const max = (await findListedQuota(aws, quota)) ?? documented.behaviours
  const need = requirements.behaviours(settings)
  return withinQuota(`${need} cache behaviours of ${max} that a distribution may have`, need, max, quota)
}

const names = z.nullable(z.array(z.string()))
const nameOfEach = 'ResponseHeadersPolicyList.Items[].ResponseHeadersPolicy.ResponseHeadersPolicyConfig.Name'

async function readHeaderPolicies({ settings, aws }: CheckContext) {
  const quota = 'Response headers policies per AWS account'
  const [max = documented.headerPolicies, answer] = await Promise.all([
    findListedQuota(aws, quota),
    aws('cloudfront', 'list-response-headers-policies', '--type', 'custom', '--query', nameOfEach),
  ])
  const own = requirements.headerPolicies.map((name) => `sluice-${settings.name}-${name}`)
  const others = (readAws(names, answer) ?? []).filter((name) => !own.includes(name)).length
  const finding = `${own.length} response-headers policies beside ${others} others, of ${max} in an account`
  return withinQuota(finding, own.length + others, max, quota)
}

const readBootstrap = ({ settings, aws, account }: CheckContext): Promise<CheckFinding[]> =>
  Promise.all(
    [...new Set([settings.region, edgeHome])].map(async (region) => {
      const { name, version } = requirements.bootstrap
      const at = ['--region', region, '--name', name, '--query', 'Parameter.Value']
      const found = Number((await findInAws(aws, 'ParameterNotFound', z.string(), 'ssm', 'get-parameter', ...at)) ?? 0)
      if (found >= version) return good(`${region} has version ${found}`)
      const state = found === 0 ? 'is not bootstrapped' : `has version ${found}, and ${version} is needed`
      return { ...good(`${region} ${state}: npm run deploy does it`), bootstraps: `aws://${account}/${region}` }
    }),
  )

/**
 * Roles that AWS creates with the first resource that needs them, if the role of the deployment allows it
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/lambda-edge-permissions.html,
 * https://docs.aws.amazon.com/cognito/latest/developerguide/using-service-linked-roles.html). Neither the firewall's
 * logs in CloudWatch nor a table without replicas need one.
 */
const serviceRoles = ({ region, signIn }: StageSettings) => {
  const atEdge = [
    ['AWSServiceRoleForLambdaReplicator', 'replicator.lambda.amazonaws.com', edgeHome],
    ['AWSServiceRoleForCloudFrontLogger', 'logger.cloudfront.amazonaws.com', edgeHome],
  ] as const
  const mail = ['AWSServiceRoleForAmazonCognitoIdpEmailService', 'email.cognito-idp.amazonaws.com', region] as const
  return signIn.kind === 'cognito' && signIn.email !== undefined ? [...atEdge, mail] : atEdge
}

/** A deployment role that does not exist yet gets administrator rights from `cdk bootstrap`. */
const readServiceRoles = ({ settings, aws, account }: CheckContext): Promise<CheckFinding[]> =>
  Promise.all(
    serviceRoles(settings).map(async ([role, service, region]) => {
      const found = await findInAws(aws, 'NoSuchEntity', z.unknown(), 'iam', 'get-role', '--role-name', role)
      if (found !== undefined) return good(`${role} exists`)
      const deploymentRole = requirements.deploymentRole(account, region)
      const simulate = ['iam', 'simulate-principal-policy', '--action-names', 'iam:CreateServiceLinkedRole']
      const decision = await findInAws(
        ...([aws, 'NoSuchEntity', z.string(), ...simulate] as const),
        ...['--policy-source-arn', `arn:aws:iam::${account}:role/${deploymentRole}`],
        ...['--resource-arns', `arn:aws:iam::${account}:role/aws-service-role/${service}/${role}`],
        ...['--context-entries', `ContextKeyName=iam:AWSServiceName,ContextKeyType=string,ContextKeyValues=${service}`],
        ...['--query', 'EvaluationResults[0].EvalDecision'],
      )
      if ((decision ?? 'allowed') === 'allowed') return good(`AWS makes ${role} with the first deployment`)
      return bad(
        `${role} is missing, and ${deploymentRole} may not make it`,
        `aws iam create-service-linked-role --aws-service-name ${service}`,
      )
    }),
  )

export const accountChecks: readonly RowCheck[] = [
  { name: 'plan', read: readPlan },
  { name: 'sender', read: readSenders },
  { name: 'email', read: readSandbox },
  { name: 'concurrency', read: readConcurrency },
  { name: 'certificate', read: readCertificate },
  { name: 'behaviours', read: readBehaviours },
  { name: 'header policies', read: readHeaderPolicies },
  { name: 'bootstrap', read: readBootstrap },
  { name: 'service roles', read: readServiceRoles },
]
