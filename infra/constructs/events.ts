/**
 * The bus of EventBridge for the events of a stage. It is part of the stage, because EventBridge accepts events for a bus
 * that does not exist and drops them (https://github.com/aws/aws-sdk/issues/186).
 */
import { EventBus as Bus } from 'aws-cdk-lib/aws-events'
import { Construct } from 'constructs'
import type { StageSettings } from '../settings/stage.ts'
import type { Grantee } from './sale-function.ts'

export class EventBus extends Construct {
  readonly #bus: Bus

  constructor(scope: Construct, id: string, { name }: Pick<StageSettings, 'name'>) {
    super(scope, id)
    this.#bus = new Bus(this, 'Bus', { eventBusName: `sluice-${name}` })
  }

  /** The function learns that there is a bus. */
  announce(fn: Grantee): void {
    fn.setVariable('EVENT_BUS', this.#bus.eventBusName)
  }

  grantPut(fn: Grantee): void {
    fn.allow(['events:PutEvents'], [this.#bus.eventBusArn])
    this.announce(fn)
  }
}
