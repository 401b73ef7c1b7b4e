/** The rehearsal of deployments: its CloudFormation, and one stage through the CDK's command line (DESIGN 4). */
import { describe, expect, it } from 'vitest'
import { small } from '../../infra/settings/small.ts'
import { CloudFormation } from '../../proof/rehearsal/cloudformation.ts'
import { rehearse } from '../../proof/rehearsal/main.ts'
import { newFolder } from '../folders.ts'

const queue = (Properties: object) => ({ Type: 'AWS::SQS::Queue', Properties })

/** Deploys stacks of one account, each with the template that it gets, and reads their state. */
function anAccount() {
  const cloud = new CloudFormation()
  const encode = (template: object) => new TextEncoder().encode(JSON.stringify(template))
  const deploy = (StackName: string, region: string, template: object) => {
    cloud.account.objects.set('templates/one.json', encode(template))
    const ChangeSetType = cloud.stacks.has(`${region} ${StackName}`) ? 'UPDATE' : 'CREATE'
    const asked = { StackName, ChangeSetType, TemplateURL: 'http://127.0.0.1/templates/one.json' }
    cloud.answer('CreateChangeSet', region, asked)
    cloud.answer('ExecuteChangeSet', region, asked)
    const { StackStatus, StackStatusReason, Outputs } = cloud.stack(region, StackName).facts
    return { end: `${StackStatus} ${StackStatusReason}`, outputs: Outputs.map(({ OutputValue }) => OutputValue) }
  }
  return { cloud, deploy }
}

describe('the CloudFormation of the rehearsal', () => {
  it('creates what others refer to first, and reads outputs of other stacks and regions', () => {
    const { cloud, deploy } = anAccount()
    const Output = { Value: { 'Fn::GetAtt': ['Last', 'Arn'] } }
    const first = { DependsOn: ['Last'], ...queue({}) }
    deploy('one', 'us-east-1', { Resources: { First: first, Last: queue({ QueueName: 'last' }) }, Outputs: { Output } })
    expect([...cloud.stack('us-east-1', 'one').resources.keys()]).toEqual(['Last', 'First'])
    const Value = { 'Fn::GetStackOutput': { StackName: 'one', Region: 'us-east-1', OutputName: 'Output' } }
    const two = deploy('two', 'eu-west-1', { Resources: {}, Outputs: { Copied: { Value } } })
    expect(two).toEqual({ end: 'CREATE_COMPLETE ', outputs: ['arn:aws:sqs:us-east-1:123456789012:last'] })
  })

  it('refuses a name that exists, a secret without the field, and an ARN of nothing, and keeps what it made', () => {
    const { cloud, deploy } = anAccount()
    cloud.account.secrets.set('eu-west-1 sluice/dev/redis', ['gateUrl'])
    const secret = '{{resolve:secretsmanager:sluice/dev/redis:SecretString:gateToken::}}'
    const deadLetterTargetArn = 'arn:aws:sqs:eu-west-1:123456789012:gone'
    const reasonOf = (stack: string, properties: object) =>
      deploy(stack, 'eu-west-1', { Resources: { Kept: queue({}), Wrong: queue(properties) } }).end
    deploy('first', 'eu-west-1', { Resources: { Orders: queue({ QueueName: 'orders' }) } })
    expect(reasonOf('name', { QueueName: 'orders' })).toMatch(/^CREATE_FAILED .*orders.* already exists: first\/Orders/)
    expect(reasonOf('field', { QueueName: secret })).toMatch(/^CREATE_FAILED .*redis with the key gateToken/)
    expect(reasonOf('arn', { RedrivePolicy: { deadLetterTargetArn } })).toMatch(/^CREATE_FAILED .*:gone does not exist/)
    expect(reasonOf('arn', { Redrive: 1 })).toMatch(/^UPDATE_FAILED .*unsupported property Redrive/)
    expect([...cloud.stack('eu-west-1', 'name').resources.keys()]).toEqual(['Kept'])
  })

  it('refuses a cycle and a name that is not in the template before it creates anything', () => {
    const { deploy } = anAccount()
    const refers = (id: string) => queue({ QueueName: { Ref: id } })
    const create = (Resources: object) => () => deploy('one', 'eu-west-1', { Resources })
    expect(create({ A: refers('B'), B: refers('A') })).toThrow('Circular dependency between resources: A, B')
    expect(create({ A: refers('Gone') })).toThrow('Unresolved resource dependencies [Gone] in the resource A')
    expect(create({ A: queue({ QueueName: { 'Fn::Cidr': [] } }) })).toThrow('Fn::Cidr is not in the rehearsal')
  })
})

describe('npm run rehearse', () => {
  it('goes on after a failure in the middle of a first deployment', async () => {
    const printed: string[] = []
    const print = (line: string) => void printed.push(line)
    const isGood = await rehearse(small, { folder: newFolder('rehearsal'), print, scenarios: ['broken'] })
    expect(printed.filter((line) => !line.startsWith('  … cdk deploy'))).toEqual([
      expect.stringMatching(/^✓ small, failure of the distribution: 3 stacks failed: \d+ created/),
      expect.stringMatching(/^✓ small, same command again: 6 stacks complete: \d+ created/),
    ])
    expect(isGood).toBe(true)
  })
})
