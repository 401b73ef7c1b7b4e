/** The functions, their permissions and triggers, and the files that pages load. Every deployment replaces them. */
import { CfnOutput, Fn, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib'
import { FunctionUrlAuthType, type IAlias } from 'aws-cdk-lib/aws-lambda'
import { Bucket } from 'aws-cdk-lib/aws-s3'
import { type IScheduleGroup, ScheduleGroup } from 'aws-cdk-lib/aws-scheduler'
import { Construct } from 'constructs'
import {
  type DeployedFunction,
  type EveryStageFunction,
  type FunctionName,
  type HttpFunction,
  paymentSimulator,
  perFunction,
  perHttpFunction,
  reconcileRate,
  reservationKeysRate,
  scheduledFunctions,
} from '../../system/functions.ts'
import { mailConsumption, mailFilters } from '../../system/mail.ts'
import { consumptions, queueNames } from '../../system/queues.ts'
import { AlarmTopic, createAlarms } from '../constructs/alarm.ts'
import { ChangeStream } from '../constructs/change-stream.ts'
import { EnvironmentKey } from '../constructs/environment-key.ts'
import { FunctionSchedule } from '../constructs/function-schedule.ts'
import { saleAlarmRows } from '../constructs/sale-alarms.ts'
import { createSaleDashboard } from '../constructs/sale-dashboard.ts'
import { metricsNamespace, SaleFunction, type SaleFunctionProps } from '../constructs/sale-function.ts'
import { grantSecrets } from '../constructs/secrets.ts'
import { shopAddress } from '../constructs/shop-address.ts'
import { siteBucketName } from '../constructs/site-bucket.ts'
import { SiteContent } from '../constructs/site-content.ts'
import { rightsOf } from '../rights.ts'
import { optionsOfStage, type StageSettings } from '../settings/stage.ts'
import type { DataStack } from './data.ts'

/** True for functions that are invoked asynchronously, whose failures reach no caller and no queue. */
const isScheduled = (name: FunctionName, { checkout }: StageSettings): boolean =>
  name === 'reconcile' ||
  name === 'canary' ||
  scheduledFunctions.some(([one]) => one === name) ||
  (name === 'order-changes' && checkout === true)

export type AppStackProps = StackProps & { settings: StageSettings; dist: string; data: DataStack }

export class AppStack extends Stack {
  readonly functions: Record<EveryStageFunction, SaleFunction>
  /** Absent in a stage that sends no emails. */
  readonly mail: SaleFunction | undefined
  /** The functions of options that the stage has. */
  readonly ofOptions: readonly (readonly [FunctionName, SaleFunction])[]
  /** Host names of the function URLs, which only the distribution may call. */
  readonly origins: Record<HttpFunction, string>
  /** Host name of the simulated payment provider, on a stage that has it. */
  readonly simulator: string | undefined
  /** The schedules of this stage; the default group belongs to the whole account. */
  readonly schedules: IScheduleGroup

  constructor(scope: Construct, id: string, { settings, dist, data, ...props }: AppStackProps) {
    super(scope, id, props)
    const { failures, queues } = data
    const rights: Partial<Record<FunctionName, (fn: SaleFunction) => void>> = rightsOf(settings, data)
    const environmentKey = new EnvironmentKey(this, 'EnvironmentKey', { stage: settings.name })
    const shared = { settings, dist, environmentKey, shopUrl: shopAddress(this, settings) }
    const create = (name: FunctionName) => {
      const ofFailures = isScheduled(name, settings) ? failures : undefined
      const fn = new SaleFunction(this, name, { ...shared, name, failures: ofFailures })
      rights[name]?.(fn)
      data.table.grantOptions(fn, name)
      for (const connect of data.ofOptions) connect[name]?.(fn, data)
      return fn
    }
    this.functions = perFunction(create)
    this.mail = settings.mail === undefined ? undefined : create('mail')
    this.ofOptions = optionsOfStage(settings).map((name) => [name, create(name)] as const)
    this.origins = perHttpFunction((name) => this.#originOf(name, this.functions[name].live))
    this.simulator = settings.simulatesPayments === true ? this.#simulator(shared, data) : undefined
    data.wakeQueue.consumedBy(this.functions.reconcile.live)
    for (const name of queueNames) queues[name].consumedBy(this.functions[consumptions[name].consumer].live)
    if (this.mail !== undefined) {
      const reading = { filters: mailFilters, consumption: mailConsumption }
      new ChangeStream(this, 'MailStream', { fn: this.mail, streamArn: data.table.streamArn, failures, ...reading })
    }
    this.schedules = this.#scheduled(settings, data)
    const site = Bucket.fromBucketName(this, 'Site', siteBucketName(settings.name, settings.region))
    const content = new SiteContent(this, 'Content', { settings, bucket: site, dist, part: 'parts' })
    // These functions publish pages that load the files of this build, so deploy the files first.
    for (const name of ['control', 'reconcile'] as const) this.functions[name].live.node.addDependency(content)
    this.#watch(settings, data)
  }

  /** Creates the payment simulator. Its API requires a key and its pages are public, so its URL needs no signature. */
  #simulator(shared: Omit<SaleFunctionProps, 'name'>, data: DataStack): string {
    const fn = new SaleFunction(this, paymentSimulator, { ...shared, name: paymentSimulator })
    grantSecrets(shared.settings.name, fn, 'apiKey', 'webhook')
    fn.setShopAddress('SHOP_URL')
    data.table.grantSimulator(fn)
    return this.#originOf(paymentSimulator, fn.live, FunctionUrlAuthType.NONE)
  }

  /**
   * Returns the host name of a new function URL, exported as the output `<function>Host` for the stack of the edge.
   * CloudFormation cannot split an address of another stack (`Fn::Split` of `Fn::GetStackOutput`), so this stack does it.
   */
  #originOf(name: DeployedFunction, live: IAlias, authType = FunctionUrlAuthType.AWS_IAM): string {
    const { url } = live.addFunctionUrl({ authType })
    // https://<host>/
    const value = Fn.select(2, Fn.split('/', url))
    const { logicalId } = new CfnOutput(this, `${name}Host`, { value })
    return Fn.getStackOutput(this.stackName, this.resolve(logicalId), this.region)
  }

  #scheduled({ name: stage, checkout }: StageSettings, { failures }: DataStack): IScheduleGroup {
    const repair = new Construct(this, 'Repair')
    const group = new ScheduleGroup(repair, 'Group', {
      scheduleGroupName: `sluice-${stage}`,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    new FunctionSchedule(repair, 'Schedule', {
      ...{ group, failures, ...reconcileRate },
      name: `sluice-${stage}-reconcile`,
      description: 'Reconciles all sales: finishes interrupted work and recovers lost sales.',
      fn: this.functions.reconcile.live,
    })
    for (const [name, { rate, description }] of scheduledFunctions) {
      new FunctionSchedule(this, name.charAt(0).toUpperCase() + name.slice(1), {
        ...{ group, failures, ...rate, description },
        name: `sluice-${stage}-${name}`,
        fn: this.functions[name].live,
      })
    }
    if (checkout) {
      new FunctionSchedule(this, 'ReservationKeys', {
        ...{ group, failures, ...reservationKeysRate },
        name: `sluice-${stage}-reservation-keys`,
        description: 'Publishes the keys with which shops verify reservations.',
        fn: this.functions['order-changes'].live,
      })
    }
    return group
  }

  #watch({ name, size, alarmEmail }: StageSettings, { queues, failures, table }: DataStack) {
    const { topic } = new AlarmTopic(this, 'AlarmTopic', { stage: name, email: alarmEmail })
    const watched = {
      stage: name,
      namespace: metricsNamespace(name),
      functions: {
        ...perFunction((fn) => this.functions[fn].live),
        ...(this.mail !== undefined && { mail: this.mail.live }),
        ...Object.fromEntries(this.ofOptions.map(([of, { live }]) => [of, live])),
      },
      queues,
      failures,
      table: table.table,
    }
    const alarms = createAlarms(this, saleAlarmRows, { ...watched, schedules: this.schedules }, { size, topic })
    if (size === 'full') createSaleDashboard(this, watched, alarms)
  }
}
