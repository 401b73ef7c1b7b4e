/**
 * The key-value store of the CloudFront Functions. Everything in it follows from the table, and
 * `reconcile` publishes it again, so the store may be deleted. Its ARN holds an id that CloudFormation
 * learns on creation; so the store is in a stack before both its writers and its readers.
 */
import { RemovalPolicy } from 'aws-cdk-lib'
import { KeyValueStore } from 'aws-cdk-lib/aws-cloudfront'
import { Construct } from 'constructs'
import type { StageSettings } from '../settings/stage.ts'
import type { Grantee } from './sale-function.ts'

export class EdgeStore extends Construct {
  readonly store: KeyValueStore

  constructor(scope: Construct, id: string, { name }: Pick<StageSettings, 'name'>) {
    super(scope, id)
    this.store = new KeyValueStore(this, 'Store', {
      keyValueStoreName: `sluice-${name}`,
      comment: 'What the CloudFront Functions know of sales',
    })
    this.store.applyRemovalPolicy(RemovalPolicy.DESTROY)
  }

  /** Reading the present state, and changing it. */
  grantPublish(fn: Grantee): void {
    const actions = ['DescribeKeyValueStore', 'GetKey', 'UpdateKeys']
    fn.allow(
      actions.map((action) => `cloudfront-keyvaluestore:${action}`),
      [this.store.keyValueStoreArn],
    )
    fn.setVariable('EDGE_STORE_ARN', this.store.keyValueStoreArn)
  }
}
